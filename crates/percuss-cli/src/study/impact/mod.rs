//! The impact study of Papetti, Avanzini and Rocchesso (2010), repeated: Tables I to IV, Figures 1 to 12, and extensions.

mod cases;
mod csv;
pub mod custom_impact;
mod extension_tables;
mod external_force;
pub mod figures;
mod integration;
mod json;
mod markdown;
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
pub use markdown::markdown;
pub use tables::text;

use crate::progress::TaskProgress;
use crate::study::impact::integration::error_measures::random_phase_error;
use cases::{PHASES, RATE, case_1, case_2, hard, non_critical, simulators};
use external_force::ExternalForceResult;
use operations::OperationCount;
use rebounds::ReboundTable;
use resonators::ResonatorResult;
use schemes::LedgerResidual;
use single_contact::{ContactTable, ExitReference};
use timing::{NewtonIterations, SampleCost};

/// All results.
pub struct ImpactResults {
    table_1: ContactTable,
    table_2a: ContactTable,
    table_2b: ContactTable,
    table_3a: ReboundTable,
    table_3b: ReboundTable,
    costs: Vec<SampleCost>,
    newton: Vec<NewtonIterations>,
    phase_errors: Vec<PhaseErrors>,
    external_force: Vec<ExternalForceResult>,
    ledger_residuals: Vec<LedgerResidual>,
    operations: Vec<OperationCount>,
    resonators: Vec<ResonatorResult>,
}

/// Errors of v_out over all contact phases.
struct PhaseErrors {
    /// `case1`, `case2`, `hard`.
    case: &'static str,
    /// Contact time \[samples\].
    samples: f64,
    /// Method and root mean square error \[%\].
    rows: Vec<(&'static str, f64)>,
}

/// Measures everything; `quick` shortens the benchmark.
pub fn measure(quick: bool) -> ImpactResults {
    let progress = TaskProgress::new(8 + timing::METHODS.len());
    let (table_1, table_2a, table_2b) = progress.run_task("one contact", || {
        let table = |impact, reference| single_contact::measure(impact, reference);
        (
            table(non_critical(), ExitReference::Exact),
            table(case_1(), ExitReference::Approximate),
            table(case_2(), ExitReference::Approximate),
        )
    });
    let (table_3a, table_3b) =
        progress.run_task("rebounds", || (rebounds::measure(case_1()), rebounds::measure(case_2())));
    ImpactResults {
        table_1,
        table_2a,
        table_2b,
        table_3a,
        table_3b,
        phase_errors: progress.run_task("contact phases", phase_errors),
        external_force: progress.run_task("external force", external_force::measure),
        operations: progress.run_task("operations", operations::measure),
        resonators: progress.run_task("resonating bodies", resonators::measure),
        ledger_residuals: progress.run_task("ledger", schemes::ledger_residuals),
        newton: progress.run_task("Newton iterations", timing::newton_iterations),
        costs: timing::METHODS
            .into_iter()
            .map(|method| progress.run_task(format!("benchmark: {method}"), || timing::measure(method, quick)))
            .collect(),
    }
}

fn phase_errors() -> Vec<PhaseErrors> {
    let cases = [("case1", case_1()), ("case2", case_2()), ("hard", hard())];
    let measured = cases.into_iter().map(|(case, impact)| PhaseErrors {
        case,
        samples: impact.contact_time() * RATE,
        rows: simulators()
            .iter()
            .map(|simulator| (simulator.name(), random_phase_error(simulator, &impact, RATE, PHASES)))
            .collect(),
    });
    measured.collect()
}
