//! Tables as text, of what the study lacks: operations of our own methods, bodies that resonate.

use super::Study;
use super::operations::{CASES, Count};
use super::tables::{aligned, head, number, section};
use crate::format::four_digits;

/// How many operations a sample takes, by kind and in all.
pub fn operations(study: &Study) -> String {
    let counts = &study.operations;
    let methods: Vec<&str> = counts.iter().map(|count| count.method).collect();
    let row = |name: &str, cell: &dyn Fn(&Count) -> String| {
        std::iter::once(name.to_string()).chain(counts.iter().map(cell)).collect::<Vec<_>>()
    };
    let per_sample = |count: &Count, kind: u64| format!("{:.1}", kind as f64 / count.samples as f64);
    let mut rows = vec![
        head(&[""], &methods),
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
    rows.push(row("strays from percuss", &|count| number(count.stray)));
    let words = "  Counted by running the equations on numbers that count; means over a contact, by kind in that of Table I. The last\n\
                 \x20 row is how far the counted equations stray from percuss's own code, over x_max: nil but for rounding, or the count\n\
                 \x20 is of equations that percuss has left behind.\n";
    section("Table IV, our methods", "operations of a sample", &aligned(&rows, 1)) + words
}

/// The exact-v_out constraint on bodies that give way.
pub fn resonators(study: &Study) -> String {
    let Some(first) = study.resonators.first() else { return String::new() };
    let methods: Vec<&str> = first.rows.iter().map(|row| row.method.as_str()).collect();
    let mut rows = vec![head(&["", "", "samples", ""], &methods)];
    for it in &study.resonators {
        let lead = [it.case.to_string(), it.body.to_string(), four_digits(it.samples), "velocity".into()];
        rows.push(lead.into_iter().chain(it.rows.iter().map(|row| number(row.velocity))).collect());
        let lead = ["", "", "", "energy"].map(String::from);
        rows.push(lead.into_iter().chain(it.rows.iter().map(|row| number(row.energy))).collect());
    }
    let words = "  velocity: of the striker after the contact, in % of v_in. energy: what the body takes up, in %. Both rms over 32 phases,\n\
                 \x20 against RK4 at 64 times the rate. _exact: an impulse at the release brings the relative velocity to the exact v_out.\n";
    section("Bodies that give way", "the exact-v_out constraint, 10 g strike", &aligned(&rows, 2)) + words
}
