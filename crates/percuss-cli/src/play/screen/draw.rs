//! The screen, part by part. Everything has its place within 80 by 24; larger terminals leave the rest empty.

use super::super::stage::Stage;
use super::super::summary::percent;
use super::{Screen, picture};
use crate::format::si;
use percuss_live::COLUMNS;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph};

const WIDTH: u16 = 80;
const HEIGHT: u16 = 24;
/// Rows of the list of targets.
const LISTED: usize = 6;
const KEYS: &str = "space strike  b bow  d damp  ↑↓ choose  ←→ change  r again  n/p scene  q quit";

/// Where the picture is: 59 by 13 characters within its frame.
pub fn picture_area() -> Rect {
    Rect { x: 1, y: 2, width: 59, height: 13 }
}

/// Draws everything.
pub fn all(frame: &mut Frame, stage: &Stage, screen: &Screen) {
    let whole = frame.area();
    if whole.width < WIDTH || whole.height < HEIGHT {
        let size = format!("This window has {} by {} characters;", whole.width, whole.height);
        let lines = vec![Line::raw(size), Line::raw(format!("percuss needs {WIDTH} by {HEIGHT}. q quits."))];
        return frame.render_widget(Paragraph::new(lines), whole);
    }
    frame.render_widget(title(stage, screen), Rect { x: 0, y: 0, width: WIDTH, height: 1 });
    let inner = picture_area();
    let framed = Rect { x: inner.x - 1, y: inner.y - 1, width: inner.width + 2, height: inner.height + 2 };
    let reach = format!(" ±{} ", si(f64::from(screen.reach), "m"));
    frame.render_widget(Block::bordered().title(" displacement ").title_bottom(reach), framed);
    picture::draw(&stage.view, screen.reach, inner, frame.buffer_mut());
    let side = Rect { x: framed.right(), y: 1, width: WIDTH - framed.right(), height: framed.height };
    frame.render_widget(Paragraph::new(state(stage, screen)).block(Block::bordered().title(" state ")), side);
    let list = Rect { x: 0, y: framed.bottom(), width: WIDTH, height: LISTED as u16 };
    frame.render_widget(Paragraph::new(targets(stage, screen)), list);
    let news = Rect { x: 0, y: list.bottom(), width: WIDTH, height: 1 };
    frame.render_widget(Line::styled(screen.news().to_owned(), Color::Yellow), news);
    let keys = Rect { y: news.bottom(), ..news };
    frame.render_widget(Line::styled(KEYS, Style::default().add_modifier(Modifier::REVERSED)), keys);
}

fn title(stage: &Stage, screen: &Screen) -> Line<'static> {
    let seconds = screen.reading.samples as f64 / stage.make.rate;
    let time = format!("{}:{:02}", seconds as u64 / 60, seconds as u64 % 60);
    let text = format!(" percuss  {}  {} Hz  {}  {time}", stage.title, stage.make.rate, stage.output.name);
    Line::styled(format!("{text:<80}"), Style::default().fg(Color::Black).bg(Color::Cyan))
}

/// A bar of so many characters.
fn bar(share: f64, width: usize) -> String {
    let filled = (share.clamp(0.0, 1.0) * width as f64).round() as usize;
    format!("{}{}", "█".repeat(filled), "░".repeat(width - filled))
}

/// Levels in decibels from −60 to 0 fill the bar.
fn level(name: &str, peak: f64) -> Line<'static> {
    let decibels = 20.0 * peak.max(1e-6).log10();
    let colour = if peak > 1.0 { Color::Red } else { Color::Green };
    let bar = Span::styled(bar(1.0 + decibels / 60.0, 9), colour);
    Line::from(vec![Span::raw(format!("{name} ")), bar, Span::raw(format!(" {decibels:>4.0}"))])
}

fn state(stage: &Stage, screen: &Screen) -> Vec<Line<'static>> {
    let reading = &screen.reading;
    let load = Span::styled(bar(reading.recent, 9), if reading.recent > 0.8 { Color::Red } else { Color::Green });
    let mut lines = vec![
        level("L", screen.levels[0]),
        level("R", screen.levels[1]),
        Line::raw("             dBFS"),
        Line::from(vec![Span::raw("  "), load, Span::raw(" load")]),
        Line::raw(format!("worst {:>8}", percent(reading.worst))),
        Line::raw(format!("xruns {:>8}", stage.xruns())),
        match stage.controls.lost() {
            0 => Line::raw(""),
            lost => Line::styled(format!("lost  {lost:>8}"), Color::Red),
        },
    ];
    if reading.has_account {
        for (name, value) in [("held", reading.stored), ("given", reading.supplied), ("lost", reading.dissipated)] {
            lines.push(Line::raw(format!("{name:<6}{:>10}", si(value, "J"))));
        }
        lines.push(Line::raw(format!("off   {:>10.1e}", reading.residual)));
    } else {
        lines.extend(["account closed;", "--account on", "opens it", ""].map(Line::raw));
    }
    let osc = stage.osc.as_ref().map_or_else(|| "none".into(), |server| server.address.port().to_string());
    lines.push(Line::raw(format!("osc {osc:>13}")));
    lines.push(Line::raw(format!("midi {:>12}", shortened(&stage.midi, 12))));
    lines
}

fn shortened(text: &str, width: usize) -> String {
    text.chars().take(width).collect()
}

/// The targets around the chosen one, with their values.
fn targets(stage: &Stage, screen: &Screen) -> Vec<Line<'static>> {
    let on_stage = stage.controls.stage();
    let all = &on_stage.instrument.targets;
    let selected = screen.hands.selected.min(all.len().saturating_sub(1));
    let first = selected.saturating_sub(LISTED / 2).min(all.len().saturating_sub(LISTED));
    let shown = all.iter().enumerate().skip(first).take(LISTED);
    shown
        .map(|(index, target)| {
            let value = on_stage.value(index);
            let [least, most] = target.range;
            let share = if most > least { (value - least) / (most - least) } else { 0.0 };
            let number = if target.unit.is_empty() { format!("{value:.3}") } else { si(value, target.unit) };
            let mark = if index == selected { '▶' } else { ' ' };
            let name = shortened(&target.name, 30);
            let text = format!("{mark} {name:<30} {} {number:>12}", bar(share, 24));
            Line::styled(text, if index == selected { Color::Cyan } else { Color::Reset })
        })
        .collect()
}

// A picture wider than what the engine shows would repeat columns.
const _: () = assert!(COLUMNS >= 59);
