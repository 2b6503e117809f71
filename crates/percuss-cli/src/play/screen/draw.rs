//! Layout of the screen: 80 by 24 characters at the top left of the terminal.

use super::super::performance::LivePerformance;
use super::super::summary::percent;
use super::{Screen, displacement_plot};
use crate::format::si;
use percuss_live::VIEW_COLUMNS;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph};

const SCREEN_WIDTH: u16 = 80;
const SCREEN_HEIGHT: u16 = 24;
/// Rows of the list of targets.
const LISTED_TARGETS: usize = 6;
const KEY_HELP: &str = "space strike  b bow  d damp  ↑↓ select  ←→ change  r restart  n/p scene  q quit";

/// Area of the displacement plot within its border: 59 by 13 characters.
pub fn plot_area() -> Rect {
    Rect { x: 1, y: 2, width: 59, height: 13 }
}

/// Draws the whole screen.
pub fn draw_screen(frame: &mut Frame, performance: &LivePerformance, screen: &Screen) {
    let whole = frame.area();
    if whole.width < SCREEN_WIDTH || whole.height < SCREEN_HEIGHT {
        let size = format!("This window has {} by {} characters;", whole.width, whole.height);
        let lines =
            vec![Line::raw(size), Line::raw(format!("percuss needs {SCREEN_WIDTH} by {SCREEN_HEIGHT}. q quits."))];
        return frame.render_widget(Paragraph::new(lines), whole);
    }
    frame.render_widget(title_line(performance, screen), Rect { x: 0, y: 0, width: SCREEN_WIDTH, height: 1 });
    let inner = plot_area();
    let framed = Rect { x: inner.x - 1, y: inner.y - 1, width: inner.width + 2, height: inner.height + 2 };
    let max_displacement = format!(" ±{} ", si(f64::from(screen.max_displacement), "m"));
    frame.render_widget(Block::bordered().title(" displacement ").title_bottom(max_displacement), framed);
    displacement_plot::draw(&performance.view, screen.max_displacement, inner, frame.buffer_mut());
    let side = Rect { x: framed.right(), y: 1, width: SCREEN_WIDTH - framed.right(), height: framed.height };
    frame.render_widget(
        Paragraph::new(status_lines(performance, screen)).block(Block::bordered().title(" state ")),
        side,
    );
    let list = Rect { x: 0, y: framed.bottom(), width: SCREEN_WIDTH, height: LISTED_TARGETS as u16 };
    frame.render_widget(Paragraph::new(target_lines(performance, screen)), list);
    let message = Rect { x: 0, y: list.bottom(), width: SCREEN_WIDTH, height: 1 };
    frame.render_widget(Line::styled(screen.current_message().to_owned(), Color::Yellow), message);
    let keys = Rect { y: message.bottom(), ..message };
    frame.render_widget(Line::styled(KEY_HELP, Style::default().add_modifier(Modifier::REVERSED)), keys);
}

fn title_line(performance: &LivePerformance, screen: &Screen) -> Line<'static> {
    let seconds = screen.reading.samples as f64 / performance.config.rate;
    let time = format!("{}:{:02}", seconds as u64 / 60, seconds as u64 % 60);
    let text = format!(
        " percuss  {}  {} Hz  {}  {time}",
        performance.scene_name, performance.config.rate, performance.output.name
    );
    Line::styled(format!("{text:<80}"), Style::default().fg(Color::Black).bg(Color::Cyan))
}

/// A horizontal bar of `width` characters.
fn text_bar(share: f64, width: usize) -> String {
    let filled = (share.clamp(0.0, 1.0) * width as f64).round() as usize;
    format!("{}{}", "█".repeat(filled), "░".repeat(width - filled))
}

/// A level meter from −60 to 0 dBFS.
fn level_meter(name: &str, peak: f64) -> Line<'static> {
    let decibels = 20.0 * peak.max(1e-6).log10();
    let colour = if peak > 1.0 { Color::Red } else { Color::Green };
    let bar = Span::styled(text_bar(1.0 + decibels / 60.0, 9), colour);
    Line::from(vec![Span::raw(format!("{name} ")), bar, Span::raw(format!(" {decibels:>4.0}"))])
}

fn status_lines(performance: &LivePerformance, screen: &Screen) -> Vec<Line<'static>> {
    let reading = &screen.reading;
    let load = Span::styled(
        text_bar(reading.smoothed_load, 9),
        if reading.smoothed_load > 0.8 { Color::Red } else { Color::Green },
    );
    let mut lines = vec![
        level_meter("L", screen.levels[0]),
        level_meter("R", screen.levels[1]),
        Line::raw("             dBFS"),
        Line::from(vec![Span::raw("  "), load, Span::raw(" load")]),
        Line::raw(format!("worst {:>8}", percent(reading.max_load))),
        Line::raw(format!("xruns {:>8}", performance.xruns())),
        match performance.handle.dropped_commands() {
            0 => Line::raw(""),
            dropped => Line::styled(format!("dropped {dropped:>6}"), Color::Red),
        },
    ];
    if reading.has_ledger {
        for (name, value) in
            [("stored", reading.stored), ("supplied", reading.supplied), ("dissip.", reading.dissipated)]
        {
            lines.push(Line::raw(format!("{name:<8}{:>9}", si(value, "J"))));
        }
        lines.push(Line::raw(format!("residual{:>9.1e}", reading.worst_residual)));
    } else {
        lines.extend(["ledger closed;", "--ledger on", "opens it", ""].map(Line::raw));
    }
    let osc = performance.osc.as_ref().map_or_else(|| "none".into(), |server| server.address.port().to_string());
    lines.push(Line::raw(format!("osc {osc:>13}")));
    lines.push(Line::raw(format!("midi {:>12}", truncated(&performance.midi_status, 12))));
    lines
}

fn truncated(text: &str, width: usize) -> String {
    text.chars().take(width).collect()
}

/// The targets around the selected one, with their values.
fn target_lines(performance: &LivePerformance, screen: &Screen) -> Vec<Line<'static>> {
    let current = performance.handle.active_scene();
    let all = &current.instrument.targets;
    let selected = screen.input.selected.min(all.len().saturating_sub(1));
    let first = selected.saturating_sub(LISTED_TARGETS / 2).min(all.len().saturating_sub(LISTED_TARGETS));
    let shown = all.iter().enumerate().skip(first).take(LISTED_TARGETS);
    shown
        .map(|(index, target)| {
            let value = current.value(index);
            let [least, most] = target.range;
            let share = if most > least { (value - least) / (most - least) } else { 0.0 };
            let number = if target.unit.is_empty() { format!("{value:.3}") } else { si(value, target.unit) };
            let mark = if index == selected { '▶' } else { ' ' };
            let name = truncated(&target.name, 30);
            let text = format!("{mark} {name:<30} {} {number:>12}", text_bar(share, 24));
            Line::styled(text, if index == selected { Color::Cyan } else { Color::Reset })
        })
        .collect()
}

// A plot wider than the engine's view would repeat columns.
const _: () = assert!(VIEW_COLUMNS >= 59);
