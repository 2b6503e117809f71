//! Tables of `docs/plates.md`.

use super::PlateResults;
use super::driven::Snapshot;
use super::partial_shifts::PartialShift;
use super::report::signed;
use crate::format::si;
use crate::markdown::{minus, row, section};
use crate::modes::pitch::cents;

/// Cases of squares and of the rectangular membrane: name, edges, reference, intervals.
const RECTANGULAR_CASES: [(&str, [&str; 3]); 9] = [
    ("simply-supported-36-grid", ["simply supported", "closed form of the grid", "36"]),
    ("simply-supported-36-continuous", ["simply supported", "closed form of the continuous plate", "36"]),
    ("clamped-36", ["clamped", "Leissa (1973)", "36"]),
    ("free-18", ["free", "literature", "18"]),
    ("free-36", ["free", "literature", "36"]),
    ("free-72", ["free", "literature", "72"]),
    ("free-full-cell-18", ["free-full-cell", "literature", "18"]),
    ("membrane-40x30-grid", ["membrane 4 : 3", "closed form of the grid", "40 × 30"]),
    ("membrane-40x30-continuous", ["membrane 4 : 3", "closed form of the continuous membrane", "40 × 30"]),
];
/// Discs, without the number of intervals.
const DISCS: [(&str, &str); 3] =
    [("disc-free", "free plate"), ("disc-clamped", "clamped plate"), ("membrane-disc", "membrane, fixed rim")];
/// Plates clamped outside a circle: name, stiffness, intervals in the diameter.
const CIRCLES: [(&str, [&str; 2]); 4] = [
    ("circle-20", ["1e16 N/m³", "20"]),
    ("circle-40", ["1e16 N/m³", "40"]),
    ("circle-100", ["1e16 N/m³", "100"]),
    ("circle-paper-100", ["1e13 N/m³, as in the paper", "100"]),
];
/// Error below which a mode agrees with the closed form of its grid \[%\].
const ROUNDING: f64 = 1e-7;

/// All tables.
pub fn markdown(study: &PlateResults) -> String {
    let sections = [
        section("Edges", &edges(study)),
        section("Discs", &discs(study)),
        section("Driven plates", &driven(study)),
        section("Clamped outside a circle", &circles(study)),
        section("Hand", &shifts(["before", "under the hand"], &study.hand)),
        section("Gong", &shifts(["deep", "shallow"], &study.gong)),
        section("Hand, edges of the paper", &shifts(["before", "under the hand"], &study.paper.hand)),
        section("Gong, edges of the paper", &shifts(["deep", "shallow"], &study.paper.gong)),
    ];
    sections.join("\n")
}

/// Errors of all modes of a case.
fn errors(study: &PlateResults, case: &str) -> String {
    let errors: Vec<f64> = study.rows(case).map(super::ModeComparison::error).collect();
    if errors.iter().all(|error| error.abs() < ROUNDING) {
        return format!("below {ROUNDING:e}");
    }
    errors.into_iter().map(signed).collect::<Vec<_>>().join(", ")
}

fn first_reference(study: &PlateResults, case: &str) -> f64 {
    study.rows(case).next().map_or(f64::NAN, |mode| mode.reference)
}

fn edges(study: &PlateResults) -> Vec<Vec<String>> {
    let mut rows = vec![row(&["edges", "compared with", "intervals", "λ₁", "errors of modes 1 to 6"], [])];
    rows.extend(
        RECTANGULAR_CASES
            .map(|(case, lead)| row(&lead, [format!("{:.3}", first_reference(study, case)), errors(study, case)])),
    );
    rows
}

fn discs(study: &PlateResults) -> Vec<Vec<String>> {
    let header = ["disc", "literature, mode 1", "18 intervals in the diameter, modes 1 to 6", "36 intervals"];
    let mut rows = vec![row(&header, [])];
    rows.extend(DISCS.map(|(case, name)| {
        let [coarse, fine] = [18, 36].map(|intervals| format!("{case}-{intervals}"));
        let literature = format!("{:.3}", first_reference(study, &fine));
        row(&[name], [literature, errors(study, &coarse), errors(study, &fine)])
    }));
    rows
}

fn circles(study: &PlateResults) -> Vec<Vec<String>> {
    let header =
        ["stiffness", "intervals in the diameter", "(0,1) 10.216", "(1,1) 21.26", "(2,1) 34.88", "(0,2) 39.771"];
    let mut rows = vec![row(&header, [])];
    rows.extend(CIRCLES.map(|(case, lead)| {
        let errors: Vec<String> = study.rows(case).map(|mode| signed(mode.error())).collect();
        let pairs = [&errors[..1], &errors[1..3], &errors[3..5], &errors[5..]];
        row(&lead, pairs.map(|pair| pair.join(", ")))
    }));
    rows
}

fn driven(study: &PlateResults) -> Vec<Vec<String>> {
    let header = [
        "plate",
        "drive frequency",
        "time",
        "largest displacement",
        "share of the motion in the modes of the resonance",
    ];
    let mut rows = vec![row(&header, [])];
    let mut before = "";
    rows.extend(study.driven.iter().map(|snapshot: &Snapshot| {
        let name = match snapshot.preset {
            "clamped-corner" => "corner, its third resonance",
            _ => "circle, its second",
        };
        let frequency = format!("{:.1} Hz", snapshot.frequency);
        let lead = if name == before { ["", ""] } else { [name, &frequency] };
        before = name;
        let share = format!("{:.1} %", 100.0 * snapshot.overlap);
        let time = format!("{:.1} ms", 1e3 * snapshot.time);
        row(&lead, [time, si(snapshot.max_displacement, "m"), share])
    }));
    rows
}

fn shifts([before, after]: [&str; 2], shifts: &[PartialShift]) -> Vec<Vec<String>> {
    let with_decay = shifts.iter().any(|shift| shift.decay.is_some());
    let decay = [format!("decay {before}"), format!("decay {after}")];
    let mut rows = vec![row(&[before, after, "shift"], decay.into_iter().filter(|_| with_decay))];
    rows.extend(shifts.iter().map(|shift| {
        let cells = [
            format!("{:.1} Hz", shift.before),
            format!("{:.1} Hz", shift.after),
            minus(&format!("{:+.0} cents", cents(shift.before, shift.after))),
        ];
        let decay = shift.decay.iter().flatten().map(|rate| format!("{rate:.1} /s"));
        cells.into_iter().chain(decay).collect()
    }));
    rows
}
