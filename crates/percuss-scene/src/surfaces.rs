//! Tables that describe plates and membranes, and what touches them: plate, membrane, touch.

use crate::build::Builder;
use crate::elements::{DENSITY, MODULUS, SIGMA0, SIGMA1};
use crate::fields::Fields;
use crate::limits::{Limits, within};
use percuss::{Control, Edge, Element, Outline, Plate, Region, Touch};

const SIDE: Limits = within(1e-3, 100.0, "m");
const THICKNESS: Limits = within(1e-6, 0.05, "m");
const TENSION: Limits = within(0.0, 1e6, "N/m");
const FRACTION: Limits = within(0.0, 1.0, "");
/// A hand may come from outside the plate.
const NEARBY: Limits = within(-10.0, 10.0, "");

const EDGES: [(&str, Edge); 4] = [
    ("simply-supported", Edge::SimplySupported),
    ("clamped", Edge::Clamped),
    ("free", Edge::Free),
    ("free-full-cell", Edge::FreeFullCell),
];

/// A disc's rim is the same all round.
const RIMS: [(&str, Edge); 2] = [("free", Edge::Free), ("clamped", Edge::Clamped)];

pub(crate) fn plate(fields: &Fields<'_>, _: &mut Builder<'_>) -> Element {
    let (outline, size) = outline(fields);
    let steel = Plate::steel(size, fields.required("thickness", THICKNESS, "2e-3"));
    Plate {
        outline,
        density: fields.number_or("density", DENSITY, steel.density),
        youngs_modulus: fields.number_or("youngs_modulus", MODULUS, steel.youngs_modulus),
        poisson: fields.number_or("poisson", within(0.0, 0.499, ""), steel.poisson),
        tension: fields.number_or("tension", TENSION, 0.0),
        sigma0: fields.number_or("sigma0", SIGMA0, steel.sigma0),
        sigma1: fields.number_or("sigma1", SIGMA1, steel.sigma1),
        edges: edges(fields, outline, steel.edges),
        grid: grid(fields, outline),
        control_interval: control_interval(fields),
        ..steel
    }
    .into()
}

pub(crate) fn membrane(fields: &Fields<'_>, _: &mut Builder<'_>) -> Element {
    let surface_density = fields.required("surface_density", within(1e-3, 1e3, "kg/m²"), "0.3");
    let (outline, size) = outline(fields);
    let skin = Plate::membrane(size, surface_density, fields.required("tension", TENSION, "2000"));
    let thickness = fields.number_or("thickness", THICKNESS, skin.thickness);
    let youngs_modulus = fields.number_or("youngs_modulus", MODULUS, 0.0);
    // A rim that is held clamps a skin that resists bending.
    let is_stiff_disc = outline == Outline::Disc && youngs_modulus > 0.0;
    let held = if is_stiff_disc { [Edge::Clamped; 4] } else { skin.edges };
    Plate {
        outline,
        thickness,
        density: surface_density / thickness,
        youngs_modulus,
        sigma0: fields.number_or("sigma0", SIGMA0, skin.sigma0),
        sigma1: fields.number_or("sigma1", SIGMA1, skin.sigma1),
        edges: edges(fields, outline, held),
        grid: grid(fields, outline),
        control_interval: control_interval(fields),
        ..skin
    }
    .into()
}

/// A rectangle of some size, or a disc of some diameter.
fn outline(fields: &Fields<'_>) -> (Outline, [f64; 2]) {
    if fields.has("diameter") {
        if fields.has("size") {
            let hint = Some("size makes a rectangle, diameter a disc: keep one".to_owned());
            fields.complain("size", format!("{} has both a size and a diameter", fields.kind), hint);
        }
        return (Outline::Disc, [fields.number("diameter", SIDE).unwrap_or(0.3); 2]);
    }
    if !fields.has("size") {
        fields.missing("size", "[0.3, 0.2], or diameter = 0.3 for a round one");
    }
    (Outline::Rectangle, fields.pair("size", SIDE).unwrap_or([0.3; 2]))
}

/// Intervals along the sides; along the diameter one number will do.
fn grid(fields: &Fields<'_>, outline: Outline) -> Option<[usize; 2]> {
    let limits = within(4.0, 1e5, "");
    let intervals = match outline {
        Outline::Rectangle => fields.pair("grid", limits),
        Outline::Disc => fields.number("grid", limits).map(|along| [along; 2]),
    }?;
    if intervals.iter().any(|n| n.fract() != 0.0) {
        let hint = Some("it counts the intervals between grid points along each side, or the diameter".to_owned());
        fields.complain("grid", format!("{}.grid must be whole", fields.kind), hint);
    }
    Some(intervals.map(|n| n as usize))
}

fn control_interval(fields: &Fields<'_>) -> usize {
    fields.number_or("control_interval", within(1.0, 1e5, "samples"), 256.0) as usize
}

fn edges(fields: &Fields<'_>, outline: Outline, default: [Edge; 4]) -> [Edge; 4] {
    if outline == Outline::Disc {
        return [fields.choice("edges", &RIMS, default[0]); 4];
    }
    let Some(words) = fields.words("edges") else { return default };
    let read: Vec<Edge> = words.iter().filter_map(|word| fields.choose("edges", word, &EDGES)).collect();
    match (words.len(), &read[..]) {
        (1, &[all]) => [all; 4],
        (4, &[a, b, c, d]) => [a, b, c, d],
        (1 | 4, _) => default,
        (count, _) => {
            let message = format!("{}.edges has {count} entries, must have 1 or 4", fields.kind);
            fields.complain("edges", message, Some("one for all, or left, right, bottom and top".to_owned()));
            default
        }
    }
}

/// Reads a touch and lays it on its plate.
pub(crate) fn touch(fields: &Fields<'_>, builder: &mut Builder<'_>) -> Option<()> {
    let plate = builder.element(fields);
    let pressure = fields.control("pressure", within(-1e6, 1e6, "")).unwrap_or(Control::Constant(1.0));
    let mass = fields.number_or("mass", within(0.0, 1e5, "kg/m²"), 0.0);
    let stiffness = fields.number_or("stiffness", within(0.0, 1e16, "N/m³"), 0.0);
    let damping = fields.number_or("damping", within(0.0, 1e6, "1/s"), 0.0);
    let pressure = clamped(fields, builder, pressure);
    let touch = Touch { region: region(fields, builder)?, pressure, mass, stiffness, damping };
    if touch.mass + touch.stiffness + touch.damping == 0.0 {
        let hint = Some("add mass = 7.2, stiffness = 1e4 or damping = 250".to_owned());
        fields.complain("damping", "touch has neither mass, stiffness nor damping".to_owned(), hint);
    }
    let plate = plate?;
    let Element::Plate(described) = &builder.model.elements()[plate.index()] else {
        let hint = Some("only plates and membranes can be touched".to_owned());
        fields.complain("of", "touch.of is not a plate".to_owned(), hint);
        return None;
    };
    if is_beside(&touch.region, described.size) {
        let hint = Some("centre is given in fractions of the sides, from 0 to 1; radius and size in metres".to_owned());
        fields.complain("region", "touch.region lies outside the plate".to_owned(), hint);
    }
    builder.model.touch(plate, touch);
    Some(())
}

/// Pressures outside 0 to 1 are brought into the range, with a warning.
pub(crate) fn clamped(fields: &Fields<'_>, builder: &mut Builder<'_>, pressure: Control) -> Control {
    let outside = |value: &f64| !(0.0..=1.0).contains(value);
    if pressure.values().iter().any(outside) {
        builder.warn(
            fields,
            "pressure",
            &format!("{}.pressure leaves the range from 0 to 1 and is held to it", fields.kind),
            &format!("0 is no {0}, 1 the full one", fields.kind),
        );
    }
    match pressure {
        Control::Constant(value) => Control::Constant(value.clamp(0.0, 1.0)),
        Control::Breakpoints { time, value } => {
            Control::Breakpoints { time, value: value.into_iter().map(|value| value.clamp(0.0, 1.0)).collect() }
        }
        played @ Control::Param(_) => played,
    }
}

/// Whether a region that stays where it is misses the plate.
fn is_beside(region: &Region, size: [f64; 2]) -> bool {
    let beyond = |centre: &[Control; 2], reach: [f64; 2]| {
        (0..2).any(|axis| match centre[axis] {
            Control::Constant(at) => at * size[axis] + reach[axis] < 0.0 || at * size[axis] - reach[axis] > size[axis],
            Control::Breakpoints { .. } | Control::Param(_) => false,
        })
    };
    match region {
        Region::Circle { centre, radius: Control::Constant(radius) } => beyond(centre, [*radius; 2]),
        Region::Rectangle { centre, size: [Control::Constant(width), Control::Constant(height)] } => {
            beyond(centre, [0.5 * width, 0.5 * height])
        }
        _ => false,
    }
}

fn region(fields: &Fields<'_>, builder: &Builder<'_>) -> Option<Region> {
    #[derive(Clone, Copy)]
    enum Kind {
        Everywhere,
        Circle,
        OutsideCircle,
        Rectangle,
        HalfPlane,
        Image,
    }
    const KINDS: [(&str, Kind); 6] = [
        ("everywhere", Kind::Everywhere),
        ("circle", Kind::Circle),
        ("outside-circle", Kind::OutsideCircle),
        ("rectangle", Kind::Rectangle),
        ("half-plane", Kind::HalfPlane),
        ("image", Kind::Image),
    ];
    if !fields.has("region") {
        fields.missing("region", "{ kind = \"circle\", centre = [0.1, 0.5], radius = 0.04 }");
    }
    let inner = fields.inner("region", "region")?;
    let kind = inner.required_text("kind", "\"circle\"").and_then(|word| inner.choose("kind", word, &KINDS));
    let length = within(0.0, 100.0, "m");
    let region = match kind {
        Some(Kind::Everywhere) => Some(Region::Everywhere),
        Some(Kind::Circle) => circle(&inner).map(|(centre, radius)| Region::Circle { centre, radius }),
        Some(Kind::OutsideCircle) => circle(&inner).map(|(centre, radius)| Region::OutsideCircle { centre, radius }),
        Some(Kind::Rectangle) => {
            let (centre, size) = (inner.controls("centre", NEARBY), inner.controls("size", length));
            centre.zip(size).map(|(centre, size)| Region::Rectangle { centre, size })
        }
        Some(Kind::HalfPlane) => {
            let direction = inner.pair("direction", within(-1e6, 1e6, "")).unwrap_or([0.0, 1.0]);
            let level = inner.control("level", FRACTION);
            if level.is_none() {
                inner.missing("level", "0.3");
            }
            level.map(|level| Region::HalfPlane { direction, level })
        }
        Some(Kind::Image) => image(&inner, builder),
        None => None,
    };
    inner.finish();
    region
}

fn circle(inner: &Fields<'_>) -> Option<([Control; 2], Control)> {
    let radius = inner.control("radius", within(0.0, 100.0, "m"));
    if radius.is_none() && !inner.has("radius") {
        inner.missing("radius", "0.04");
    }
    inner.controls("centre", NEARBY).zip(radius)
}

/// A picture file: white presses fully, black not at all; its lower edge lies at y = 0. Without one nothing presses
/// until a picture is sent while the scene is played.
fn image(inner: &Fields<'_>, builder: &Builder<'_>) -> Option<Region> {
    if !inner.has("file") {
        return Some(Region::Image { width: 1, values: vec![0.0] });
    }
    let file = inner.required_text("file", "\"hand.png\"")?;
    let path = builder.folder.join(file);
    let picture = image::ImageReader::open(&path)
        .map_err(|error| error.to_string())
        .and_then(|reader| reader.with_guessed_format().map_err(|error| error.to_string()))
        .and_then(|reader| reader.decode().map_err(|error| format!("not a PNG picture ({error})")));
    match picture {
        Ok(picture) => {
            let grey = picture.to_luma16();
            let rows: Vec<_> = grey.rows().collect();
            let values = rows.into_iter().rev().flatten().map(|pixel| f64::from(pixel.0[0]) / 65_535.0).collect();
            Some(Region::Image { width: grey.width() as usize, values })
        }
        Err(reason) => {
            let hint = Some("give a PNG file, with its path from the scene file".to_owned());
            inner.complain("file", format!("region.file is {}: {reason}", path.display()), hint);
            None
        }
    }
}
