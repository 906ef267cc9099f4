//! The header: pages, preset, undo, A and B, random change, zoom, settings.

use egui::{Popup, Rect, RichText, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::editor::command::Command;
use crate::editor::param_controls::value_entry;
use crate::editor::preferences::Prefs;
use crate::editor::theme;
use crate::editor::theme::{Face, Hue, Size};
use crate::editor::widgets::{Rule, Side, TARGET, ThemePainter, Way, button, icon, tabs};
use urto_engine::params::{QUALITIES, ZONES};

/// Width of the preset field.
const PRESET: f32 = 296.0;
/// Left edge of the pages (normal, small window); left edge and width of the preset field in a small window.
const PAGES: [f32; 2] = [136.0, 118.0];
const SMALL_PRESET: [f32; 2] = [360.0, 316.0];

/// State shown in the header.
pub struct HeaderState<'a> {
    /// Names of the pages.
    pub pages: &'a [&'a str],
    /// Name of the preset.
    pub name: &'a str,
    /// Whether the sound differs from the preset.
    pub changed: bool,
    /// Whether the preset is a favourite.
    pub favourite: bool,
    /// Whether the browser is open.
    pub open: bool,
    /// Whether undo and redo are possible.
    pub reach: [bool; 2],
    /// Whether B is the current sound.
    pub second: bool,
    /// Whether the manual is open.
    pub reads: bool,
    /// Whether the computer keyboard plays notes; none in a host.
    pub plays: Option<bool>,
    /// Indices of the choices of quality and MPE.
    pub chosen: [usize; 2],
    /// Whether the window is small.
    pub small: bool,
}

/// Draws the header. Returns the commands of the user. `page` is the index of the current page.
pub fn show(ui: &Ui, rect: Rect, shown: &HeaderState, page: &mut usize, prefs: &mut Prefs) -> Vec<Command> {
    let painter = ThemePainter::new(ui);
    let mut commands = Vec::new();
    let y = rect.center().y;
    painter.hline(rect.x_range(), rect.bottom(), painter.ink.hair);
    icon::logo(&painter, pos2(rect.left() + 24.0, y));
    let pages = rect.with_min_x(rect.left() + PAGES[usize::from(shown.small)]).with_max_y(rect.bottom());
    let before = *page;
    tabs::show(ui, pages, shown.pages, page, Rule::Below);
    if *page != before && shown.open {
        commands.push(Command::Close);
    }
    let left = if shown.small { rect.left() + SMALL_PRESET[0] } else { rect.center().x - 0.5 * PRESET + 12.0 };
    let width = if shown.small { SMALL_PRESET[1] } else { PRESET };
    preset(ui, Rect::from_min_size(pos2(left, rect.top() + 11.0), vec2(width, 30.0)), shown, &mut commands);
    let mut right = rect.right() - 18.0;
    window_buttons(ui, &mut right, y, shown, prefs, &mut commands);
    sound_buttons(ui, &mut right, y, shown, &mut commands);
    commands
}

/// Settings, manual, keyboard, zoom and the amount of random change, from the right.
fn window_buttons(ui: &Ui, right: &mut f32, y: f32, shown: &HeaderState, prefs: &mut Prefs, commands: &mut Vec<Command>) {
    settings(ui, place(right, TARGET, y), prefs, shown, commands);
    // in a small window these are in the menu
    if !shown.small {
        *right -= 2.0;
        if toggle(ui, place(right, TARGET, y), "Manual", "Manual (?)", shown.reads, icon::question) {
            commands.push(Command::ToggleManual);
        }
    }
    if let Some(on) = shown.plays.filter(|_| !shown.small) {
        let words = "Play notes with the computer keyboard: A W S E D …";
        if toggle(ui, place(right, TARGET, y), "Computer keyboard", words, on, icon::keys) {
            commands.push(Command::ToggleKeyboard);
        }
    }
    if !shown.small {
        *right -= 6.0;
        zoom(ui, place(right, 52.0, y), commands);
        *right -= 6.0;
        let painter = ThemePainter::new(ui);
        painter.vline(*right, y - 9.0..=y + 9.0, painter.ink.hair);
        *right -= 6.0;
        amount(ui, place(right, 46.0, y), prefs);
    }
}

/// Random change, A and B, redo and undo, from the right.
fn sound_buttons(ui: &Ui, right: &mut f32, y: f32, shown: &HeaderState, commands: &mut Vec<Command>) {
    let painter = ThemePainter::new(ui);
    if randomise(ui, place(right, TARGET, y)) {
        commands.push(Command::Randomise);
    }
    *right -= 6.0;
    painter.vline(*right, y - 9.0..=y + 9.0, painter.ink.hair);
    *right -= 8.0;
    both(ui, place(right, 58.0, y), shown.second, commands);
    *right -= 8.0;
    for (forward, name) in [(true, "Redo"), (false, "Undo")] {
        let at = place(right, TARGET, y);
        let can = shown.reach[usize::from(forward)];
        let pressed = button::bare(ui, at, name).on_hover_text(name).clicked();
        icon::turn(&painter, at.center(), forward, if can { painter.ink.text2 } else { painter.ink.line });
        if pressed && can {
            commands.push(if forward { Command::Redo } else { Command::Undo });
        }
    }
}

/// An area of `width` to the left of `right`, which moves there.
fn place(right: &mut f32, width: f32, y: f32) -> Rect {
    let rect = Rect::from_center_size(pos2(*right - 0.5 * width, y), vec2(width, TARGET));
    *right -= width;
    rect
}

/// The preset field: previous, favourite, name, next. A click opens the browser.
fn preset(ui: &Ui, rect: Rect, shown: &HeaderState, commands: &mut Vec<Command>) {
    let painter = ThemePainter::new(ui);
    let middle = rect.shrink2(vec2(30.0, 0.0));
    let response = ui.interact(middle, ui.scope_id().with("preset"), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Button, true, format!("Preset {}", shown.name)));
    painter.field(rect, if shown.open || response.hovered() { painter.ink.hover } else { painter.ink.raised });
    for (at, way, step, name) in
        [(rect.left() + 15.0, Way::Left, -1, "Previous preset"), (rect.right() - 15.0, Way::Right, 1, "Next preset")]
    {
        let target = Rect::from_center_size(pos2(at, rect.center().y), vec2(TARGET, TARGET));
        if button::bare(ui, target, name).on_hover_text(name).clicked() {
            commands.push(Command::StepPreset(step));
        }
        icon::chevron(&painter, target.center(), way, 4.0, painter.ink.text2);
    }
    if response.has_focus() {
        painter.focus(rect, theme::FIELD);
    }
    let y = rect.center().y;
    icon::star(&painter, pos2(rect.left() + 40.0, y - 0.5), 6.0, shown.favourite, painter.ink.text2);
    let name = painter.fitting(shown.name, Face::Medium, Size::Row, rect.width() - 124.0);
    let at = painter.text(pos2(rect.left() + 56.0, y), Side::Left, &name, (Face::Medium, Size::Row, painter.ink.text));
    if shown.changed {
        painter.disc(pos2((at.right() + 17.0).min(rect.right() - 58.0), y), 2.5, painter.ink.text2, 0.0, painter.ink.text2);
    }
    let way = if shown.open { Way::Up } else { Way::Down };
    icon::chevron(&painter, pos2(rect.right() - 40.0, y), way, 3.5, painter.ink.text2);
    if response.clicked() {
        commands.push(Command::ToggleBrowser);
    }
}

/// The A/B switch; a right click copies to the other.
fn both(ui: &Ui, rect: Rect, second: bool, commands: &mut Vec<Command>) {
    let chosen = usize::from(second);
    if button::segments(ui, rect, "Sound", &["A", "B"], chosen, Hue::Plain) != chosen {
        commands.push(Command::SwitchAb);
    }
    let copies =
        ui.input(|input| input.pointer.secondary_clicked() && input.pointer.interact_pos().is_some_and(|at| rect.contains(at)));
    if copies {
        commands.push(Command::CopyToOther);
    }
}

fn randomise(ui: &Ui, rect: Rect) -> bool {
    let response = button::bare(ui, rect, "Randomise unlocked parameters").on_hover_text("Randomise unlocked parameters");
    let painter = ThemePainter::new(ui);
    icon::die(&painter, rect.center(), painter.ink.text2);
    response.clicked()
}

/// Draws an icon that is on or off. Returns whether it was clicked.
fn toggle(ui: &Ui, rect: Rect, name: &str, words: &str, on: bool, paint: fn(&ThemePainter, egui::Pos2, egui::Color32)) -> bool {
    let response = button::bare(ui, rect, name);
    response.widget_info(|| WidgetInfo::selected(egui::accesskit::Role::Button, true, on, name));
    let painter = ThemePainter::new(ui);
    if on {
        painter.rect(rect, theme::FIELD, painter.ink.text);
    }
    paint(&painter, rect.center(), if on { painter.ink.bg } else { painter.ink.text2 });
    response.on_hover_text(words).clicked()
}

/// The amount of random change: drag the number.
fn amount(ui: &Ui, rect: Rect, prefs: &mut Prefs) {
    let response = ui.interact(rect, ui.scope_id().with("amount"), Sense::click_and_drag());
    let text = format!("{:.0} %", 100.0 * prefs.chance);
    response.widget_info(|| WidgetInfo::slider(true, prefs.chance, "Amount of random change"));
    if response.dragged() {
        let moved = response.drag_delta();
        prefs.chance = (prefs.chance + f64::from(moved.x - moved.y) / 200.0).clamp(0.01, 1.0);
    }
    let painter = ThemePainter::new(ui);
    let color = if response.hovered() || response.dragged() { painter.ink.text } else { painter.ink.text2 };
    painter.text(rect.right_center() - vec2(6.0, 0.0), Side::Right, &text, (Face::Regular, Size::Text, color));
    if response.has_focus() {
        painter.focus(rect, theme::FIELD);
    }
    response.on_hover_text("Amount of random change: drag to adjust");
}

fn zoom(ui: &Ui, rect: Rect, commands: &mut Vec<Command>) {
    let response = button::bare(ui, rect, "Zoom");
    let painter = ThemePainter::new(ui);
    let text = percent(ui.ctx().zoom_factor());
    painter.text(rect.center(), Side::Center, &text, (Face::Regular, Size::Text, painter.ink.text2));
    Popup::menu(&response).show(|ui| zooms(ui, commands));
}

fn percent(factor: f32) -> String {
    format!("{:.0} %", 100.0 * factor)
}

fn zooms(ui: &mut Ui, commands: &mut Vec<Command>) {
    for factor in theme::ZOOMS {
        let text = RichText::new(percent(factor)).font(theme::font(Face::Regular, Size::Text));
        if ui.selectable_label((ui.ctx().zoom_factor() - factor).abs() < 1e-3, text).clicked() {
            commands.push(Command::Zoom(factor));
            ui.close();
        }
    }
}

fn settings(ui: &Ui, rect: Rect, prefs: &Prefs, shown: &HeaderState, commands: &mut Vec<Command>) {
    let response = button::bare(ui, rect, "Settings");
    let painter = ThemePainter::new(ui);
    icon::sliders(&painter, rect.center(), painter.ink.text2);
    Popup::menu(&response).width(200.0).show(|ui| {
        ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
        let theme = if prefs.dark { "Light theme" } else { "Dark theme" };
        if value_entry::entry(ui, theme) {
            commands.push(Command::SetDarkTheme(!prefs.dark));
        }
        if value_entry::entry(ui, if prefs.still { "Full motion" } else { "Reduce motion" }) {
            commands.push(Command::SetReducedMotion(!prefs.still));
        }
        ui.separator();
        let [quality, mpe] = shown.chosen;
        choices(ui, "Quality", QUALITIES, quality, |place| commands.push(Command::Quality(place)));
        choices(ui, "MPE", ZONES, mpe, |place| commands.push(Command::Mpe(place)));
        ui.separator();
        if value_entry::entry(ui, "Show preset folder") {
            commands.push(Command::ShowPresetFolder);
        }
        if value_entry::entry(ui, "Manual") {
            commands.push(Command::ToggleManual);
        }
        if let Some(on) = shown.plays {
            let words = if on { "Use letters as shortcuts" } else { "Play notes with the computer keyboard" };
            if value_entry::entry(ui, words) {
                commands.push(Command::ToggleKeyboard);
            }
        }
        ui.separator();
        ui.horizontal(|ui| zooms(ui, commands));
    });
}

/// The choices of a parameter as a submenu.
fn choices(ui: &mut Ui, name: &str, names: &[&str], chosen: usize, mut choose: impl FnMut(usize)) {
    let font = theme::font(Face::Regular, Size::Text);
    let shown = names.get(chosen).copied().unwrap_or_default();
    ui.menu_button(RichText::new(format!("{name}: {}", shown.to_lowercase())).font(font.clone()), |ui| {
        for (place, name) in names.iter().enumerate() {
            if ui.selectable_label(place == chosen, RichText::new(*name).font(font.clone())).clicked() {
                choose(place);
                ui.close();
            }
        }
    });
}
