//! Tables of `docs/impact-study.md`.

use super::cases::{PHASES, REBOUNDS};
use super::csv::TableEntry;
use super::operations::OperationCount;
use super::published::{
    ACCUMULATED, COMPRESSION_DEVIATION, ENERGY_DEVIATION, EXIT_VELOCITY_ERROR, MAX_ENERGY_DEVIATION,
};
use super::rebounds::ReboundErrors;
use super::tables::{NOT_REPRODUCED, format_as_published, number, published_operations};
use super::{ContactTable, ImpactResults, PhaseErrors, ReboundTable, SampleCost};
use crate::format::four_digits;
use crate::markdown::{bold, minus, row, section};

/// Names of the columns for methods.
const METHOD_NAMES: [(&str, &str); 9] = [
    ("am1", "AM1"),
    ("verlet", "Verlet"),
    ("heun", "Heun"),
    ("rk4", "RK4"),
    ("hybrid_exact", "with exact v_out"),
    ("verlet_exact", "with v_out"),
    ("rk4_exact", "with v_out"),
    ("heun_exit_velocity", "Heun"),
    ("rk4_16x", "RK4"),
];
const CLASSICAL: [&str; 4] = ["am1", "verlet", "heun", "rk4"];
const SCHEMES: [&str; 3] = ["plain", "tracked", "newton"];

/// All tables.
pub fn markdown(study: &ImpactResults) -> String {
    let entries = study.entries();
    let contact = |title: &str, name: &str, table: &str, contacts: &ContactTable| {
        let lead = format!("{title}, {name}: {} samples", four_digits(contacts.samples));
        let quantities =
            [(COMPRESSION_DEVIATION, "dev(x)"), (EXIT_VELOCITY_ERROR, "err(v_out)"), (ENERGY_DEVIATION, "dev(H)")];
        section(title, &comparison(&entries, table, &lead, &CLASSICAL, &quantities))
    };
    let rebounds = |case: &str, table: &str| {
        let title = format!("Table III, {case}");
        let methods = ["am1", "verlet", "heun", "rk4", "corrected", "hybrid_exact"];
        let quantities = [(ACCUMULATED, "accumulated"), (MAX_ENERGY_DEVIATION, "max dev(H)")];
        section(&title, &comparison(&entries, table, &title, &methods, &quantities))
    };
    let sections = [
        contact("Table I", "non-critical", "table_1", &study.table_1),
        contact("Table II(a)", "case 1", "table_2a", &study.table_2a),
        contact("Table II(b)", "case 2", "table_2b", &study.table_2b),
        rebounds("case 1", "table_3a"),
        rebounds("case 2", "table_3b"),
        section("Details", &details(study)),
        section("Heun", &heun(study)),
        section("RK4 at 16 times the rate", &oversampled_rk4(&entries)),
        section("Contact phases", &phase_errors(study)),
        section("Schemes of percuss", &schemes(study, &entries)),
        section("External force", &external_force(study)),
        section("Resonating bodies", &resonators(study)),
        section("Table IV", &costs(study)),
        section("Operations", &operations(study)),
        section("Newton iterations of AM1", &newton_iterations(study)),
    ];
    sections.join("\n")
}

fn method_name(method: &str) -> String {
    METHOD_NAMES.iter().find(|(name, _)| *name == method).map_or(method, |(_, shown)| shown).into()
}

fn case_name(case: &str) -> String {
    match case {
        "table_1" => "non-critical (Table I)".into(),
        "hard" => "case 2 at 4 m/s".into(),
        _ => case.replace("case", "case "),
    }
}

fn cell(value: f64) -> String {
    minus(&number(value))
}

fn find<'a>(entries: &'a [TableEntry], table: &str, quantity: &str, method: &str) -> Option<&'a TableEntry> {
    entries.iter().find(|entry| entry.table == table && entry.quantity == quantity && entry.method == method)
}

/// Rows of printed and measured values.
fn comparison(
    entries: &[TableEntry],
    table: &str,
    lead: &str,
    methods: &[&str],
    quantities: &[(&str, &str)],
) -> Vec<Vec<String>> {
    let mut rows = vec![row(&[lead], methods.iter().map(|method| method_name(method)))];
    for (quantity, shown) in quantities {
        let paper = |method: &&str| {
            let value = find(entries, table, quantity, method).and_then(|entry| entry.paper);
            let bound = (table, *quantity, *method) == ("table_3a", ACCUMULATED, "corrected");
            value.map_or_else(String::new, |value| {
                if value == 0.0 {
                    "0".into()
                } else {
                    (if bound { "< " } else { "" }).to_string() + &minus(&format_as_published(value))
                }
            })
        };
        let ours = |method: &&str| {
            let text = find(entries, table, quantity, method).map_or_else(String::new, |entry| cell(entry.ours));
            if NOT_REPRODUCED.contains(&(table, quantity, method)) { bold(&text) } else { text }
        };
        rows.push(row(&[&format!("{shown}, paper")], methods.iter().map(paper)));
        rows.push(row(&[&format!("{shown}, ours")], methods.iter().map(ours)));
    }
    rows
}

/// Values that explain those of the paper.
fn details(study: &ImpactResults) -> Vec<Vec<String>> {
    let am1 = study
        .table_1
        .rows
        .iter()
        .find(|errors| errors.method == "am1")
        .map_or(f64::NAN, |am1| am1.clamped_compression_deviation);
    let rk4 = |table: &ReboundTable| {
        table.rows.iter().find(|errors| errors.method == "rk4").map_or(f64::NAN, |rk4| rk4.in_contact)
    };
    let line = |name: &str, value: f64| row(&[name], [cell(value)]);
    vec![
        row(&["", "value"], []),
        line("dev(x) of AM1 in Table I, compared with the end of the curve", am1),
        line("error of ṽ_out in case 1", study.table_2a.approximate_exit_error),
        line("error of ṽ_out in case 2", study.table_2b.approximate_exit_error),
        line("max dev(H) of RK4 in Table III in contact, case 1", rk4(&study.table_3a)),
        line("max dev(H) of RK4 in Table III in contact, case 2", rk4(&study.table_3b)),
    ]
}

/// Heun by the velocity at which a rebound starts.
fn heun(study: &ImpactResults) -> Vec<Vec<String>> {
    let printed = |table: &ReboundTable| {
        let errors = table.rows.iter().find(|row| row.method == "heun");
        errors.map_or_else(Vec::new, |errors| {
            [errors.accumulated.abs(), errors.largest_energy_deviation()].map(cell).into()
        })
    };
    let exit = |errors: &ReboundErrors| [errors.accumulated.abs(), errors.largest_energy_deviation()].map(cell);
    let header = ["accumulated, case 1", "max dev(H)", "accumulated, case 2", "max dev(H)"].map(String::from);
    let [a, b] = [&study.table_3a, &study.table_3b];
    vec![
        row(&["Heun, rebounds start with"], header),
        row(&["the predicted velocity, as in the paper"], [printed(a), printed(b)].concat()),
        row(&["the corrected velocity"], [exit(&a.heun_exit_velocity), exit(&b.heun_exit_velocity)].concat()),
    ]
}

fn oversampled_rk4(entries: &[TableEntry]) -> Vec<Vec<String>> {
    let mut rows = vec![row(&["RK4 at 16 × 44.1 kHz", "accumulated, paper", "ours", "max dev(H), paper", "ours"], [])];
    for (case, table) in [("case 1", "table_3a"), ("case 2", "table_3b")] {
        let pair = |quantity: &str| {
            find(entries, table, quantity, "rk4_16x").map_or_else(Vec::new, |entry| {
                vec![entry.paper.map_or_else(String::new, format_as_published), cell(entry.ours)]
            })
        };
        rows.push(row(&[case], [pair(ACCUMULATED), pair(MAX_ENERGY_DEVIATION)].concat()));
    }
    rows
}

fn phase_errors(study: &ImpactResults) -> Vec<Vec<String>> {
    let methods = study.phase_errors[0].rows.iter().map(|(method, _)| method_name(method));
    let mut rows = vec![row(&[&format!("rms over {PHASES} phases"), "samples"], methods)];
    rows.extend(study.phase_errors.iter().map(|PhaseErrors { case, samples, rows }| {
        let errors =
            rows.iter().map(|(method, error)| if *method == "tracked" { bold(&cell(*error)) } else { cell(*error) });
        row(&[&case_name(case), &four_digits(*samples)], errors)
    }));
    rows
}

/// Errors of percuss's schemes in the study's measures.
fn schemes(study: &ImpactResults, entries: &[TableEntry]) -> Vec<Vec<String>> {
    let mut rows = vec![row(&[""], SCHEMES.map(String::from))];
    let rebounds = format!("accumulated after {REBOUNDS} rebounds");
    let lines = [
        (COMPRESSION_DEVIATION, "dev(x)", "table_1", "non-critical"),
        (COMPRESSION_DEVIATION, "dev(x)", "table_2a", "case 1"),
        (COMPRESSION_DEVIATION, "dev(x)", "table_2b", "case 2"),
        (ENERGY_DEVIATION, "dev(H)", "table_2a", "case 1"),
        (ENERGY_DEVIATION, "dev(H)", "table_2b", "case 2"),
        (ACCUMULATED, &rebounds, "table_3a", "case 1"),
        (ACCUMULATED, &rebounds, "table_3b", "case 2"),
    ];
    for (quantity, shown, table, case) in lines {
        let value = |method: &str| find(entries, table, quantity, method).map_or_else(String::new, |e| cell(e.ours));
        rows.push(row(&[&format!("{shown}, {case}")], SCHEMES.map(value)));
    }
    for case in ["case1", "case2"] {
        let residuals = study.ledger_residuals.iter().filter(|residual| residual.case == case);
        let residuals = residuals.map(|residual| format!("{:.0e}", residual.residual));
        rows.push(row(&[&format!("residual of the ledger over the energy, {}", case_name(case))], residuals));
    }
    rows
}

fn external_force(study: &ImpactResults) -> Vec<Vec<String>> {
    let methods = study.external_force[0].rows.iter().map(|row| method_name(row.method));
    let mut rows = vec![row(&["", "push", "samples", "correction"], methods)];
    for result in &study.external_force {
        // In bold where the correction increases the error.
        let shown = |value: f64, errors: &super::external_force::ExternalForceErrors| {
            if errors.corrected.abs() > errors.plain.abs() { bold(&cell(value)) } else { cell(value) }
        };
        let lead = [result.case, &format!("{} N", result.push), &four_digits(result.samples), "without"];
        rows.push(row(&lead, result.rows.iter().map(|errors| shown(errors.plain, errors))));
        rows.push(row(&["", "", "", "with"], result.rows.iter().map(|errors| shown(errors.corrected, errors))));
    }
    rows
}

fn resonators(study: &ImpactResults) -> Vec<Vec<String>> {
    let methods = study.resonators[0].rows.iter().map(|row| method_name(&row.method));
    let mut rows = vec![row(&["", "body", "samples"], methods)];
    rows.extend(study.resonators.iter().map(|result| {
        let velocities = result.rows.iter().map(|errors| cell(errors.velocity));
        row(&[&case_name(result.case), result.body, &four_digits(result.samples)], velocities)
    }));
    rows
}

fn costs(study: &ImpactResults) -> Vec<Vec<String>> {
    let line = |name: &str, shown: &dyn Fn(&SampleCost) -> String| row(&[name], study.costs.iter().map(shown));
    vec![
        line("Table IV", &|cost| method_name(cost.method)),
        line("paper: operations", &|cost| published_operations(cost.method).unwrap_or_default().replace('+', " + ")),
        line("in contact [ns]", &|cost| format!("{:.1}", cost.contact)),
        line("in flight [ns]", &|cost| format!("{:.1}", cost.flight)),
    ]
}

fn operations(study: &ImpactResults) -> Vec<Vec<String>> {
    let line = |name: &str, shown: &dyn Fn(&OperationCount) -> String| row(&[name], study.operations.iter().map(shown));
    let mean = |count: &OperationCount, kind: u64| match kind {
        0 => "0".into(),
        _ => format!("{:.1}", kind as f64 / count.samples as f64),
    };
    let mut rows = vec![
        line("operations per sample", &|count| method_name(count.method)),
        line("+ and −", &|count| mean(count, count.kinds.sums)),
        line("×", &|count| mean(count, count.kinds.products)),
        line("÷", &|count| mean(count, count.kinds.quotients)),
        line("√", &|count| mean(count, count.kinds.roots)),
        line("powers, exp, log", &|count| mean(count, count.kinds.powers)),
        line("comparisons", &|count| mean(count, count.kinds.comparisons)),
    ];
    for (index, case) in super::operations::CASES.iter().enumerate() {
        let name = format!("in contact, {}", case_name(case));
        rows.push(line(&name, &|count| format!("{:.1}", count.contact[index])));
    }
    rows.push(line("in flight", &|count| count.flight.to_string()));
    rows.push(line("deviation from percuss, over x_max", &|count| cell(count.deviation)));
    rows
}

fn newton_iterations(study: &ImpactResults) -> Vec<Vec<String>> {
    let mut rows = vec![row(&["iterations n of AM1 per sample in contact", "mean", "largest"], [])];
    rows.extend(study.newton.iter().map(|iterations| {
        row(&[&case_name(iterations.case)], [four_digits(iterations.mean), iterations.max.to_string()])
    }));
    rows
}
