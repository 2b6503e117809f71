//! Table of bows and fingers: force, work and loss instead of the hits and contact times of other contacts.

use crate::format::{si, table};
use percuss::{ContactAccount, Law};
use percuss_scene::Scene;

/// Whether a law is that of a bow or finger.
pub fn is_bow_or_finger(law: &Law) -> bool {
    matches!(law, Law::Bow(_) | Law::Finger(_))
}

/// One row per bow and finger; `None` if the scene has neither.
pub fn bow_and_finger_table(scene: &Scene, accounts: &[ContactAccount]) -> Option<String> {
    let header = ["bow or finger", "kind", "peak force", "supplied", "dissipated"].map(String::from).to_vec();
    let named = scene.interaction_names.iter().zip(scene.model.interactions()).zip(accounts);
    let selected = named.filter(|((_, interaction), _)| is_bow_or_finger(&interaction.law));
    let rows: Vec<Vec<String>> = selected
        .map(|((id, interaction), account)| {
            let law = &interaction.law;
            // A bow dissipates by friction, a finger by its damping.
            let loss = if matches!(law, Law::Bow(_)) { "by friction" } else { "by damping" };
            vec![
                id.clone(),
                law.kind().into(),
                si(account.peak_force, "N"),
                si(account.supplied, "J"),
                format!("{} {loss}", si(account.dissipated, "J")),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| table(&std::iter::once(header).chain(rows).collect::<Vec<_>>()))
}
