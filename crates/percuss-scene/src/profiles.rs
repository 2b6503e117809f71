//! Reads what changes over a body: `undercut` and `profile` of a bar, `patch` of a plate or membrane.

use crate::limits::{FRACTION_LIMITS, ValueLimits, format_number};
use crate::table_reader::TableReader;
use percuss::{Outline, Patch, Profile, Undercut};

const WIDTH_LIMITS: ValueLimits = ValueLimits::new(0.02, 4.0, "");
const DEPTH_LIMITS: ValueLimits = ValueLimits::new(0.0, 0.99, "");
const RATIO_LIMITS: ValueLimits = ValueLimits::new(0.0, 10.0, "");
const PATCH_DENSITY_LIMITS: ValueLimits = ValueLimits::new(0.0, 1e4, "kg/m²");
const PATCH_RADIUS_LIMITS: ValueLimits = ValueLimits::new(1e-5, 50.0, "m");
/// Thinnest part of a bar over its thickness.
const MIN_RATIO: f64 = 0.01;
/// Shortest part of a bar, as a fraction of its length.
const MIN_PART: f64 = 5e-3;
const MAX_UNDERCUTS: usize = 16;
const MAX_POINTS: usize = 64;
/// Most patches of a plate.
const MAX_PATCHES: usize = 16;

/// How the thickness of a bar changes along it.
pub(crate) fn read_profile(table: &TableReader<'_>) -> Profile {
    if table.has("undercut") && table.has("profile") {
        let hint = Some("an undercut removes material, a profile gives the whole shape: keep one".to_owned());
        table.report("profile", "bar has both an undercut and a profile".to_owned(), hint);
    }
    let profile = match read_undercuts(table) {
        Some(undercuts) => Profile::Undercuts(undercuts),
        None => read_lines(table).unwrap_or_default(),
    };
    if table.is_valid() && profile.thinnest() < MIN_RATIO {
        let thinnest = format_number((1e4 * profile.thinnest()).round() / 1e4);
        let message = format!("bar is {thinnest} of its thickness where it is thinnest, must be at least {MIN_RATIO}");
        let field = if table.has("undercut") { "undercut" } else { "profile" };
        table.report(field, message, Some("undercuts that overlap add up: make them shallower".to_owned()));
    }
    profile
}

fn read_undercuts(table: &TableReader<'_>) -> Option<Vec<Undercut>> {
    let entries = table.subtables("undercut", "undercut", "{ depth = 0.6, width = 0.5 } or a list of such")?;
    if entries.len() > MAX_UNDERCUTS {
        let message = format!("bar.undercut has {} entries, must have at most {MAX_UNDERCUTS}", entries.len());
        table.report("undercut", message, Some("a few undercuts give any shape that can be cut".to_owned()));
        return None;
    }
    let undercut = |entry: &TableReader<'_>| {
        let undercut = Undercut {
            at: entry.number_or("at", FRACTION_LIMITS, 0.5),
            width: entry.required_number("width", WIDTH_LIMITS, "0.5"),
            depth: entry.required_number("depth", DEPTH_LIMITS, "0.6"),
        };
        entry.finish();
        undercut
    };
    Some(entries.iter().map(undercut).collect())
}

fn read_lines(table: &TableReader<'_>) -> Option<Profile> {
    let inner = table.subtable("profile", "profile")?;
    for (field, example) in [("at", "[0.0, 0.5, 1.0]"), ("ratio", "[1.0, 0.4, 1.0]")] {
        if !inner.has(field) {
            inner.mark_missing(field, example);
        }
    }
    let at = inner.numbers("at", FRACTION_LIMITS);
    let ratio = inner.numbers("ratio", RATIO_LIMITS);
    inner.finish();
    let (at, ratio) = at.zip(ratio)?;
    if let Some((field, message, hint)) = fault_of_lines(&at, &ratio) {
        inner.report(field, message, Some(hint.to_owned()));
        return None;
    }
    Some(Profile::Lines { at, ratio })
}

/// What is wrong with a profile: field, message and hint.
fn fault_of_lines(at: &[f64], ratio: &[f64]) -> Option<(&'static str, String, &'static str)> {
    let count = at.len();
    if ratio.len() != count || !(2..=MAX_POINTS).contains(&count) {
        let message =
            format!("profile has {count} places and {} ratios, must have 2 to {MAX_POINTS} of each", ratio.len());
        return Some(("ratio", message, "ratio is the thickness at each place, over that of the bar"));
    }
    if at[0] != 0.0 || at[count - 1] != 1.0 {
        let found = format!(
            "profile.at goes from {} to {}, must go from 0 to 1",
            format_number(at[0]),
            format_number(at[count - 1])
        );
        return Some(("at", found, "places are fractions of the length"));
    }
    let is_wrong = |pair: &[f64]| pair[1] != pair[0] && pair[1] - pair[0] < MIN_PART * (1.0 - 1e-9);
    if let Some(pair) = at.windows(2).find(|pair| is_wrong(pair)) {
        let found = format!("profile.at has {} after {}", format_number(pair[1]), format_number(pair[0]));
        return Some(("at", format!("{found}, must rise by {MIN_PART} or stay"), "the same place twice is a step"));
    }
    let is_step_at_end = at[0] == at[1] || at[count - 2] == at[count - 1];
    if is_step_at_end || at.windows(3).any(|triple| triple[0] == triple[2]) {
        let message = "profile.at has a step at an end, or one place three times".to_owned();
        return Some(("at", message, "a step has two points, between the ends"));
    }
    let thin = ratio.iter().position(|&ratio| ratio < MIN_RATIO)?;
    let message = format!(
        "profile.ratio is {} at {}, must be at least {MIN_RATIO}",
        format_number(ratio[thin]),
        format_number(at[thin])
    );
    Some(("ratio", message, "ratio is the thickness there over that of the bar"))
}

/// Patches of mass on a plate or membrane with a given outline and sides.
pub(crate) fn read_patches(table: &TableReader<'_>, outline: Outline, size: [f64; 2]) -> Vec<Patch> {
    let expected = "{ radius = 0.03, surface_density = 2.0 } or a list of such";
    let entries = table.subtables("patch", "patch", expected).unwrap_or_default();
    if entries.len() > MAX_PATCHES {
        let message = format!("{}.patch has {} entries, must have at most {MAX_PATCHES}", table.kind, entries.len());
        table.report("patch", message, Some("patches around one centre add up".to_owned()));
        return Vec::new();
    }
    entries.iter().map(|entry| read_patch(entry, outline, size)).collect()
}

fn read_patch(entry: &TableReader<'_>, outline: Outline, size: [f64; 2]) -> Patch {
    let patch = Patch {
        centre: entry.number_pair("centre", FRACTION_LIMITS).unwrap_or([0.5; 2]),
        radius: entry.required_number("radius", PATCH_RADIUS_LIMITS, "0.03"),
        surface_density: entry.required_number("surface_density", PATCH_DENSITY_LIMITS, "2.0"),
    };
    entry.finish();
    if !entry.is_valid() {
        return patch;
    }
    let (largest, smallest) = (largest_radius(patch.centre, outline, size), 0.01 * size[0].min(size[1]));
    if patch.radius > largest * (1.0 + 1e-9) {
        let message = format!(
            "patch.radius is {} m around [{}, {}], reaches {} m beyond the edge",
            format_number(patch.radius),
            format_number(patch.centre[0]),
            format_number(patch.centre[1]),
            crate::limits::round_up(patch.radius - largest)
        );
        let hint = if largest >= smallest {
            format!(
                "at this centre at most {} m fit; centre is in fractions of the sides",
                crate::limits::round_down(largest)
            )
        } else {
            "move the centre onto the plate; it is in fractions of the sides".to_owned()
        };
        entry.report("radius", message, Some(hint));
    } else if patch.radius < smallest {
        let message = format!(
            "patch.radius is {} m, must be at least {} m",
            format_number(patch.radius),
            crate::limits::round_up(smallest)
        );
        entry.report("radius", message, Some("a hundredth of the shorter side is the least".to_owned()));
    }
    patch
}

/// Radius of the largest patch around a centre.
fn largest_radius(centre: [f64; 2], outline: Outline, size: [f64; 2]) -> f64 {
    let away = [0, 1].map(|axis| ((centre[axis] - 0.5) * size[axis]).abs());
    match outline {
        Outline::Disc => 0.5 * size[0] - away[0].hypot(away[1]),
        Outline::Rectangle => (0.5 * size[0] - away[0]).min(0.5 * size[1] - away[1]),
    }
}
