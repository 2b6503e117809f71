//! Reads `[[cavity]]`: air enclosed between two plates or membranes, or between one and a barrier.

use crate::limits::ValueLimits;
use crate::scene_builder::SceneBuilder;
use crate::table_reader::TableReader;
use percuss::{Cavity, Element, ElementId, InteractionId, Outline};
use std::f64::consts::PI;

pub(crate) fn read_cavity(table: &TableReader<'_>, builder: &mut SceneBuilder<'_>) -> Option<InteractionId> {
    let sides = ["below", "above"].map(|side| {
        let id = table.required_string(side, "\"id of a membrane, plate or barrier\"")?;
        let element = builder.element_by_id(table, side, id)?;
        let kind = builder.element_kind(element);
        if !matches!(builder.model.elements()[element.index()], Element::Plate(_) | Element::Barrier(_)) {
            let hint = "air is enclosed by plates, membranes and barriers".to_owned();
            table.report(side, format!("cavity.{side} is a {kind}, which encloses no air"), Some(hint));
            return None;
        }
        Some(element)
    });
    let volume = read_volume(table, builder, sides);
    let air = Cavity::of_air(1.0);
    let density = table.number_or("density", ValueLimits::new(0.01, 1e4, "kg/m³"), air.density);
    let speed_of_sound = table.number_or("speed_of_sound", ValueLimits::new(1.0, 1e4, "m/s"), air.speed_of_sound);
    let (below, above, volume) = (sides[0]?, sides[1]?, volume?);
    Some(builder.model.enclose(below, above, Cavity { volume, density, speed_of_sound }))
}

/// The volume, or the depth of a shell under the first plate or membrane.
fn read_volume(table: &TableReader<'_>, builder: &SceneBuilder<'_>, sides: [Option<ElementId>; 2]) -> Option<f64> {
    let volume = table.number("volume", ValueLimits::new(1e-9, 1e3, "m³"));
    let depth = table.number("depth", ValueLimits::new(1e-4, 10.0, "m"));
    match (table.has("volume"), table.has("depth")) {
        (true, true) => {
            let hint = Some("keep one of them".to_owned());
            table.report("depth", "cavity has both volume and depth".to_owned(), hint);
            None
        }
        (false, false) => {
            table.mark_missing("volume", "0.02, or depth = 0.2");
            None
        }
        (true, false) => volume,
        (false, true) => {
            let area = sides.into_iter().flatten().find_map(|side| match &builder.model.elements()[side.index()] {
                Element::Plate(plate) => {
                    let share = if plate.outline == Outline::Disc { 0.25 * PI } else { 1.0 };
                    Some(share * plate.size[0] * plate.size[1])
                }
                _ => None,
            });
            Some(depth? * area?)
        }
    }
}
