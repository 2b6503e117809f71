//! What was measured, as JSON and as CSV.

use super::adhesion::Adhesion;
use super::friction_schemes::Outcome;
use super::schelleng::{Cell, Limits, Map, Trend, upper_constant};
use super::stroke::{BOW_VELOCITY, first_partial};
use super::{RATE, STARTS, Study};
use serde_json::{Map as Fields, Value, json};

/// All that was measured.
pub fn as_json(study: &Study) -> Value {
    let maps = study.maps.iter().zip(STARTS).map(|(map, (_, start))| (start.to_string(), of_map(map)));
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
        "schelleng_upper_n": upper_constant(),
        "schelleng": maps.collect::<Fields<_, _>>(),
        "bow": study.treatments.iter().map(of_treatment).collect::<Vec<_>>(),
        "adhesion": study.adhesion.iter().map(adhesion).collect::<Vec<_>>(),
    })
}

fn of_map(map: &Map) -> Value {
    let cell = |cell: &Cell| {
        json!({
            "beta": cell.stroke.beta, "force_n": cell.stroke.force, "regime": cell.motion.regime().name(),
            "pitch_hz": 1.0 / cell.motion.period, "periodicity": cell.motion.periodicity,
            "slips_per_period": cell.motion.slips, "fading": cell.motion.fading,
        })
    };
    let limits = |limits: &Limits| json!({ "beta": limits.beta, "lower_n": limits.lower, "upper_n": limits.upper });
    let trend = |trend: Option<Trend>| trend.map(|trend| json!({ "slope": trend.slope, "constant_n": trend.constant }));
    let (all, joined) = map.regions();
    json!({
        "cells": map.cells().map(cell).collect::<Vec<_>>(),
        "limits": map.limits().iter().map(limits).collect::<Vec<_>>(),
        "upper": trend(map.upper()), "lower": trend(map.lower()),
        "helmholtz_cells": all, "largest_region": joined,
    })
}

fn of_treatment(outcome: &Outcome) -> Value {
    json!({
        "force_n": outcome.force, "friction": outcome.way, "pitch_hz": 1.0 / outcome.wave.period,
        "pitch_error_cents": outcome.cents, "wave_error": outcome.error, "roughness": outcome.wave.roughness,
        "slips_per_period": outcome.motion.slips,
    })
}

/// The maps as CSV.
pub fn motions_csv(study: &Study) -> String {
    let mut text =
        "start,beta [1],force [N],regime,pitch [Hz],periodicity [1],slips per period [1],fading [1]\n".to_string();
    for (map, (_, start)) in study.maps.iter().zip(STARTS) {
        for Cell { stroke, motion } in map.cells() {
            let (regime, pitch) = (motion.regime().name(), 1.0 / motion.period);
            text += &format!("{start},{:e},{:e},{regime},{pitch:e},", stroke.beta, stroke.force);
            text += &format!("{:e},{:e},{:e}\n", motion.periodicity, motion.slips, motion.fading);
        }
    }
    text
}

/// The treatments of the bow as CSV.
pub fn friction_csv(study: &Study) -> String {
    let mut text =
        "force [N],friction,pitch [Hz],pitch error [cents],wave error [1],roughness [1],slips per period [1]\n"
            .to_string();
    for Outcome { force, way, motion, wave, cents, error } in &study.treatments {
        let (pitch, roughness, slips) = (1.0 / wave.period, wave.roughness, motion.slips);
        text += &format!("{force:e},{way},{pitch:e},{cents:e},{error:e},{roughness:e},{slips:e}\n");
    }
    text
}
