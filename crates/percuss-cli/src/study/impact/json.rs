//! The measured figures as JSON, in the shape of the study's tables.

use super::Study;
use super::cases::{MASS, PHASES, RATE, REBOUNDS};
use super::operations::CASES;
use super::published::OPERATIONS;
use percuss::impact::Impact;
use serde_json::{Map, Value, json};

/// All that was measured.
pub fn json(study: &Study) -> Value {
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
    root.insert("table_4_own_operations".into(), own_operations(study));
    root.insert("table_4_ns".into(), costs(study));
    root.insert("am1_newton_iterations".into(), newton(study));
    root.insert("random_phase".into(), phases(study));
    root.insert("external_force".into(), forced(study));
    root.insert("energy_closure".into(), closures(study));
    root.insert("resonating_bodies".into(), resonators(study));
    Value::Object(root)
}

pub(super) fn params(impact: &Impact) -> Value {
    json!({ "k": impact.stiffness(), "mu": impact.loss(), "alpha": impact.exponent(), "v_in": impact.speed() })
}

fn costs(study: &Study) -> Value {
    let entry = |cost: &super::Cost| (cost.method.into(), json!({ "contact": cost.contact, "flight": cost.flight }));
    Value::Object(study.costs.iter().map(entry).collect())
}

fn own_operations(study: &Study) -> Value {
    let entry = |count: &super::Count| {
        let contact: Map<String, Value> =
            CASES.iter().zip(&count.contact).map(|(case, n)| ((*case).into(), json!(n))).collect();
        let value = json!({ "contact": contact, "flight": count.flight, "strays_from_percuss": count.stray });
        (count.method.into(), value)
    };
    Value::Object(study.operations.iter().map(entry).collect())
}

fn resonators(study: &Study) -> Value {
    let entry = |it: &super::Resonator| {
        let mut value = json!({ "case": it.case, "body": it.body, "contact_samples": it.samples });
        for row in &it.rows {
            value["rms_velocity_pct_of_v_in"][&row.method] = json!(row.velocity);
            value["rms_energy_pct"][&row.method] = json!(row.energy);
        }
        value
    };
    study.resonators.iter().map(entry).collect()
}

fn newton(study: &Study) -> Value {
    let entry = |effort: &super::Effort| (effort.case.into(), json!({ "mean": effort.mean, "max": effort.most }));
    Value::Object(study.newton.iter().map(entry).collect())
}

fn phases(study: &Study) -> Value {
    let mut root = json!({ "phases": PHASES });
    for phases in &study.phases {
        for (method, error) in &phases.rows {
            root[phases.case][method]["rms_v_out_pct"] = json!(error);
        }
    }
    root
}

fn closures(study: &Study) -> Value {
    let mut root = json!({});
    for closure in &study.closures {
        root[closure.case][closure.scheme]["worst_residual"] = json!(closure.residual);
    }
    root
}

fn forced(study: &Study) -> Value {
    let entry = |forced: &super::Forced| {
        let mut value = json!({ "case": forced.case, "push_n": forced.push, "contact_samples": forced.samples });
        for row in &forced.rows {
            value["err_v_out_pct"][row.method] = json!(row.plain);
            value["energy_corrected_err_v_out_pct"][row.method] = json!(row.corrected);
        }
        value
    };
    study.external_force.iter().map(entry).collect()
}
