//! Results as text, JSON and CSV.

use super::PlateResults;
use super::cases::ModeComparison;
use super::driven::Snapshot;
use super::partial_shifts::PartialShift;
use crate::format::{si, table};
use crate::modes::pitch::cents;
use serde_json::{Map, Value, json};

/// Cases of the mode table and their headings.
const CASES: [(&str, &str); 19] = [
    ("simply-supported-36-grid", "simply supported, 36 intervals, closed form of the grid"),
    ("simply-supported-36-continuous", "the same, closed form of the continuous plate"),
    ("clamped-36", "clamped, 36 intervals, literature"),
    ("free-18", "free, 18 intervals"),
    ("free-36", "free, 36 intervals"),
    ("free-72", "free, 72 intervals"),
    ("free-full-cell-18", "free as in the paper, 18 intervals"),
    ("circle-20", "disc clamped by touch, 20 intervals in the diameter"),
    ("circle-40", "the same, 40 intervals"),
    ("circle-100", "the same, 100 intervals"),
    ("circle-paper-100", "the same, clamp with the stiffness of the paper"),
    ("disc-clamped-18", "disc with a clamped rim, 18 intervals in the diameter"),
    ("disc-clamped-36", "the same, 36 intervals"),
    ("disc-free-18", "disc with a free rim, 18 intervals in the diameter"),
    ("disc-free-36", "the same, 36 intervals"),
    ("membrane-40x30-grid", "membrane 4 : 3, closed form of the grid"),
    ("membrane-40x30-continuous", "the same, closed form of the continuous membrane"),
    ("membrane-disc-18", "circular membrane, 18 intervals in the diameter"),
    ("membrane-disc-36", "the same, 36 intervals"),
];

/// All tables.
pub fn text(study: &PlateResults) -> String {
    let sections = [
        "The plate paper of van Walstijn, Bhanuprakash and Stapleton (2021), repeated.\n".to_string(),
        "Modes: λ = ωL²√(ρH/D) with ν = 0.3, of discs with their radius as L, of the membrane ωL/c; errors in %\n"
            .to_string()
            + &modes(study),
        "Energy of the presets with plates\n".to_string() + &energy(study),
        "A hand on the plate: partials before, and 0.1 s after it touches\n".to_string() + &shifts(&study.hand),
        "A gong in water with a level of 30 % of the diagonal (before) and of 2 % (after)\n".to_string()
            + &shifts(&study.gong),
        "The same two with the paper's edges\n".to_string() + &shifts(&study.paper.hand) + &shifts(&study.paper.gong),
        "Figure 3: plates driven at a resonance; share of the motion in its modes\n".to_string() + &driven(study),
    ];
    sections.join("\n")
}

/// Two decimals with a sign; 0 below rounding.
pub(super) fn signed(value: f64) -> String {
    if value.abs() < 0.005 { "0".into() } else { format!("{value:+.2}").replace('-', "−") }
}

fn modes(study: &PlateResults) -> String {
    let mut rows = Vec::new();
    for (case, about) in CASES {
        let mut cells = |name: &str, cell: &dyn Fn(&ModeComparison) -> String| {
            rows.push(std::iter::once(format!("  {name}")).chain(study.rows(case).map(cell)).collect::<Vec<_>>());
        };
        cells("reference", &|row| format!("{:>8.3}", row.reference));
        cells("grid", &|row| format!("{:>8.3}", row.value));
        cells("error [%]", &|row| format!("{:>8}", signed(row.error())));
        let at = rows.len() - 3;
        rows.insert(at, vec![about.to_string()]);
    }
    table_with_headings(&rows)
}

/// A table in which rows with a single cell are headings, which do not widen its columns.
fn table_with_headings(rows: &[Vec<String>]) -> String {
    let (full, heads): (Vec<_>, Vec<_>) = rows.iter().cloned().partition(|row| row.len() > 1);
    let (body, mut heads) = (table(&full), heads.into_iter());
    let mut lines = body.lines();
    let line = |row: &Vec<String>| {
        if row.len() > 1 {
            lines.next().map(String::from)
        } else {
            heads.next().map(|header| format!("  {}", header[0]))
        }
    };
    rows.iter().filter_map(line).map(|line| line + "\n").collect()
}

fn energy(study: &PlateResults) -> String {
    let header =
        ["preset", "time", "supplied", "dissipated", "work of touches", "largest residual"].map(String::from).to_vec();
    let row = |run: &super::PresetRun| {
        let [supplied, dissipated, work] = [run.supplied, run.dissipated, run.touch_work].map(|energy| si(energy, "J"));
        vec![run.preset.to_string(), si(run.seconds, "s"), supplied, dissipated, work, format!("{:.1e}", run.residual)]
    };
    table(&std::iter::once(header).chain(study.runs.iter().map(row)).collect::<Vec<_>>())
}

fn shifts(shifts: &[PartialShift]) -> String {
    let mut header = vec!["before", "after", "shift"];
    if shifts.iter().any(|shift| shift.decay.is_some()) {
        header.extend(["decay before", "decay after"]);
    }
    let row = |shift: &PartialShift| {
        let mut row = vec![
            format!("{:>8.1} Hz", shift.before),
            format!("{:>8.1} Hz", shift.after),
            format!("{:>+5.0} ct", cents(shift.before, shift.after)).replace('-', "−"),
        ];
        row.extend(shift.decay.iter().flatten().map(|rate| format!("{rate:>6.2} /s")));
        row
    };
    let header = header.into_iter().map(String::from).collect();
    table(&std::iter::once(header).chain(shifts.iter().map(row)).collect::<Vec<_>>())
}

fn driven(study: &PlateResults) -> String {
    let header = ["plate", "driven at", "after", "largest displacement", "share"].map(String::from).to_vec();
    let row = |it: &Snapshot| {
        let (share, frequency) = (format!("{:.1} %", 100.0 * it.overlap), format!("{:.1} Hz", it.frequency));
        vec![it.preset.to_string(), frequency, si(it.time, "s"), si(it.max_displacement, "m"), share]
    };
    table(&std::iter::once(header).chain(study.driven.iter().map(row)).collect::<Vec<_>>())
}

fn snapshot(it: &Snapshot) -> Value {
    json!({
        "preset": it.preset, "frequency_hz": it.frequency, "time_s": it.time,
        "largest_displacement_m": it.max_displacement, "share_in_resonance": it.overlap,
    })
}

/// All results.
pub fn as_json(study: &PlateResults) -> Value {
    let mode = |row: &ModeComparison| {
        json!({
            "case": row.case, "boundary": row.boundary, "mode": row.mode,
            "value": row.value, "reference": row.reference, "error_pct": row.error(),
        })
    };
    let account = |run: &super::PresetRun| {
        let value = json!({
            "max_residual_relative": run.residual, "seconds": run.seconds, "supplied_j": run.supplied,
            "dissipated_j": run.dissipated, "touch_work_j": run.touch_work,
        });
        (run.preset.to_string(), value)
    };
    let partial = |shift: &PartialShift| {
        let mut value = json!({
            "before_hz": shift.before, "after_hz": shift.after, "shift_cents": cents(shift.before, shift.after),
        });
        if let Some([before, after]) = shift.decay {
            value["decay_before_per_s"] = json!(before);
            value["decay_after_per_s"] = json!(after);
        }
        value
    };
    let list = |shifts: &[PartialShift]| shifts.iter().map(partial).collect::<Vec<_>>();
    json!({
        "modes": study.modes.iter().map(mode).collect::<Vec<_>>(),
        "energy": study.runs.iter().map(account).collect::<Map<_, _>>(),
        "partial_shift": {
            "hand": list(&study.hand), "gong": list(&study.gong),
            "hand_paper_edges": list(&study.paper.hand), "gong_paper_edges": list(&study.paper.gong),
        },
        "driven": study.driven.iter().map(snapshot).collect::<Vec<_>>(),
    })
}

/// The modes as CSV.
pub fn modes_csv(study: &PlateResults) -> String {
    let line = |row: &ModeComparison| {
        format!("{},{},{},{},{},{}\n", row.case, row.boundary, row.mode, row.value, row.reference, row.error())
    };
    String::from("case,boundary,mode,value,reference,error_pct\n") + &study.modes.iter().map(line).collect::<String>()
}

/// The energies as CSV.
pub fn energy_csv(study: &PlateResults) -> String {
    let line = |run: &super::PresetRun| {
        let energies = [run.supplied, run.dissipated, run.touch_work, run.residual].map(|energy| format!("{energy:e}"));
        format!("{},{},{}\n", run.preset, run.seconds, energies.join(","))
    };
    String::from("preset,seconds,supplied_j,dissipated_j,touch_work_j,max_residual_relative\n")
        + &study.runs.iter().map(line).collect::<String>()
}

/// The partials as CSV.
pub fn partials_csv(study: &PlateResults) -> String {
    let mut text = String::from("case,before_hz,after_hz,shift_cents,decay_before_per_s,decay_after_per_s\n");
    let paper = &study.paper;
    let cases = [
        ("hand", &study.hand),
        ("gong", &study.gong),
        ("hand_paper_edges", &paper.hand),
        ("gong_paper_edges", &paper.gong),
    ];
    for (case, shifts) in cases {
        for shift in shifts {
            let [before, after] = shift.decay.map_or_else(Default::default, |rates| rates.map(|rate| rate.to_string()));
            let shift_cents = cents(shift.before, shift.after);
            text.push_str(&format!("{case},{},{},{shift_cents},{before},{after}\n", shift.before, shift.after));
        }
    }
    text
}
