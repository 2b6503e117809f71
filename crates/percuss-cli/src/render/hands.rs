//! What bows and fingers did, in words: they do not hit and part like contacts, a hand works through them.

use crate::format::{si, table};
use percuss::{ContactAccount, Law};
use percuss_scene::Scene;

/// Whether a hand is at work, rather than two elements.
pub fn is_hand(law: &Law) -> bool {
    matches!(law, Law::Bow(_) | Law::Finger(_))
}

/// One row for every bow and finger; `None` where there is neither.
pub fn hands(scene: &Scene, accounts: &[ContactAccount]) -> Option<String> {
    let head = ["hand", "kind", "peak force", "work supplied", "lost"].map(String::from).to_vec();
    let named = scene.interaction_names.iter().zip(scene.model.interactions()).zip(accounts);
    let hands = named.filter(|((_, interaction), _)| is_hand(&interaction.law));
    let rows: Vec<Vec<String>> = hands
        .map(|((id, interaction), account)| {
            let law = &interaction.law;
            // What a bow loses is friction, what a finger loses is its damping.
            let how = if matches!(law, Law::Bow(_)) { "to friction" } else { "to damping" };
            vec![
                id.clone(),
                law.kind().into(),
                si(account.peak_force, "N"),
                si(account.supplied, "J"),
                format!("{} {how}", si(account.dissipated, "J")),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| table(&std::iter::once(head).chain(rows).collect::<Vec<_>>()))
}
