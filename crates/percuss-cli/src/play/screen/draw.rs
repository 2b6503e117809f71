//! Layout of the screen: the whole terminal. Rows beyond 24 go to the picture and to the list of targets.

use super::super::performance::LivePerformance;
use super::super::summary::{energy_account, percent};
use super::{Screen, displacement_plot};
use crate::format::si;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};

const MIN_WIDTH: u16 = 80;
const MIN_HEIGHT: u16 = 24;
/// Rows of the list of targets on the smallest screen.
const MIN_TARGETS: u16 = 6;
/// Width of the panel beside the picture, with its border.
const SIDE_WIDTH: u16 = 19;
const KEY_HELP: &str = "space 1–9 strike  b bow  d damp  mouse  ↑↓←→ set  r again  n p l scene  ? q quit";
/// All keys, for `?`.
const HELP: [&str; 12] = [
    "space, 1 – 9   strike, at half strength or from soft to hard",
    "b              bow on and off",
    "d              damping hands on and off",
    "↑ ↓            select a target",
    "← →            change its value",
    "r              restart the scene",
    "n, p           next, previous preset",
    "l              load the scene file again after an edit",
    "left button    strike at the pointer",
    "right button   press a damping hand while it is down",
    "?, h           show and hide this list",
    "q, Esc         quit",
];

/// Where the parts of the screen are.
pub struct Layout {
    title: Rect,
    /// The picture, within its border.
    pub plot: Rect,
    side: Rect,
    targets: Rect,
    message: Rect,
    keys: Rect,
}

impl Layout {
    /// The parts of a terminal of a size.
    pub fn new(area: Rect) -> Self {
        let (width, height) = (area.width.max(MIN_WIDTH), area.height.max(MIN_HEIGHT));
        let listed = MIN_TARGETS + (height - MIN_HEIGHT) / 4;
        let row = |y: u16, height: u16| Rect { x: 0, y, width, height };
        let framed = Rect { x: 0, y: 1, width: width - SIDE_WIDTH, height: height - listed - 3 };
        Self {
            title: row(0, 1),
            plot: Rect { x: 1, y: 2, width: framed.width - 2, height: framed.height - 2 },
            side: Rect { x: framed.width, width: SIDE_WIDTH, ..framed },
            targets: row(framed.bottom(), listed),
            message: row(height - 2, 1),
            keys: row(height - 1, 1),
        }
    }
}

/// Draws the whole screen.
pub fn draw_screen(frame: &mut Frame, performance: &LivePerformance, screen: &Screen) {
    let whole = frame.area();
    if whole.width < MIN_WIDTH || whole.height < MIN_HEIGHT {
        let size = format!("This window has {} by {} characters;", whole.width, whole.height);
        let lines = vec![Line::raw(size), Line::raw(format!("percuss needs {MIN_WIDTH} by {MIN_HEIGHT}. q quits."))];
        return frame.render_widget(Paragraph::new(lines), whole);
    }
    let layout = Layout::new(whole);
    frame.render_widget(title_line(performance, screen, whole.width), layout.title);
    draw_plot(frame, performance, screen, layout.plot);
    let status = Paragraph::new(status_lines(performance, screen)).block(Block::bordered().title(" dBFS "));
    frame.render_widget(status, layout.side);
    frame.render_widget(Paragraph::new(target_lines(performance, screen, layout.targets)), layout.targets);
    frame.render_widget(message_line(performance, screen), layout.message);
    let keys = Line::styled(KEY_HELP, Style::default().add_modifier(Modifier::REVERSED));
    frame.render_widget(keys, layout.keys);
    if screen.shows_help {
        draw_help(frame, layout.plot);
    }
}

/// The picture and its border.
fn draw_plot(frame: &mut Frame, performance: &LivePerformance, screen: &Screen, inner: Rect) {
    let framed = Rect { x: inner.x - 1, y: inner.y - 1, width: inner.width + 2, height: inner.height + 2 };
    let scene = performance.handle.active_scene();
    let element = scene.instrument.displayed_element().map_or("", |(_, name)| name);
    let max_displacement = format!(" ±{} ", si(f64::from(screen.max_displacement), "m"));
    let title = format!(" displacement {element} ");
    frame.render_widget(Block::bordered().title(title).title_bottom(max_displacement), framed);
    displacement_plot::draw(&performance.view, screen.max_displacement, inner, frame.buffer_mut());
}

/// The list of keys, over the picture.
fn draw_help(frame: &mut Frame, plot: Rect) {
    let lines: Vec<Line> = HELP.iter().map(|&line| Line::raw(line)).collect();
    let height = (lines.len() as u16).min(plot.height);
    let area = Rect { height, ..plot };
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(lines), area);
}

/// A recent message, else what is wrong.
fn message_line(performance: &LivePerformance, screen: &Screen) -> Line<'static> {
    match (screen.recent_message(), performance.standing_warning()) {
        (Some(message), _) => Line::styled(message.to_owned(), Color::Yellow),
        (None, Some(warning)) => Line::styled(warning, Color::Red),
        (None, None) => Line::raw(""),
    }
}

fn title_line(performance: &LivePerformance, screen: &Screen, width: u16) -> Line<'static> {
    let seconds = screen.reading.samples as f64 / performance.config.rate;
    let time = format!("{}:{:02}", seconds as u64 / 60, seconds as u64 % 60);
    let text = format!(
        " percuss  {}  {} Hz  {}  {time}",
        performance.scene_name,
        performance.config.rate,
        performance.device_name()
    );
    Line::styled(
        format!("{text:<width$}", width = usize::from(width)),
        Style::default().fg(Color::Black).bg(Color::Cyan),
    )
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
        Line::from(vec![Span::raw("  "), load, Span::raw(" load")]),
        match performance.handle.dropped_commands() {
            0 if screen.limiter_gain < 1.0 => {
                let decibels = 20.0 * screen.limiter_gain.log10();
                Line::styled(format!("limit {decibels:>8.1} dB"), Color::Yellow)
            }
            0 => Line::raw(format!("worst {:>8}", percent(reading.max_load))),
            dropped => Line::styled(format!("dropped {dropped:>6}"), Color::Red),
        },
        Line::raw(format!("xruns {:>8}", performance.xruns())),
    ];
    if reading.has_ledger {
        for (name, value) in energy_account(reading) {
            lines.push(Line::raw(format!("{name:<8}{:>9}", si(value, "J"))));
        }
        lines.push(Line::raw(format!("residual{:>9.1e}", reading.worst_residual)));
    } else {
        lines.extend(["ledger closed;", "--ledger on", "opens it", "", "", ""].map(Line::raw));
    }
    let osc = performance.osc.as_ref().map_or_else(|| "none".into(), |server| server.address.port().to_string());
    lines.push(Line::raw(format!("osc {osc:>13}")));
    lines.push(Line::raw(format!("midi {:>12}", truncated(performance.midi_status(), 12))));
    lines
}

fn truncated(text: &str, width: usize) -> String {
    text.chars().take(width).collect()
}

/// The targets around the selected one, with their values.
fn target_lines(performance: &LivePerformance, screen: &Screen, area: Rect) -> Vec<Line<'static>> {
    let current = performance.handle.active_scene();
    let all = &current.instrument.targets;
    let selected = screen.input.selected.min(all.len().saturating_sub(1));
    let (rows, bar_width) = (usize::from(area.height), usize::from(area.width - MIN_WIDTH / 2 - 16));
    let first = selected.saturating_sub(rows / 2).min(all.len().saturating_sub(rows));
    let shown = all.iter().enumerate().skip(first).take(rows);
    shown
        .map(|(index, target)| {
            let value = current.value(index);
            let [least, most] = target.range;
            let share = if most > least { (value - least) / (most - least) } else { 0.0 };
            let number = if target.unit.is_empty() { format!("{value:.3}") } else { si(value, target.unit) };
            let mark = if index == selected { '▶' } else { ' ' };
            let name = truncated(&target.name, 30);
            let text = format!("{mark} {name:<30} {} {number:>12}", text_bar(share, bar_width));
            Line::styled(text, if index == selected { Color::Cyan } else { Color::Reset })
        })
        .collect()
}
