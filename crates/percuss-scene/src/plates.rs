//! Reads `[[plate]]`, `[[membrane]]` and `[[touch]]`.

use crate::elements::{DENSITY_LIMITS, MODULUS_LIMITS, read_method, read_modulates_tension};
use crate::limits::{FRACTION_LIMITS, ValueLimits, format_number};
use crate::losses::{Losses, Sigmas};
use crate::materials::{self, Material};
use crate::pressure_image;
use crate::profiles::read_patches;
use crate::scene_builder::SceneBuilder;
use crate::table_reader::TableReader;
use crate::tuning::{self, Dimension, Pitch};
use percuss::{Control, Edge, Element, Outline, Plate, Region, Touch, TouchLaw};

const SIDE_LENGTH_LIMITS: ValueLimits = ValueLimits::new(1e-3, 100.0, "m");
const THICKNESS_LIMITS: ValueLimits = ValueLimits::new(1e-6, 0.05, "m");
const TENSION_PER_LENGTH_LIMITS: ValueLimits = ValueLimits::new(0.0, 1e6, "N/m");
const SURFACE_DENSITY_LIMITS: ValueLimits = ValueLimits::new(1e-3, 1e3, "kg/m²");
pub(crate) const POISSON_LIMITS: ValueLimits = ValueLimits::new(0.0, 0.499, "");
/// Centres of regions may lie outside the plate.
const TOUCH_CENTRE_LIMITS: ValueLimits = ValueLimits::new(-10.0, 10.0, "");

const EDGES: [(&str, Edge); 4] = [
    ("simply-supported", Edge::SimplySupported),
    ("clamped", Edge::Clamped),
    ("free", Edge::Free),
    ("free-full-cell", Edge::FreeFullCell),
];

/// Edges of a disc.
const DISC_EDGES: [(&str, Edge); 2] = [("free", Edge::Free), ("clamped", Edge::Clamped)];

pub(crate) fn read_plate(table: &TableReader<'_>, builder: &mut SceneBuilder<'_>) -> Element {
    let (outline, size) = read_outline(table);
    let thickness = (Dimension::Thickness, THICKNESS_LIMITS);
    let pitch = Pitch::read(table, builder.sample_rate, &[thickness]);
    let steel = Plate::steel(size, Pitch::read_dimension(pitch.as_ref(), table, thickness, "2e-3"));
    let material = materials::read(table);
    let losses = Losses::read(table, material, Sigmas { sigma0: steel.sigma0, sigma1: steel.sigma1 });
    let [density, modulus, poisson] = material
        .map_or([steel.density, steel.youngs_modulus, steel.poisson], |material| {
            [material.density, material.youngs_modulus, material.poisson]
        });
    let plate = Plate {
        outline,
        density: table.number_or("density", DENSITY_LIMITS, density),
        youngs_modulus: table.number_or("youngs_modulus", MODULUS_LIMITS, modulus),
        poisson: table.number_or("poisson", POISSON_LIMITS, poisson),
        tension: table.number_or("tension", TENSION_PER_LENGTH_LIMITS, 0.0),
        edges: read_edges(table, outline, steel.edges),
        grid: read_grid(table, outline),
        method: read_method(table),
        touch_law: read_touch_law(table),
        patches: read_patches(table, outline, size),
        control_interval: read_control_interval(table),
        ..steel
    };
    tuning::finish(table, builder, pitch.as_ref(), &losses, plate)
}

pub(crate) fn read_membrane(table: &TableReader<'_>, builder: &mut SceneBuilder<'_>) -> Element {
    let (outline, size) = read_outline(table);
    let material = materials::read(table);
    let tension = (Dimension::Tension, TENSION_PER_LENGTH_LIMITS);
    let pitch = Pitch::read(table, builder.sample_rate, &[tension]);
    let defaults = Plate::membrane(size, 0.0, Pitch::read_dimension(pitch.as_ref(), table, tension, "2000"));
    let thickness = table.number_or("thickness", THICKNESS_LIMITS, defaults.thickness);
    let surface_density = read_surface_density(table, material, thickness);
    let losses = Losses::read(table, material, Sigmas { sigma0: defaults.sigma0, sigma1: defaults.sigma1 });
    let youngs_modulus = table.number_or("youngs_modulus", MODULUS_LIMITS, 0.0);
    let stretching_modulus = read_stretching_modulus(table, material, youngs_modulus);
    // A disc with bending stiffness cannot be simply supported, so its rim is clamped.
    let is_stiff_disc = outline == Outline::Disc && youngs_modulus > 0.0;
    let default_edges = if is_stiff_disc { [Edge::Clamped; 4] } else { defaults.edges };
    let membrane = Plate {
        outline,
        thickness,
        density: surface_density / thickness,
        youngs_modulus,
        stretching_modulus,
        poisson: material.map_or(defaults.poisson, |material| material.poisson),
        edges: read_edges(table, outline, default_edges),
        grid: read_grid(table, outline),
        method: read_method(table),
        touch_law: read_touch_law(table),
        patches: read_patches(table, outline, size),
        control_interval: read_control_interval(table),
        ..defaults
    };
    tuning::finish(table, builder, pitch.as_ref(), &losses, membrane)
}

/// Young's modulus against being stretched: given, that against being bent, or that of the material. With `nonlinear` there has to be one.
fn read_stretching_modulus(table: &TableReader<'_>, material: Option<&Material>, youngs_modulus: f64) -> Option<f64> {
    let given = table.number("stretching_modulus", MODULUS_LIMITS);
    let of_material = material.map(|material| material.youngs_modulus);
    let modulus = given.or(of_material.filter(|_| youngs_modulus == 0.0));
    if modulus.is_none() && youngs_modulus == 0.0 && read_modulates_tension(table) {
        table.mark_missing("stretching_modulus", "5e9, or material = \"mylar\"");
    }
    modulus
}

/// Mass per area: given, or that of a film of the material.
fn read_surface_density(table: &TableReader<'_>, material: Option<&Material>, thickness: f64) -> f64 {
    match material {
        Some(material) => table.number_or("surface_density", SURFACE_DENSITY_LIMITS, material.density * thickness),
        None => table.required_number("surface_density", SURFACE_DENSITY_LIMITS, "0.3"),
    }
}

/// A rectangle with `size`, or a disc with `diameter`.
fn read_outline(table: &TableReader<'_>) -> (Outline, [f64; 2]) {
    if table.has("diameter") {
        if table.has("size") {
            let hint = Some("size gives a rectangle, diameter a disc: keep one".to_owned());
            table.report("size", format!("{} has both a size and a diameter", table.kind), hint);
        }
        return (Outline::Disc, [table.number("diameter", SIDE_LENGTH_LIMITS).unwrap_or(0.3); 2]);
    }
    if !table.has("size") {
        table.mark_missing("size", "[0.3, 0.2], or diameter = 0.3 for a disc");
    }
    (Outline::Rectangle, table.number_pair("size", SIDE_LENGTH_LIMITS).unwrap_or([0.3; 2]))
}

/// Grid intervals along the sides, or along the diameter.
fn read_grid(table: &TableReader<'_>, outline: Outline) -> Option<[usize; 2]> {
    let limits = ValueLimits::new(4.0, 1e5, "");
    let intervals = match outline {
        Outline::Rectangle => table.number_pair("grid", limits),
        Outline::Disc => table.number("grid", limits).map(|along| [along; 2]),
    }?;
    if intervals.iter().any(|n| n.fract() != 0.0) {
        let hint = Some("grid is the number of intervals along each side, or along the diameter".to_owned());
        table.report("grid", format!("{}.grid must be whole", table.kind), hint);
    }
    Some(intervals.map(|n| n as usize))
}

fn read_touch_law(table: &TableReader<'_>) -> TouchLaw {
    table.choice("touch_law", &[("passive", TouchLaw::Passive), ("absolute", TouchLaw::Absolute)], TouchLaw::Passive)
}

fn read_control_interval(table: &TableReader<'_>) -> usize {
    table.number_or("control_interval", ValueLimits::new(1.0, 1e5, "samples"), 256.0) as usize
}

fn read_edges(table: &TableReader<'_>, outline: Outline, default: [Edge; 4]) -> [Edge; 4] {
    if outline == Outline::Disc {
        return [table.choice("edges", &DISC_EDGES, default[0]); 4];
    }
    let Some(names) = table.strings("edges") else { return default };
    let edges: Vec<Edge> = names.iter().filter_map(|name| table.parse_choice("edges", name, &EDGES)).collect();
    match (names.len(), &edges[..]) {
        (1, &[all]) => [all; 4],
        (4, &[a, b, c, d]) => [a, b, c, d],
        (1 | 4, _) => default,
        (count, _) => {
            let message = format!("{}.edges has {count} entries, must have 1 or 4", table.kind);
            table.report("edges", message, Some("give one for all, or left, right, bottom and top".to_owned()));
            default
        }
    }
}

/// Reads a touch and adds it to its plate.
pub(crate) fn read_touch(table: &TableReader<'_>, builder: &mut SceneBuilder<'_>) -> Option<()> {
    let plate = builder.element(table);
    let pressure = table.control("pressure", ValueLimits::new(-1e6, 1e6, "")).unwrap_or(Control::Constant(1.0));
    let mass = table.number_or("mass", ValueLimits::new(0.0, 1e5, "kg/m²"), 0.0);
    let stiffness = table.number_or("stiffness", ValueLimits::new(0.0, 1e16, "N/m³"), 0.0);
    let damping = table.number_or("damping", ValueLimits::new(0.0, 1e6, "1/s"), 0.0);
    let pressure = clamp_pressure(table, builder, pressure);
    let touch = Touch { region: read_region(table, builder)?, pressure, mass, stiffness, damping };
    if touch.mass + touch.stiffness + touch.damping == 0.0 {
        let hint = Some("add mass = 7.2, stiffness = 1e4 or damping = 250".to_owned());
        table.report("damping", "touch has neither mass, stiffness nor damping".to_owned(), hint);
    }
    let plate = plate?;
    let Element::Plate(description) = &builder.model.elements()[plate.index()] else {
        let hint = Some("only plates and membranes can be touched".to_owned());
        table.report("of", "touch.of is not a plate".to_owned(), hint);
        return None;
    };
    if is_off_plate(&touch.region, description.size) {
        let hint = Some("centre is given in fractions of the sides, from 0 to 1; radius and size in metres".to_owned());
        table.report("region", "touch.region lies outside the plate".to_owned(), hint);
    }
    builder.model.touch(plate, touch).ok().map(|_| ())
}

/// Clamps a pressure to 0 to 1, with a warning.
pub(crate) fn clamp_pressure(table: &TableReader<'_>, builder: &mut SceneBuilder<'_>, pressure: Control) -> Control {
    let outside = |value: &f64| !(0.0..=1.0).contains(value);
    if pressure.wave().is_none() && pressure.values().iter().any(outside) {
        builder.warn(
            table,
            "pressure",
            &format!("{}.pressure is outside 0 to 1 and is clamped", table.kind),
            "0 is no pressure, 1 is full pressure",
        );
    }
    match pressure {
        Control::Constant(value) => Control::Constant(value.clamp(0.0, 1.0)),
        Control::Breakpoints { time, value } => {
            Control::Breakpoints { time, value: value.into_iter().map(|value| value.clamp(0.0, 1.0)).collect() }
        }
        Control::Wave(wave) if wave.range().iter().any(outside) => {
            let [least, most] = wave.range().map(format_number);
            let message = format!("{}.pressure goes from {least} to {most}, must stay within 0 and 1", table.kind);
            table.report("pressure", message, Some("as in offset = 0.5, amplitude = 0.5".to_owned()));
            Control::Constant(0.0)
        }
        other @ (Control::Wave(_) | Control::Param(_)) => other,
    }
}

/// Whether a fixed region lies outside the plate.
fn is_off_plate(region: &Region, size: [f64; 2]) -> bool {
    let is_outside = |centre: &[Control; 2], half_size: [f64; 2]| {
        (0..2).any(|axis| match centre[axis] {
            Control::Constant(at) => {
                at * size[axis] + half_size[axis] < 0.0 || at * size[axis] - half_size[axis] > size[axis]
            }
            Control::Breakpoints { .. } | Control::Wave(_) | Control::Param(_) => false,
        })
    };
    match region {
        Region::Circle { centre, radius: Control::Constant(radius) } => is_outside(centre, [*radius; 2]),
        Region::Rectangle { centre, size: [Control::Constant(width), Control::Constant(height)] } => {
            is_outside(centre, [0.5 * width, 0.5 * height])
        }
        _ => false,
    }
}

/// Kinds of `region`.
#[derive(Clone, Copy)]
enum RegionKind {
    Everywhere,
    Circle,
    OutsideCircle,
    Rectangle,
    HalfPlane,
    Image,
}

const REGION_KINDS: [(&str, RegionKind); 6] = [
    ("everywhere", RegionKind::Everywhere),
    ("circle", RegionKind::Circle),
    ("outside-circle", RegionKind::OutsideCircle),
    ("rectangle", RegionKind::Rectangle),
    ("half-plane", RegionKind::HalfPlane),
    ("image", RegionKind::Image),
];

fn read_region(table: &TableReader<'_>, builder: &SceneBuilder<'_>) -> Option<Region> {
    if !table.has("region") {
        table.mark_missing("region", "{ kind = \"circle\", centre = [0.1, 0.5], radius = 0.04 }");
    }
    let inner = table.subtable("region", "region")?;
    let kind =
        inner.required_string("kind", "\"circle\"").and_then(|name| inner.parse_choice("kind", name, &REGION_KINDS));
    let length = ValueLimits::new(0.0, 100.0, "m");
    let region = match kind {
        Some(RegionKind::Everywhere) => Some(Region::Everywhere),
        Some(RegionKind::Circle) => read_circle(&inner).map(|(centre, radius)| Region::Circle { centre, radius }),
        Some(RegionKind::OutsideCircle) => {
            read_circle(&inner).map(|(centre, radius)| Region::OutsideCircle { centre, radius })
        }
        Some(RegionKind::Rectangle) => {
            let (centre, size) =
                (inner.control_pair("centre", TOUCH_CENTRE_LIMITS), inner.control_pair("size", length));
            centre.zip(size).map(|(centre, size)| Region::Rectangle { centre, size })
        }
        Some(RegionKind::HalfPlane) => {
            let direction = inner.number_pair("direction", ValueLimits::new(-1e6, 1e6, "")).unwrap_or([0.0, 1.0]);
            let level = inner.control("level", FRACTION_LIMITS);
            if level.is_none() {
                inner.mark_missing("level", "0.3");
            }
            level.map(|level| Region::HalfPlane { direction, level })
        }
        Some(RegionKind::Image) => read_image(&inner, builder),
        None => None,
    };
    inner.finish();
    region
}

fn read_circle(inner: &TableReader<'_>) -> Option<([Control; 2], Control)> {
    let radius = inner.control("radius", ValueLimits::new(0.0, 100.0, "m"));
    if radius.is_none() && !inner.has("radius") {
        inner.mark_missing("radius", "0.04");
    }
    inner.control_pair("centre", TOUCH_CENTRE_LIMITS).zip(radius)
}

/// An image of pressures: white is full pressure, black is none; the lower edge is at y = 0. Without a file the pressure
/// is 0 until an image is sent while the scene is played.
fn read_image(inner: &TableReader<'_>, builder: &SceneBuilder<'_>) -> Option<Region> {
    if !inner.has("file") {
        return Some(Region::Image { width: 1, values: vec![0.0] });
    }
    let file = inner.required_string("file", "\"hand.png\"")?;
    let path = builder.folder.join(file);
    match pressure_image::open(&path) {
        Ok(region) => Some(region),
        Err(reason) => {
            let hint = Some("give a PNG file, with its path relative to the scene file".to_owned());
            inner.report("file", format!("region.file is {}: {reason}", path.display()), hint);
            None
        }
    }
}
