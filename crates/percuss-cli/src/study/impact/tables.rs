//! Tables as text: the printed values of the study, and the measured ones below them.

use super::ImpactResults;
use super::cases::{OVERSAMPLING, PHASES, REBOUNDS, parameter_text, simulators};
use super::csv::TableEntry;
use super::extension_tables;
use super::published::{
    ACCUMULATED, COMPRESSION_DEVIATION, ENERGY_DEVIATION, EXIT_VELOCITY_ERROR, MAX_ENERGY_DEVIATION, OPERATIONS,
    OVERSAMPLED_RK4,
};
use crate::format::four_digits;

/// Values of Table I that are not reproduced; an inaccurate reference v_out would explain them.
pub(super) const NOT_REPRODUCED: [(&str, &str, &str); 3] = [
    ("table_1", EXIT_VELOCITY_ERROR, "verlet"),
    ("table_1", EXIT_VELOCITY_ERROR, "rk4"),
    ("table_1", ENERGY_DEVIATION, "rk4"),
];
/// Values with a footnote about their origin.
const FOOTNOTES: [(&str, &str, &str, char); 5] = [
    ("table_1", COMPRESSION_DEVIATION, "am1", '2'),
    ("table_3a", ACCUMULATED, "heun", '3'),
    ("table_3a", MAX_ENERGY_DEVIATION, "heun", '3'),
    ("table_3b", ACCUMULATED, "heun", '3'),
    ("table_3b", MAX_ENERGY_DEVIATION, "heun", '3'),
];

/// All tables.
pub fn text(study: &ImpactResults) -> String {
    let entries = study.entries();
    let table = |name: &str, quantities: &[(&'static str, &str)]| comparison(&entries, name, quantities);
    let contact =
        [(COMPRESSION_DEVIATION, "dev(x)"), (EXIT_VELOCITY_ERROR, "err(v_out)"), (ENERGY_DEVIATION, "dev(H)")];
    let sequence = [(ACCUMULATED, "accumulated"), (MAX_ENERGY_DEVIATION, "max dev(H)")];
    let samples = |contacts: &super::ContactTable| {
        format!("{}, {:.1} samples", parameter_text(&contacts.impact), contacts.samples)
    };
    let sections = [
        "The impact study of Papetti, Avanzini and Rocchesso (2010), repeated. A mass of 10 g, 44.1 kHz; all errors in %.\n\
         plain, tracked, newton are percuss's schemes; corrected is Verlet with x(v) and ṽ_out, hybrid_exact with the exact v_out.\n\
         v_out and ΔH_τ are relative to ṽ_out for the study's methods in Table II, and to the exact v_out everywhere else.\n"
            .to_string(),
        section("Table I: non-critical", &samples(&study.table_1), &table("table_1", &contact)),
        section("Table II(a): small loss, case 1", &samples(&study.table_2a), &table("table_2a", &contact)),
        approximate_exit_line(study.table_2a.approximate_exit_error, super::published::APPROXIMATE_VELOCITY[0]),
        section("Table II(b): a hard impact, case 2", &samples(&study.table_2b), &table("table_2b", &contact)),
        approximate_exit_line(study.table_2b.approximate_exit_error, super::published::APPROXIMATE_VELOCITY[1]),
        section(&format!("Table III(a): {REBOUNDS} rebounds, case 1"), "magnitudes", &table("table_3a", &sequence)),
        section(&format!("Table III(b): {REBOUNDS} rebounds, case 2"), "magnitudes", &table("table_3b", &sequence)),
        oversampled_rk4(study),
        footnotes(study),
        ledger_residuals(study),
        costs(study),
        extension_tables::operations(study),
        phase_errors(study),
        external_force(study),
        extension_tables::resonators(study),
    ];
    sections.join("\n")
}

pub(super) fn section(title: &str, about: &str, body: &str) -> String {
    format!("{title}  ({about})\n{body}")
}

/// Rows of printed and measured values, one column per method.
fn comparison(entries: &[TableEntry], table: &str, quantities: &[(&'static str, &str)]) -> String {
    let methods: Vec<&str> = simulators().iter().map(|simulator| simulator.name()).collect();
    let mut rows = vec![header(&["", ""], &methods)];
    for (quantity, shown) in quantities {
        let find =
            |method: &str| entries.iter().find(|e| e.table == table && e.quantity == *quantity && e.method == method);
        let mut paper = vec![(*shown).to_string(), "paper".into()];
        let mut ours = vec![String::new(), "ours".into()];
        for method in &methods {
            let entry = find(method);
            let key = (table, *quantity, *method);
            paper.push(entry.and_then(|e| e.paper).map_or("–".into(), |value| published(value, key)));
            ours.push(entry.map_or("–".into(), |e| number(e.ours)) + footnote_mark(key).as_str());
        }
        rows.extend([paper, ours]);
    }
    aligned_table(&rows, 2)
}

/// A printed value; "< 1e-7" is a bound.
fn published(value: f64, (table, quantity, method): (&str, &str, &str)) -> String {
    let bound = (table, quantity, method) == ("table_3a", ACCUMULATED, "corrected");
    format!("{}{}", if bound { "<" } else { "" }, format_as_published(value))
}

fn footnote_mark((table, quantity, method): (&str, &str, &str)) -> String {
    if NOT_REPRODUCED.contains(&(table, quantity, method)) {
        return " ¹".into();
    }
    match FOOTNOTES.iter().find(|e| (e.0, e.1, e.2) == (table, quantity, method)) {
        Some((.., '2')) => " ²".into(),
        Some(_) => " ³".into(),
        None => String::new(),
    }
}

fn approximate_exit_line(ours: f64, paper: f64) -> String {
    format!("  error of ṽ_out: paper {}, ours {}\n", format_as_published(paper), number(ours))
}

/// Errors of the reference of sec. IV-B.
fn oversampled_rk4(study: &ImpactResults) -> String {
    let text = |case: &str, rebounds: &super::ReboundTable, paper: [f64; 2]| {
        let [accumulated, max] = paper.map(format_as_published);
        let (ours, contact) = (&rebounds.oversampled_rk4, number(rebounds.oversampled_rk4.in_contact));
        format!(
            "{case} accumulated: paper {accumulated}, ours {}; max dev(H): paper {max}, ours {} ({contact} in contact)",
            number(ours.accumulated.abs()),
            number(ours.largest_energy_deviation())
        )
    };
    format!(
        "  RK4 at {OVERSAMPLING} times the rate, the study's reference (sec. IV-B):\n    {}\n    {}\n",
        text("case 1", &study.table_3a, OVERSAMPLED_RK4[0]),
        text("case 2", &study.table_3b, OVERSAMPLED_RK4[1]),
    )
}

fn footnotes(study: &ImpactResults) -> String {
    let am1 =
        study.table_1.rows.iter().find(|row| row.method == "am1").map_or(0.0, |row| row.clamped_compression_deviation);
    let with_exit_velocity = |rebounds: &super::ReboundTable| {
        format!(
            "{} and {}",
            number(rebounds.heun_exit_velocity.accumulated),
            number(rebounds.heun_exit_velocity.largest_energy_deviation())
        )
    };
    format!(
        "  ¹ Not reproduced. A reference v_out with an error of 2e-6 %, from an early stop of the root search, would explain them.\n\
         \x20 ² AM1 passes v_out before it leaves the wall, where x(v) of eq. 3 is complex; the printed value is the modulus\n\
         \x20   of the difference. Compared with the end of the curve instead: {}.\n\
         \x20 ³ All four printed values are reproduced if every rebound starts with Heun's predicted velocity. With the exit\n\
         \x20   velocity they are {} (a), {} (b).\n\
         \x20 max dev(H) includes the release, |H_sim − H_τ|/|ΔH_τ|, except for corrected and hybrid_exact.\n\
         \x20 Table II truncates instead of rounding: 0.0398 is printed as 0.039.\n",
        number(am1),
        with_exit_velocity(&study.table_3a),
        with_exit_velocity(&study.table_3b),
    )
}

fn ledger_residuals(study: &ImpactResults) -> String {
    let cell = |ledger_residual: &super::LedgerResidual| {
        format!("{} {} {:.0e}", ledger_residual.case, ledger_residual.scheme, ledger_residual.residual)
    };
    let all: Vec<String> = study.ledger_residuals.iter().map(cell).collect();
    format!(
        "  dev(H) is large for percuss's schemes because H(x, v) at a sample is not the discrete energy that they conserve. The\n\
         \x20 largest residual of the ledger over that energy is: {}.\n",
        all.join(", ")
    )
}

/// Operations per sample in the paper's Table IV.
pub(super) fn published_operations(method: &str) -> Option<String> {
    let find = |name: &str| OPERATIONS.iter().find(|row| row.0 == name).map_or(0, |row| row.1);
    match method {
        "am1" => Some(format!("{}+{}n", find("am1_per_sample"), find("am1_per_newton_iteration"))),
        "corrected" => Some(format!("{}+{}", find("verlet"), find("hybrid_correction"))),
        "verlet" | "heun" | "rk4" => Some(find(method).to_string()),
        _ => None,
    }
}

fn costs(study: &ImpactResults) -> String {
    let methods: Vec<&str> = study.costs.iter().map(|cost| cost.method).collect();
    let row = |name: &str, cell: &dyn Fn(&super::SampleCost) -> String| {
        std::iter::once(name.to_string()).chain(study.costs.iter().map(cell)).collect::<Vec<_>>()
    };
    let rows = [
        header(&[""], &methods),
        row("paper: operations", &|cost| published_operations(cost.method).unwrap_or_else(|| "–".into())),
        row("ours: ns in contact", &|cost| format!("{:.1}", cost.contact)),
        row("ours: ns in flight", &|cost| format!("{:.1}", cost.flight)),
    ];
    let efforts: Vec<String> = study
        .newton
        .iter()
        .map(|iterations| format!("{}: mean {}, max {}", iterations.case, four_digits(iterations.mean), iterations.max))
        .collect();
    let once =
        "  Operations once per contact, in the paper: 18 for ṽ_out, or 9 per iteration for v_out as a root of eq. 6.\n";
    let newton = format!("  Newton iterations n of AM1 per sample in contact: {}.\n", efforts.join("; "));
    section("Table IV: time per sample", "this machine, one benchmark run", &aligned_table(&rows, 1)) + once + &newton
}

fn phase_errors(study: &ImpactResults) -> String {
    let methods: Vec<&str> = simulators().iter().map(|simulator| simulator.name()).collect();
    let mut rows = vec![header(&["", "samples"], &methods)];
    for phase_errors in &study.phase_errors {
        let cells = phase_errors.rows.iter().map(|(_, error)| number(*error));
        rows.push(
            [phase_errors.case.to_string(), four_digits(phase_errors.samples)].into_iter().chain(cells).collect(),
        );
    }
    let title = "Any contact phase: rms error of v_out";
    section(title, &format!("{PHASES} phases; hard is case 2 at 4 m/s"), &aligned_table(&rows, 1))
}

fn external_force(study: &ImpactResults) -> String {
    let methods: Vec<&str> = study.external_force[0].rows.iter().map(|row| row.method).collect();
    let mut rows = vec![header(&["", "push [N]", "samples", ""], &methods)];
    let (mut better, mut all) = (0, 0);
    for external_force in &study.external_force {
        let lead = [
            external_force.case.to_string(),
            external_force.push.to_string(),
            four_digits(external_force.samples),
            "without".into(),
        ];
        rows.push(lead.into_iter().chain(external_force.rows.iter().map(|row| number(row.plain))).collect());
        let lead = ["", "", "", "with"].map(String::from);
        rows.push(lead.into_iter().chain(external_force.rows.iter().map(|row| number(row.corrected))).collect());
        all += external_force.rows.len();
        better += external_force.rows.iter().filter(|row| row.corrected.abs() < row.plain.abs()).count();
    }
    let text = format!(
        "  The correction reduces the error in {better} of {all}: wherever the contact lasts more than 15 samples, and for RK4 always.\n\
         \x20 In shorter contacts the loss is summed over too few samples, and the correction may increase the error.\n"
    );
    let about = "err(v_out) without and with the energy correction, relative to an adaptive reference";
    section("With an external force", about, &aligned_table(&rows, 1)) + &text
}

pub(super) fn header(lead: &[&str], methods: &[&str]) -> Vec<String> {
    lead.iter().chain(methods).map(|cell| (*cell).to_string()).collect()
}

/// Format of the study: three decimals, or one digit and an exponent.
pub(super) fn format_as_published(value: f64) -> String {
    if value != 0.0 && value.abs() < 1e-3 { format!("{value:e}") } else { format!("{value:.3}") }
}

/// Three or four decimals, or two digits and an exponent for small and large values.
pub(super) fn number(value: f64) -> String {
    match value.abs() {
        0.0 => "0".into(),
        small if small < 1e-3 => format!("{value:.1e}"),
        small if small < 1.0 => format!("{value:.4}"),
        large if large >= 1e6 => format!("{value:.1e}"),
        _ => format!("{value:.3}"),
    }
}

/// A table with aligned columns: the first `left` to the left, numbers to the right.
pub(super) fn aligned_table(rows: &[Vec<String>], left: usize) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    // A footnote mark stands beside its number and does not widen the column.
    let length = |cell: &str| cell.chars().count();
    let body = |cell: &str| length(cell.split(' ').next().filter(|_| cell.contains(['¹', '²', '³'])).unwrap_or(cell));
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| body(cell)).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            let pad = " ".repeat(width - body(cell));
            // Two spaces, the first of which a mark replaces.
            let (shown, mark) = cell.split_once(' ').filter(|_| body(cell) < length(cell)).unwrap_or((cell, " "));
            if column < left { format!("{shown}{pad}{mark} ") } else { format!("{pad}{shown}{mark} ") }
        });
        format!("  {}", cells.collect::<String>()).trim_end().to_string() + "\n"
    };
    rows.iter().map(line).collect()
}
