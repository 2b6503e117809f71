//! Results of Tables I to III as a list, from which tables, CSV and JSON are made; and the CSV.

use super::ImpactResults;
use super::published::{
    self, ACCUMULATED, COMPRESSION_DEVIATION, ENERGY_DEVIATION, EXIT_VELOCITY_ERROR, MAX_ENERGY_DEVIATION,
    PublishedRow, TABLE_1, TABLE_2A, TABLE_2B, TABLE_3A, TABLE_3B,
};
use super::rebounds::ReboundTable;
use super::single_contact::ContactTable;

/// One value of a table.
pub struct TableEntry {
    /// Table, such as `table_1`.
    pub table: &'static str,
    /// Quantity with its unit.
    pub quantity: &'static str,
    /// Method.
    pub method: &'static str,
    /// Value printed in the study.
    pub paper: Option<f64>,
    /// Value measured here.
    pub ours: f64,
}

/// Part of `max %dev` in Table III: in contact.
const CONTACT_ENERGY_DEVIATION: &str = "contact_dev_h_pct";
/// Part of `max %dev` in Table III: at a release.
const RELEASE_ENERGY_DEVIATION: &str = "release_dev_h_pct";

impl ImpactResults {
    /// Entries of Tables I to III.
    pub fn entries(&self) -> Vec<TableEntry> {
        let mut all = contact_entries("table_1", &self.table_1, &TABLE_1);
        all.extend(contact_entries("table_2a", &self.table_2a, &TABLE_2A));
        all.extend(contact_entries("table_2b", &self.table_2b, &TABLE_2B));
        for (table, contacts, paper) in [
            ("table_2a", &self.table_2a, published::APPROXIMATE_VELOCITY[0]),
            ("table_2b", &self.table_2b, published::APPROXIMATE_VELOCITY[1]),
        ] {
            let (quantity, ours) = (EXIT_VELOCITY_ERROR, contacts.approximate_exit_error);
            all.push(TableEntry { table, quantity, method: "v_tilde", paper: Some(paper), ours });
        }
        all.extend(rebound_entries("table_3a", &self.table_3a, &TABLE_3A));
        all.extend(rebound_entries("table_3b", &self.table_3b, &TABLE_3B));
        all
    }
}

fn contact_entries(table: &'static str, contacts: &ContactTable, paper: &[PublishedRow]) -> Vec<TableEntry> {
    let mut entries = Vec::new();
    for row in &contacts.rows {
        for (quantity, ours) in [
            (COMPRESSION_DEVIATION, row.max_compression_deviation),
            (EXIT_VELOCITY_ERROR, row.exit_error),
            (ENERGY_DEVIATION, row.max_energy_deviation),
        ] {
            let paper = published::find(paper, quantity, row.method);
            entries.push(TableEntry { table, quantity, method: row.method, paper, ours });
        }
    }
    entries
}

fn rebound_entries(table: &'static str, rebounds: &ReboundTable, paper: &[PublishedRow]) -> Vec<TableEntry> {
    let others = [("heun_exit_velocity", &rebounds.heun_exit_velocity), ("rk4_16x", &rebounds.oversampled_rk4)];
    let mut entries = Vec::new();
    for (method, row) in rebounds.rows.iter().map(|row| (row.method, row)).chain(others) {
        // The study prints magnitudes.
        let values = [
            (ACCUMULATED, row.accumulated.abs()),
            (MAX_ENERGY_DEVIATION, row.largest_energy_deviation()),
            (CONTACT_ENERGY_DEVIATION, row.in_contact),
            (RELEASE_ENERGY_DEVIATION, row.at_release),
        ];
        for (quantity, ours) in values {
            let paper = published::find(paper, quantity, method).or_else(|| oversampled_rk4(table, quantity, method));
            entries.push(TableEntry { table, quantity, method, paper, ours });
        }
    }
    entries
}

/// Values of sec. IV-B for RK4 at 16 times the rate.
fn oversampled_rk4(table: &str, quantity: &str, method: &str) -> Option<f64> {
    let [accumulated, largest_energy_deviation] = published::OVERSAMPLED_RK4[usize::from(table == "table_3b")];
    match (method, quantity) {
        ("rk4_16x", ACCUMULATED) => Some(accumulated),
        ("rk4_16x", MAX_ENERGY_DEVIATION) => Some(largest_energy_deviation),
        _ => None,
    }
}

/// All results as CSV.
pub fn csv(study: &ImpactResults) -> String {
    let mut text = String::from("table,quantity,method,paper,ours\n");
    let mut line = |table: &str, quantity: &str, method: &str, paper: Option<f64>, ours: f64| {
        let paper = paper.map(|value| value.to_string()).unwrap_or_default();
        text.push_str(&format!("{table},{quantity},{method},{paper},{ours}\n"));
    };
    for entry in study.entries() {
        line(entry.table, entry.quantity, entry.method, entry.paper, entry.ours);
    }
    for cost in &study.costs {
        line("table_4", "contact_ns", cost.method, None, cost.contact);
        line("table_4", "flight_ns", cost.method, None, cost.flight);
    }
    extension_lines(study, &mut line);
    for ledger_residual in &study.ledger_residuals {
        line(
            &format!("ledger_residual_{}", ledger_residual.case),
            "worst_residual",
            ledger_residual.scheme,
            None,
            ledger_residual.residual,
        );
    }
    for phase_errors in &study.phase_errors {
        for (method, error) in &phase_errors.rows {
            line(&format!("random_phase_{}", phase_errors.case), "rms_v_out_pct", method, None, *error);
        }
    }
    for forced in &study.external_force {
        let table = format!("\"external force: {}\"", forced.case);
        for row in &forced.rows {
            line(&table, "err_v_out_pct", row.method, None, row.plain);
            line(&table, "energy_corrected_err_v_out_pct", row.method, None, row.corrected);
        }
    }
    text
}

/// Extensions of the study: operation counts of percuss's schemes, and resonating bodies.
fn extension_lines(study: &ImpactResults, line: &mut impl FnMut(&str, &str, &str, Option<f64>, f64)) {
    for count in &study.operations {
        for (case, operations) in super::operations::CASES.iter().zip(&count.contact) {
            line("table_4", &format!("operations_in_contact_{case}"), count.method, None, *operations);
        }
        line("table_4", "operations_in_flight", count.method, None, count.flight as f64);
        line("table_4", "operations_deviation", count.method, None, count.deviation);
    }
    for it in &study.resonators {
        let table = format!("\"{}: {}\"", it.case, it.body);
        for row in &it.rows {
            line(&table, "rms_velocity_pct_of_v_in", &row.method, None, row.velocity);
            line(&table, "rms_energy_pct", &row.method, None, row.energy);
        }
    }
}
