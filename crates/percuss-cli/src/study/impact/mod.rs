//! The impact study of Papetti, Avanzini and Rocchesso (2010), repeated: Tables I to IV, Figures 1 to 12, and what the
//! study left open.

mod cases;
mod csv;
pub mod custom_impact;
mod extension_tables;
mod external_force;
pub mod figures;
mod integration;
mod json;
mod operations;
mod published;
mod rebounds;
mod resonators;
mod schemes;
mod single_contact;
mod tables;
mod timing;

pub use csv::csv;
pub use json::json;
pub use tables::text;

use crate::progress::TaskProgress;
use crate::study::impact::integration::measures::random_phase;
use cases::{PHASES, RATE, case_1, case_2, hard, simulators, soft};
use external_force::Forced;
use operations::Count;
use rebounds::Sequences;
use resonators::Resonator;
use schemes::Closure;
use single_contact::{Contacts, Reference};
use timing::{Cost, Effort};

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
    external_force: Vec<Forced>,
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
    let progress = TaskProgress::new(8 + timing::METHODS.len());
    let (table_1, table_2a, table_2b) = progress.run_task("one contact", || {
        let table = |impact, reference| single_contact::measure(impact, reference);
        (
            table(soft(), Reference::Exact),
            table(case_1(), Reference::Approximate),
            table(case_2(), Reference::Approximate),
        )
    });
    let (table_3a, table_3b) =
        progress.run_task("rebounds", || (rebounds::measure(case_1()), rebounds::measure(case_2())));
    Study {
        table_1,
        table_2a,
        table_2b,
        table_3a,
        table_3b,
        phases: progress.run_task("contact phases", phases),
        external_force: progress.run_task("external force", external_force::measure),
        operations: progress.run_task("operations", operations::measure),
        resonators: progress.run_task("bodies that give way", resonators::measure),
        closures: progress.run_task("ledger", schemes::closures),
        newton: progress.run_task("Newton steps", timing::newton_effort),
        costs: timing::METHODS
            .into_iter()
            .map(|method| progress.run_task(format!("benchmark: {method}"), || timing::measure(method, quick)))
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
