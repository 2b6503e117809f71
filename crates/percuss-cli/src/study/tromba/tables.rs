//! Results as text.

use super::adhesion::{self, Adhesion};
use super::friction_schemes::{FrictionResult, OVERSAMPLING};
use super::motion::Regime;
use super::schelleng::{RegimeMap, schelleng_upper_constant};
use super::stroke::{BOW_VELOCITY, first_partial};
use super::{INITIAL_STATES, TrombaResults};
use crate::format::{si, table};

/// All tables.
pub fn text(study: &TrombaResults) -> String {
    let mut sections = vec![format!(
        "The tromba marina under a bow with a constant velocity of {} at 44.1 kHz; the first partial of its string is {:.2} Hz.\n",
        si(BOW_VELOCITY, "m/s"),
        first_partial()
    )];
    sections.extend(study.maps.iter().zip(INITIAL_STATES).map(|(map, (_, start))| {
        format!(
            "Regimes by bow force (rows) and position (columns: distance from the bridge over the sounding length),\n\
             initial state {start}: H Helmholtz, s several slips or hardly any sticking, r raucous\n"
        ) + &cells(map)
            + &limits(map)
    }));
    sections.push(
        format!(
            "The bowed string alone, compared with a reference at {OVERSAMPLING} times the rate: lagged evaluates friction at \
             the last slip,\nplain extrapolates it from the last two, tracked solves for it, newton iterates to convergence\n"
        ) + &friction_results(&study.friction_results),
    );
    sections.push(
        format!(
            "Contact of bridge and body with the published constants, bowed with {} for {}\n",
            si(adhesion::BOW_FORCE, "N"),
            si(adhesion::SECONDS, "s")
        ) + &adhesions(&study.adhesion),
    );
    sections.join("\n")
}

fn header_cells(cells: &[&str]) -> Vec<String> {
    cells.iter().map(ToString::to_string).collect()
}

/// A number with a typographic minus.
fn signed(text: &str) -> String {
    text.replace('-', "−")
}

fn cells(map: &RegimeMap) -> String {
    let head = map.columns.iter().map(|column| format!("{:.3}", column[0].stroke.beta));
    let mut rows = vec![std::iter::once(String::new()).chain(head).collect::<Vec<_>>()];
    for row in (0..map.columns[0].len()).rev() {
        let force = si(map.columns[0][row].stroke.force, "N");
        let regimes = map.columns.iter().map(|column| match column[row].motion.regime() {
            Regime::Helmholtz => "H".to_string(),
            Regime::Slipping => "s".to_string(),
            Regime::Raucous => "r".to_string(),
        });
        rows.push(std::iter::once(force).chain(regimes).collect());
    }
    table(&rows)
}

fn limits(map: &RegimeMap) -> String {
    let (all, joined) = map.helmholtz_regions();
    let mut text = format!("  {all} cells in Helmholtz motion, {joined} of them in one region\n");
    if let Some(upper) = map.upper() {
        let (slope, share) = (signed(&format!("{:.2}", upper.slope)), upper.constant / schelleng_upper_constant());
        text += &format!("  upper limit: falls as β^{slope}; {share:.2} of Schelleng's 2Zv/β on average\n");
    }
    if let Some(lower) = map.lower() {
        let slope = signed(&format!("{:.2}", lower.slope));
        text += &format!("  lower limit: falls as β^{slope}; {} /β² on average\n", si(lower.constant, "N"));
    }
    text
}

fn friction_results(results: &[FrictionResult]) -> String {
    let mut rows = vec![header_cells(&[
        "force",
        "friction",
        "pitch",
        "pitch error",
        "period error",
        "variation",
        "slips per period",
    ])];
    for result in results {
        rows.push(vec![
            si(result.force, "N"),
            result.method.into(),
            format!("{:.3} Hz", 1.0 / result.mean_period.period),
            signed(&format!("{:+.2} cents", result.cents)),
            format!("{:.2} %", 100.0 * result.error),
            format!("{:.2} %", 100.0 * result.mean_period.variation),
            format!("{:.2}", result.motion.slips_per_period),
        ]);
    }
    table(&rows)
}

fn adhesions(adhesion: &[Adhesion]) -> String {
    let row = |adhesion: &Adhesion| {
        let share = if adhesion.share == 0.0 { "0".into() } else { format!("{:.3}", adhesion.share) };
        let residual = format!("{:.1e}", adhesion.residual);
        let mut cells = header_cells(&[adhesion.joint, adhesion.scheme]);
        cells.extend([share, adhesion.hits.to_string(), residual]);
        cells
    };
    let head = header_cells(&["string and bridge", "scheme", "adhesive share", "hits", "residual"]);
    table(&std::iter::once(head).chain(adhesion.iter().map(row)).collect::<Vec<_>>())
}
