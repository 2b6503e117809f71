//! What was measured, as text.

use super::adhesion::{self, Adhesion};
use super::friction_schemes::{OVERSAMPLING, Outcome};
use super::motion::Regime;
use super::schelleng::{Map, upper_constant};
use super::stroke::{BOW_VELOCITY, first_partial};
use super::{STARTS, Study};
use crate::format::{si, table};

/// All tables.
pub fn text(study: &Study) -> String {
    let mut sections = vec![format!(
        "The tromba marina under a steady bow of {} at 44.1 kHz; its string sounds at {:.2} Hz.\n",
        si(BOW_VELOCITY, "m/s"),
        first_partial()
    )];
    sections.extend(study.maps.iter().zip(STARTS).map(|(map, (_, start))| {
        format!(
            "Motion by bow force (rows) and place (columns: distance from the bridge over the sounding length),\n\
             started from {start}: H Helmholtz, s several slips or hardly any stick in a period, r raucous\n"
        ) + &cells(map)
            + &limits(map)
    }));
    sections.push(
        format!(
            "The bow on the string alone, against {OVERSAMPLING} times as many steps: lagged takes friction at the last \
             slip, plain\nexpects it from the last two, tracked solves for it, newton repeats until it settles\n"
        ) + &treatments(&study.treatments),
    );
    sections.push(
        format!(
            "The rattle with the published constants, bowed with {} for {}\n",
            si(adhesion::BOW_FORCE, "N"),
            si(adhesion::SECONDS, "s")
        ) + &adhesions(&study.adhesion),
    );
    sections.join("\n")
}

fn words(cells: &[&str]) -> Vec<String> {
    cells.iter().map(ToString::to_string).collect()
}

/// With its sign.
fn signed(text: &str) -> String {
    text.replace('-', "−")
}

fn cells(map: &Map) -> String {
    let head = map.columns.iter().map(|column| format!("{:.3}", column[0].stroke.beta));
    let mut rows = vec![std::iter::once(String::new()).chain(head).collect::<Vec<_>>()];
    for row in (0..map.columns[0].len()).rev() {
        let force = si(map.columns[0][row].stroke.force, "N");
        let letters = map.columns.iter().map(|column| match column[row].motion.regime() {
            Regime::Helmholtz => "H".to_string(),
            Regime::Slipping => "s".to_string(),
            Regime::Raucous => "r".to_string(),
        });
        rows.push(std::iter::once(force).chain(letters).collect());
    }
    table(&rows)
}

fn limits(map: &Map) -> String {
    let (all, joined) = map.regions();
    let mut said = format!("  {all} cells in Helmholtz motion, {joined} of them in one region\n");
    if let Some(upper) = map.upper() {
        let (slope, share) = (signed(&format!("{:.2}", upper.slope)), upper.constant / upper_constant());
        said += &format!("  upper limit: falls as β^{slope}; {share:.2} of Schelleng's 2Zv/β on average\n");
    }
    if let Some(lower) = map.lower() {
        let slope = signed(&format!("{:.2}", lower.slope));
        said += &format!("  lower limit: falls as β^{slope}; {} /β² on average\n", si(lower.constant, "N"));
    }
    said
}

fn treatments(outcomes: &[Outcome]) -> String {
    let mut rows =
        vec![words(&["force", "friction", "pitch", "off by", "wave off by", "roughness", "slips per period"])];
    for outcome in outcomes {
        rows.push(vec![
            si(outcome.force, "N"),
            outcome.way.into(),
            format!("{:.3} Hz", 1.0 / outcome.wave.period),
            signed(&format!("{:+.2} cents", outcome.cents)),
            format!("{:.2} %", 100.0 * outcome.error),
            format!("{:.2} %", 100.0 * outcome.wave.roughness),
            format!("{:.2}", outcome.motion.slips),
        ]);
    }
    table(&rows)
}

fn adhesions(adhesion: &[Adhesion]) -> String {
    let row = |adhesion: &Adhesion| {
        let share = if adhesion.share == 0.0 { "0".into() } else { format!("{:.3}", adhesion.share) };
        let residual = format!("{:.1e}", adhesion.residual);
        let mut cells = words(&[adhesion.joint, adhesion.scheme]);
        cells.extend([share, adhesion.hits.to_string(), residual]);
        cells
    };
    let head = words(&["string and bridge", "scheme", "adhesive share", "hits", "residual"]);
    table(&std::iter::once(head).chain(adhesion.iter().map(row)).collect::<Vec<_>>())
}
