//! Results as JSON and CSV.

use super::adhesion::Adhesion;
use super::friction_schemes::FrictionResult;
use super::schelleng::{ForceLimits, LimitTrend, MapCell, RegimeMap, schelleng_upper_constant};
use super::stroke::{BOW_VELOCITY, first_partial};
use super::{INITIAL_STATES, RATE, TrombaResults};
use serde_json::{Map as JsonMap, Value, json};

/// All results.
pub fn as_json(study: &TrombaResults) -> Value {
    let maps = study.maps.iter().zip(INITIAL_STATES).map(|(map, (_, start))| (start.to_string(), regime_map(map)));
    let adhesion = |adhesion: &Adhesion| {
        json!({
            "joint": adhesion.joint, "scheme": adhesion.scheme, "adhesive_share": adhesion.share,
            "hits": adhesion.hits, "max_residual_relative": adhesion.residual,
        })
    };
    json!({
        "sample_rate_hz": RATE,
        "first_partial_hz": first_partial(),
        "bow_velocity_m_s": BOW_VELOCITY,
        "schelleng_upper_n": schelleng_upper_constant(),
        "schelleng": maps.collect::<JsonMap<_, _>>(),
        "bow": study.friction_results.iter().map(friction_result).collect::<Vec<_>>(),
        "adhesion": study.adhesion.iter().map(adhesion).collect::<Vec<_>>(),
    })
}

fn regime_map(map: &RegimeMap) -> Value {
    let cell = |cell: &MapCell| {
        json!({
            "beta": cell.stroke.beta, "force_n": cell.stroke.force, "regime": cell.motion.regime().name(),
            "pitch_hz": 1.0 / cell.motion.period, "periodicity": cell.motion.periodicity,
            "slips_per_period": cell.motion.slips_per_period, "amplitude_loss": cell.motion.amplitude_loss,
        })
    };
    let limits =
        |limits: &ForceLimits| json!({ "beta": limits.beta, "lower_n": limits.lower, "upper_n": limits.upper });
    let trend =
        |trend: Option<LimitTrend>| trend.map(|trend| json!({ "slope": trend.slope, "constant_n": trend.constant }));
    let (all, joined) = map.helmholtz_regions();
    json!({
        "cells": map.cells().map(cell).collect::<Vec<_>>(),
        "limits": map.limits().iter().map(limits).collect::<Vec<_>>(),
        "upper": trend(map.upper()), "lower": trend(map.lower()),
        "helmholtz_cells": all, "largest_region": joined,
    })
}

fn friction_result(result: &FrictionResult) -> Value {
    json!({
        "force_n": result.force, "friction": result.method, "pitch_hz": 1.0 / result.mean_period.period,
        "pitch_error_cents": result.cents, "period_error": result.error, "period_variation": result.mean_period.variation,
        "slips_per_period": result.motion.slips_per_period,
    })
}

/// The maps as CSV.
pub fn motions_csv(study: &TrombaResults) -> String {
    let mut text =
        "start,beta [1],force [N],regime,pitch [Hz],periodicity [1],slips per period [1],amplitude loss [1]\n"
            .to_string();
    for (map, (_, start)) in study.maps.iter().zip(INITIAL_STATES) {
        for MapCell { stroke, motion } in map.cells() {
            let (regime, pitch) = (motion.regime().name(), 1.0 / motion.period);
            text += &format!("{start},{:e},{:e},{regime},{pitch:e},", stroke.beta, stroke.force);
            text += &format!("{:e},{:e},{:e}\n", motion.periodicity, motion.slips_per_period, motion.amplitude_loss);
        }
    }
    text
}

/// The friction methods as CSV.
pub fn friction_csv(study: &TrombaResults) -> String {
    let mut text =
        "force [N],friction,pitch [Hz],pitch error [cents],period error [1],period variation [1],slips per period [1]\n"
            .to_string();
    for FrictionResult { force, method, motion, mean_period, cents, error } in &study.friction_results {
        let (pitch, variation, slips_per_period) =
            (1.0 / mean_period.period, mean_period.variation, motion.slips_per_period);
        text += &format!("{force:e},{method},{pitch:e},{cents:e},{error:e},{variation:e},{slips_per_period:e}\n");
    }
    text
}
