//! All figures as one list: what the tables, the CSV and the JSON are made from.

use super::Study;
use super::published::{
    self, ACCUMULATED, DEV_H, DEV_X, ERR_V_OUT, MAX_DEV_H, Row, TABLE_1, TABLE_2A, TABLE_2B, TABLE_3A, TABLE_3B,
};
use super::rebounds::Sequences;
use super::single_contact::Contacts;

/// One figure.
pub struct Entry {
    /// `table_1` and so on.
    pub table: &'static str,
    /// What was measured, with its unit.
    pub quantity: &'static str,
    /// The method.
    pub method: &'static str,
    /// As printed in the study.
    pub paper: Option<f64>,
    /// As measured here.
    pub ours: f64,
}

/// The two parts of `max %dev` in Table III: in contact, and at a release.
const CONTACT: &str = "contact_dev_h_pct";
/// The second.
const RELEASE: &str = "release_dev_h_pct";

impl Study {
    /// Tables I to III.
    pub fn entries(&self) -> Vec<Entry> {
        let mut all = contact_entries("table_1", &self.table_1, &TABLE_1);
        all.extend(contact_entries("table_2a", &self.table_2a, &TABLE_2A));
        all.extend(contact_entries("table_2b", &self.table_2b, &TABLE_2B));
        for (table, contacts, paper) in
            [("table_2a", &self.table_2a, published::V_TILDE[0]), ("table_2b", &self.table_2b, published::V_TILDE[1])]
        {
            let (quantity, ours) = (ERR_V_OUT, contacts.v_tilde);
            all.push(Entry { table, quantity, method: "v_tilde", paper: Some(paper), ours });
        }
        all.extend(sequence_entries("table_3a", &self.table_3a, &TABLE_3A));
        all.extend(sequence_entries("table_3b", &self.table_3b, &TABLE_3B));
        all
    }
}

fn contact_entries(table: &'static str, contacts: &Contacts, paper: &[Row]) -> Vec<Entry> {
    let mut entries = Vec::new();
    for row in &contacts.rows {
        for (quantity, ours) in [(DEV_X, row.dev_x), (ERR_V_OUT, row.exit), (DEV_H, row.dev_h)] {
            let paper = published::find(paper, quantity, row.method);
            entries.push(Entry { table, quantity, method: row.method, paper, ours });
        }
    }
    entries
}

fn sequence_entries(table: &'static str, rebounds: &Sequences, paper: &[Row]) -> Vec<Entry> {
    let others = [("heun_own_velocity", &rebounds.heun_own), ("rk4_16x", &rebounds.finer)];
    let mut entries = Vec::new();
    for (method, row) in rebounds.rows.iter().map(|row| (row.method, row)).chain(others) {
        // The study prints magnitudes.
        let figures = [
            (ACCUMULATED, row.accumulated.abs()),
            (MAX_DEV_H, row.max_dev_h()),
            (CONTACT, row.in_contact),
            (RELEASE, row.at_release),
        ];
        for (quantity, ours) in figures {
            let paper = published::find(paper, quantity, method).or_else(|| finer(table, quantity, method));
            entries.push(Entry { table, quantity, method, paper, ours });
        }
    }
    entries
}

/// What sec. IV-B says of RK4 at 16 times the rate.
fn finer(table: &str, quantity: &str, method: &str) -> Option<f64> {
    let [accumulated, max_dev_h] = published::FINER_RK4[usize::from(table == "table_3b")];
    match (method, quantity) {
        ("rk4_16x", ACCUMULATED) => Some(accumulated),
        ("rk4_16x", MAX_DEV_H) => Some(max_dev_h),
        _ => None,
    }
}

/// Everything measured as CSV.
pub fn csv(study: &Study) -> String {
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
    extras(study, &mut line);
    for closure in &study.closures {
        line(&format!("energy_closure_{}", closure.case), "worst_residual", closure.scheme, None, closure.residual);
    }
    for phases in &study.phases {
        for (method, error) in &phases.rows {
            line(&format!("random_phase_{}", phases.case), "rms_v_out_pct", method, None, *error);
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

/// What the study lacks: operations of our own methods, bodies that give way.
fn extras(study: &Study, line: &mut impl FnMut(&str, &str, &str, Option<f64>, f64)) {
    for count in &study.operations {
        for (case, operations) in super::operations::CASES.iter().zip(&count.contact) {
            line("table_4", &format!("operations_in_contact_{case}"), count.method, None, *operations);
        }
        line("table_4", "operations_in_flight", count.method, None, count.flight as f64);
        line("table_4", "operations_stray", count.method, None, count.stray);
    }
    for it in &study.resonators {
        let table = format!("\"{}: {}\"", it.case, it.body);
        for row in &it.rows {
            line(&table, "rms_velocity_pct_of_v_in", &row.method, None, row.velocity);
            line(&table, "rms_energy_pct", &row.method, None, row.energy);
        }
    }
}
