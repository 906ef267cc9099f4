//! Floor 3: the editor, drawn with egui. Reads the knobs and the snapshots of `link`, writes through the host.

use std::sync::Arc;

use egui::Context;
use nice_plug::context::gui::GuiContext;
use nice_plug::editor::dpi::LogicalSize;
use nice_plug::editor::{ResizeHint, SizeConstraints};
use nice_plug_egui::{
    EguiEditor, EguiEditorState, EguiNiceSettings, Frame, NiceEguiApp, RepaintNotifier, baseview, create_egui_editor,
};

use crate::link::EditorEnd;
use crate::params::Knobs;

/// First size of the window, and the sizes between which it can be drawn [logical pixels].
const SIZE: [f32; 2] = [1160.0, 720.0];
const SMALLEST: [f32; 2] = [900.0, 600.0];
const LARGEST: [f32; 2] = [2560.0, 1600.0];

/// What is drawn, and what it remembers while the window is open or closed.
pub struct Face {
    knobs: Arc<Knobs>,
    audio: EditorEnd,
    host: Option<GuiContext>,
}

/// The editor for a host to open.
pub fn open(knobs: Arc<Knobs>, audio: EditorEnd, repaint: RepaintNotifier) -> Option<EguiEditor<Face>> {
    let [width, height] = SIZE;
    let state = EguiEditorState::from_size(LogicalSize::new(width, height), 1.0);
    let size = |[width, height]: [f32; 2]| Some(LogicalSize::new(width, height));
    let limits = SizeConstraints::Logical { min_size: size(SMALLEST), max_size: size(LARGEST) };
    let settings = EguiNiceSettings::new()
        .with_tile("Urto")
        .with_resize_hint(ResizeHint { size_constraints: limits, ..ResizeHint::RESIZABLE });
    create_egui_editor(state, repaint, settings, Face { knobs, audio, host: None })
}

impl NiceEguiApp for Face {
    fn build(&mut self, _context: Context, host: GuiContext, _: &mut Frame) -> Result<(), baseview::HandlerError> {
        self.host = Some(host);
        Ok(())
    }

    fn ui(&mut self, ui: &mut egui::Ui, _: &mut Frame) {
        let _ = (&self.knobs, &self.audio, &self.host, ui);
    }

    fn editor_closed(&mut self) {
        self.host = None;
    }
}
