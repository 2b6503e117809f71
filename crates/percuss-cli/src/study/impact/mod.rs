//! The impact study of Papetti, Avanzini and Rocchesso (2010), repeated: Tables I to IV, Figures 1 to 12, and what the
//! study left open.

mod cases;
mod contacts;
mod cost;
mod engine;
pub mod figures;
mod forced;
mod integration;
mod json;
mod operations;
pub mod own;
mod printed;
mod resonators;
mod sections;
mod sequences;
mod sheet;
mod tables;

pub use json::json;
pub use sheet::sheet;
pub use tables::text;

use super::progress::Progress;
use crate::study::impact::integration::measures::random_phase;
use cases::{PHASES, RATE, case_1, case_2, hard, simulators, soft};
use contacts::{Contacts, Reference};
use cost::{Cost, Effort};
use engine::Closure;
use forced::Forced;
use operations::Count;
use resonators::Resonator;
use sequences::Sequences;

/// Everything that was measured.
pub struct Study {
    table_1: Contacts,
    table_2a: Contacts,
    table_2b: Contacts,
    table_3a: Sequences,
    table_3b: Sequences,
    costs: Vec<Cost>,
    newton: Vec<Effort>,
    phases: Vec<Phases>,
    forced: Vec<Forced>,
    closures: Vec<Closure>,
    operations: Vec<Count>,
    resonators: Vec<Resonator>,
}

/// The error of v_out where a contact may start at any phase of a sample.
struct Phases {
    /// `case1`, `case2`, `hard`.
    case: &'static str,
    /// Contact time \[samples\].
    samples: f64,
    /// Method and root mean square error \[%\].
    rows: Vec<(&'static str, f64)>,
}

/// Measures everything; `quick` shortens the benchmark.
pub fn measure(quick: bool) -> Study {
    let progress = Progress::new(8 + cost::METHODS.len());
    let (table_1, table_2a, table_2b) = progress.during("one contact", || {
        let table = |impact, reference| contacts::measure(impact, reference);
        (
            table(soft(), Reference::Exact),
            table(case_1(), Reference::Approximate),
            table(case_2(), Reference::Approximate),
        )
    });
    let (table_3a, table_3b) =
        progress.during("rebounds", || (sequences::measure(case_1()), sequences::measure(case_2())));
    Study {
        table_1,
        table_2a,
        table_2b,
        table_3a,
        table_3b,
        phases: progress.during("contact phases", phases),
        forced: progress.during("external force", forced::measure),
        operations: progress.during("operations", operations::measure),
        resonators: progress.during("bodies that give way", resonators::measure),
        closures: progress.during("ledger", engine::closures),
        newton: progress.during("Newton steps", cost::newton_effort),
        costs: cost::METHODS
            .into_iter()
            .map(|method| progress.during(format!("benchmark: {method}"), || cost::measure(method, quick)))
            .collect(),
    }
}

fn phases() -> Vec<Phases> {
    let cases = [("case1", case_1()), ("case2", case_2()), ("hard", hard())];
    let measured = cases.into_iter().map(|(case, impact)| Phases {
        case,
        samples: impact.contact_time() * RATE,
        rows: simulators()
            .iter()
            .map(|simulator| (simulator.name(), random_phase(simulator, &impact, RATE, PHASES)))
            .collect(),
    });
    measured.collect()
}
