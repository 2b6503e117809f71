//! Tables that extend the study, as text: operation counts of percuss's schemes, and resonating bodies.

use super::ImpactResults;
use super::operations::{CASES, OperationCount};
use super::tables::{aligned_table, header, number, section};
use crate::format::four_digits;

/// Operations per sample, by kind and in total.
pub fn operations(study: &ImpactResults) -> String {
    let counts = &study.operations;
    let methods: Vec<&str> = counts.iter().map(|count| count.method).collect();
    let row = |name: &str, cell: &dyn Fn(&OperationCount) -> String| {
        std::iter::once(name.to_string()).chain(counts.iter().map(cell)).collect::<Vec<_>>()
    };
    let per_sample = |count: &OperationCount, kind: u64| format!("{:.1}", kind as f64 / count.samples as f64);
    let mut rows = vec![
        header(&[""], &methods),
        row("+ and −", &|count| per_sample(count, count.kinds.sums)),
        row("×", &|count| per_sample(count, count.kinds.products)),
        row("÷", &|count| per_sample(count, count.kinds.quotients)),
        row("√", &|count| per_sample(count, count.kinds.roots)),
        row("powers, exp, log", &|count| per_sample(count, count.kinds.powers)),
        row("comparisons", &|count| per_sample(count, count.kinds.comparisons)),
    ];
    for (index, case) in CASES.iter().enumerate() {
        rows.push(row(&format!("in contact, {case}"), &|count| format!("{:.1}", count.contact[index])));
    }
    rows.push(row("in flight", &|count| count.flight.to_string()));
    rows.push(row("deviation", &|count| number(count.deviation)));
    let note = "  Counted by running the equations on a number type that counts operations; means over a contact, by kind for that of\n\
                \x20 Table I. deviation: the largest difference of the counted equations from percuss's own code, over x_max; it is\n\
                \x20 zero to rounding while both are the same equations.\n";
    section("Table IV, extended", "operations per sample", &aligned_table(&rows, 1)) + note
}

/// The exact-v_out constraint on resonating bodies.
pub fn resonators(study: &ImpactResults) -> String {
    let Some(first) = study.resonators.first() else { return String::new() };
    let methods: Vec<&str> = first.rows.iter().map(|row| row.method.as_str()).collect();
    let mut rows = vec![header(&["", "", "samples", ""], &methods)];
    for it in &study.resonators {
        let lead = [it.case.to_string(), it.body.to_string(), four_digits(it.samples), "velocity".into()];
        rows.push(lead.into_iter().chain(it.rows.iter().map(|row| number(row.velocity))).collect());
        let lead = ["", "", "", "energy"].map(String::from);
        rows.push(lead.into_iter().chain(it.rows.iter().map(|row| number(row.energy))).collect());
    }
    let note = "  velocity: error of the striker's velocity after the contact, in % of v_in. energy: error of the energy of the body, in %.\n\
                \x20 Both rms over 32 phases, relative to RK4 at 64 times the rate. _exact: an impulse at the release sets the relative\n\
                \x20 velocity to the exact v_out.\n";
    section("Resonating bodies", "the exact-v_out constraint, striker of 10 g", &aligned_table(&rows, 2)) + note
}
