//! Results as JSON, in the order of the study's tables.

use super::ImpactResults;
use super::cases::{MASS, PHASES, RATE, REBOUNDS};
use super::operations::CASES;
use super::published::OPERATIONS;
use percuss::impact::Impact;
use serde_json::{Map, Value, json};

/// All results.
pub fn json(study: &ImpactResults) -> Value {
    let mut root = Map::new();
    root.insert("fixed".into(), json!({ "mass_kg": MASS, "sample_rate_hz": RATE }));
    for (table, contacts) in [("table_1", &study.table_1), ("table_2a", &study.table_2a), ("table_2b", &study.table_2b)]
    {
        root.insert(table.into(), json!({ "params": params(&contacts.impact) }));
        root[table]["contact_samples"] = json!(contacts.samples.round());
    }
    for (table, rebounds) in [("table_3a", &study.table_3a), ("table_3b", &study.table_3b)] {
        root.insert(table.into(), json!({ "params": params(&rebounds.impact), "rebounds": REBOUNDS }));
    }
    for entry in study.entries() {
        root[entry.table][entry.quantity][entry.method] = json!(entry.ours);
    }
    let operations: Map<String, Value> =
        OPERATIONS.into_iter().map(|(name, count)| (name.into(), json!(count))).collect();
    root.insert("table_4_operations".into(), Value::Object(operations));
    root.insert("table_4_counted_operations".into(), counted_operations(study));
    root.insert("table_4_ns".into(), costs(study));
    root.insert("am1_newton_iterations".into(), newton(study));
    root.insert("random_phase".into(), phase_errors(study));
    root.insert("external_force".into(), external_force(study));
    root.insert("ledger_residual".into(), ledger_residuals(study));
    root.insert("resonating_bodies".into(), resonators(study));
    Value::Object(root)
}

pub(super) fn params(impact: &Impact) -> Value {
    json!({ "k": impact.stiffness(), "mu": impact.loss(), "alpha": impact.exponent(), "v_in": impact.speed() })
}

fn costs(study: &ImpactResults) -> Value {
    let entry =
        |cost: &super::SampleCost| (cost.method.into(), json!({ "contact": cost.contact, "flight": cost.flight }));
    Value::Object(study.costs.iter().map(entry).collect())
}

fn counted_operations(study: &ImpactResults) -> Value {
    let entry = |count: &super::OperationCount| {
        let contact: Map<String, Value> =
            CASES.iter().zip(&count.contact).map(|(case, n)| ((*case).into(), json!(n))).collect();
        let value = json!({ "contact": contact, "flight": count.flight, "deviation_from_percuss": count.deviation });
        (count.method.into(), value)
    };
    Value::Object(study.operations.iter().map(entry).collect())
}

fn resonators(study: &ImpactResults) -> Value {
    let entry = |it: &super::ResonatorResult| {
        let mut value = json!({ "case": it.case, "body": it.body, "contact_samples": it.samples });
        for row in &it.rows {
            value["rms_velocity_pct_of_v_in"][&row.method] = json!(row.velocity);
            value["rms_energy_pct"][&row.method] = json!(row.energy);
        }
        value
    };
    study.resonators.iter().map(entry).collect()
}

fn newton(study: &ImpactResults) -> Value {
    let entry = |iterations: &super::NewtonIterations| {
        (iterations.case.into(), json!({ "mean": iterations.mean, "max": iterations.max }))
    };
    Value::Object(study.newton.iter().map(entry).collect())
}

fn phase_errors(study: &ImpactResults) -> Value {
    let mut root = json!({ "phases": PHASES });
    for phase_errors in &study.phase_errors {
        for (method, error) in &phase_errors.rows {
            root[phase_errors.case][method]["rms_v_out_pct"] = json!(error);
        }
    }
    root
}

fn ledger_residuals(study: &ImpactResults) -> Value {
    let mut root = json!({});
    for ledger_residual in &study.ledger_residuals {
        root[ledger_residual.case][ledger_residual.scheme]["worst_residual"] = json!(ledger_residual.residual);
    }
    root
}

fn external_force(study: &ImpactResults) -> Value {
    let entry = |external_force: &super::ExternalForceResult| {
        let mut value = json!({ "case": external_force.case, "push_n": external_force.push, "contact_samples": external_force.samples });
        for row in &external_force.rows {
            value["err_v_out_pct"][row.method] = json!(row.plain);
            value["energy_corrected_err_v_out_pct"][row.method] = json!(row.corrected);
        }
        value
    };
    study.external_force.iter().map(entry).collect()
}
