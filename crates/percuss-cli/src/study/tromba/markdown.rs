//! Tables of `docs/tromba.md`.

use super::TrombaResults;
use super::adhesion::Adhesion;
use super::friction_schemes::FrictionResult;
use super::motion::Regime;
use super::schelleng::{LimitTrend, RegimeMap, schelleng_upper_constant};
use crate::format::si;
use crate::markdown::{bold, minus, row, section};

/// All tables.
pub fn markdown(study: &TrombaResults) -> String {
    let sections = [
        section("Friction", &friction(&study.friction_results)),
        section("Adhesion", &adhesion(&study.adhesion)),
        section("Regimes", &regimes(study)),
    ];
    sections.join("\n")
}

/// Two rows per force: error of the pitch, and of the mean period.
fn friction(results: &[FrictionResult]) -> Vec<Vec<String>> {
    let forces: Vec<&[FrictionResult]> = results.chunk_by(|a, b| a.force == b.force).collect();
    let mut rows = vec![row(&["bow force", ""], forces[0].iter().map(|result| result.method.into()))];
    for results in forces {
        let (reference, others) = results.split_first().expect("the reference comes first");
        let shown = |result: &FrictionResult, text: String| if result.method == "tracked" { bold(&text) } else { text };
        let cents = |result: &FrictionResult| shown(result, minus(&format!("{:+.2}", result.cents)) + " cents");
        let period = |result: &FrictionResult| shown(result, format!("{:.2} %", 100.0 * result.error));
        let pitch = format!("{:.3} Hz", 1.0 / reference.mean_period.period);
        rows.push(row(&[&format!("{} N", reference.force), "pitch", &pitch], others.iter().map(cents)));
        rows.push(row(&["", "period", ""], others.iter().map(period)));
        let variation = |result: &FrictionResult| format!("{:.2} %", 100.0 * result.mean_period.variation);
        rows.push(row(&["", "variation"], results.iter().map(variation)));
    }
    rows
}

fn adhesion(adhesion: &[Adhesion]) -> Vec<Vec<String>> {
    let mut rows = vec![row(&["string and bridge", "scheme", "adhesive share", "hits", "residual"], [])];
    rows.extend(adhesion.iter().map(|result| {
        let joint = match (result.joint, result.scheme) {
            (_, "tracked") => "",
            ("spring", _) => "spring (sec. 7)",
            _ => "two-sided potential (sec. 8)",
        };
        let share = if result.share == 0.0 { "0".into() } else { format!("{:.3}", result.share) };
        row(&[joint, result.scheme], [bold(&share), result.hits.to_string(), format!("{:.1e}", result.residual)])
    }));
    rows
}

/// Numbers of cells, and trends of the limits.
fn regimes(study: &TrombaResults) -> Vec<Vec<String>> {
    let maps: Vec<&RegimeMap> = study.maps.iter().collect();
    let line = |name: &str, shown: &dyn Fn(&RegimeMap) -> String| row(&[name], maps.iter().map(|map| shown(map)));
    let count = |map: &RegimeMap, regime| map.cells().filter(|cell| cell.motion.regime() == regime).count().to_string();
    let trend =
        |trend: Option<LimitTrend>, shown: &dyn Fn(LimitTrend) -> String| trend.map_or_else(|| "–".into(), shown);
    let slope = |trend: LimitTrend| minus(&format!("{:.2}", trend.slope));
    let mut rows = vec![row(&["initial state", "rest", "Helmholtz motion"], [])];
    rows.extend(Regime::ALL.map(|regime| line(&format!("cells: {}", regime.name()), &|map| count(map, regime))));
    rows.extend([
        line("largest connected region of Helmholtz motion", &|map| map.helmholtz_regions().1.to_string()),
        line("upper limit: exponent of β", &|map| trend(map.upper(), &slope)),
        line("upper limit over Schelleng's", &|map| {
            trend(map.upper(), &|upper| format!("{:.2}", upper.constant / schelleng_upper_constant()))
        }),
        line("lower limit: exponent of β", &|map| trend(map.lower(), &slope)),
        line("lower limit: mean of Fβ²", &|map| trend(map.lower(), &|lower| si(lower.constant, "N"))),
    ]);
    rows
}
