//! The Parts page: rows of frequencies, the joints between the parts, and a row of their parameters.

use egui::{Rect, Ui, pos2, vec2};

use crate::editor::body_view::BodyView;
use crate::editor::param_context::ParamContext;
use crate::editor::param_controls::param_grid;
use crate::editor::parts::connector;
use crate::editor::parts::connector::{JointEnd, PulledEnd};
use crate::editor::parts::frequency_rows::FrequencyRows;
use crate::editor::theme;
use crate::editor::theme::{Face, Hue, Size, part};
use crate::editor::widgets::{Side, ThemePainter};
use urto_engine::HitPulse;
use urto_engine::body::ConnectedParts;
use urto_engine::params::{BodyKind, ParamId};

/// Width of the names, and of the column of a joint: [normal, small window].
const NAMES: [f32; 2] = [150.0, 112.0];
const JOINT: [f32; 2] = [108.0, 88.0];
/// Height of the title above the rows, and of the row of parameters below them: [normal, small window].
const TITLE: f32 = 76.0;
const ROW: [f32; 2] = [122.0, 102.0];
/// Name of the row of all parts together.
const TOGETHER: &str = "Together";

/// State of the page.
#[derive(Default)]
pub struct PartsPage {
    pulled: Option<PulledEnd>,
}

impl PartsPage {
    /// Draws the page and handles input.
    pub fn show(&mut self, ui: &mut Ui, rect: Rect, stage: &mut BodyView, params: &mut ParamContext, last: Option<&HitPulse>) {
        let patch = params.params.patch();
        let connected = stage.connected_parts(&patch, last);
        let (upper, lower) = rect.split_top_bottom_at_y(rect.bottom() - ROW[usize::from(params.small)]);
        let painter = ThemePainter::new(ui);
        painter.hline(rect.x_range(), upper.bottom(), painter.ink.hair);
        title(&painter, rect, connected.as_ref());
        let Some(connected) = connected else { return };
        let inside = upper.shrink2(vec2(theme::MARGIN, 0.0)).with_min_y(upper.top() + TITLE);
        self.diagram(ui, inside.with_max_y(upper.bottom() - 10.0), &connected, params);
        let row = lower.shrink2(vec2(theme::MARGIN, 4.0));
        let groups = groups(connected.kind);
        param_grid::plain(&mut part(ui, "Parameters of the parts", row), row, &groups, (short_name, Hue::Body), params);
    }

    /// The rows, and the joints between the names and the frequencies.
    fn diagram(&mut self, ui: &mut Ui, rect: Rect, connected: &ConnectedParts, params: &mut ParamContext) {
        let small = usize::from(params.small);
        let joints = JOINT[small] * connected.joints.len() as f32;
        let (names, rest) = rect.split_left_right_at_x(rect.left() + NAMES[small]);
        let (columns, area) = rest.split_left_right_at_x(rest.left() + joints + 12.0);
        let painter = ThemePainter::new(ui);
        let rows = FrequencyRows::new(connected, area);
        let is_joined = |row: usize| {
            let mut of_part = connected.joints.iter().filter(|joint| joint.between.contains(&row));
            row == 0 || of_part.any(|joint| joint.is_connected)
        };
        let joined: Vec<bool> = (0..connected.parts.len()).map(is_joined).collect();
        rows.paint(&painter.inside(rect), &joined);
        for (row, part) in connected.parts.iter().enumerate() {
            let color = if joined[row] { painter.ink.text } else { painter.ink.text3 };
            painter.text(pos2(names.left(), rows.middle(row)), Side::Left, part.name, (Face::Medium, Size::Text, color));
        }
        if !connected.together.is_empty() {
            let at = pos2(names.left(), rows.middle(connected.parts.len()));
            painter.text(at, Side::Left, TOGETHER, (Face::SemiBold, Size::Text, painter.ink.text));
        }
        let ui = &mut part(ui, "Joints", columns);
        for (place, joint) in connected.joints.iter().enumerate() {
            let left = columns.left() + JOINT[small] * place as f32;
            let column = Rect::from_min_max(pos2(left, columns.top()), pos2(left + JOINT[small], columns.bottom()));
            let ends = joint.between.map(|row| JointEnd { y: rows.middle(row), part: connected.parts[row].name });
            connector::show(ui, column, ends, joint, &mut self.pulled, params);
        }
    }
}

/// The title, and what the rows show.
fn title(painter: &ThemePainter, rect: Rect, connected: Option<&ConnectedParts>) {
    let left = rect.left() + theme::MARGIN;
    painter.text(pos2(left, rect.top() + 30.0), Side::Left, "Parts", (Face::SemiBold, Size::Title, painter.ink.text));
    let about = match connected {
        None => "Computing the body…",
        Some(connected) if connected.joints.iter().all(|joint| !joint.is_connected) => {
            "No parts are joined. Drag from one point of a joint to the other to join them."
        }
        Some(connected) if connected.together.is_empty() => "The parts meet in contacts, which have no frequencies of their own.",
        Some(_) => "Frequencies of each part alone, and of all together with the shift in cents.",
    };
    painter.text(pos2(left, rect.top() + 55.0), Side::Left, about, (Face::Regular, Size::Text, painter.ink.text2));
}

/// The parameters of the parts of a body of one type, beside those of a tube.
fn groups(kind: BodyKind) -> Vec<&'static [ParamId]> {
    use ParamId::*;
    let own: &[ParamId] = match kind {
        BodyKind::TwoHeadedDrum => &[ResonantTune, ResonantMass, DrumDepth, AirLoad],
        BodyKind::StringCourse => &[CourseStrings, Split, SympatheticStrings, BoardMass, BoardDamping],
        BodyKind::HiHat => return vec![&[HiHatGap, HiHatFriction]],
        _ => &[],
    };
    let tube: &[ParamId] = &[TubeDetune, TubeFlapRate, TubeFlapDepth];
    if own.is_empty() { vec![tube] } else { vec![own, tube] }
}

/// Name of a parameter in the row, which has no headings.
fn short_name(id: ParamId) -> &'static str {
    match id {
        ParamId::ResonantTune => "Resonant tune",
        ParamId::ResonantMass => "Resonant mass",
        ParamId::AirLoad => "Air load",
        ParamId::CourseStrings => "Strings",
        ParamId::Split => "Splitting",
        ParamId::SympatheticStrings => "Sympathetic",
        ParamId::BoardMass => "Board mass",
        ParamId::BoardDamping => "Board damping",
        ParamId::TubeFlapRate => "Flap rate",
        ParamId::TubeFlapDepth => "Flap depth",
        _ => id.spec().name,
    }
}
