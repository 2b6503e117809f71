//! Modes of a round plate or membrane, by the method of Ritz for every number n of nodal diameters.
//!
//! Shapes      w = R(r)·cos nθ and R(r)·sin nθ, R = Σ c_i f_i, with f_i in `radial`
//! Patches     around the centre change the mass at some radii; others are in `patches`
//! Energy      V = ½D∫[L² + M² + 2νLM + 2(1−ν)S²] + ½T∫[R′² + n²R²/r²], L = R″, M = R′/r − n²R/r², S = n(R′/r − R/r²)
//! Convergence faster than any power of the number of functions
//! Reference   Leissa (1969), Vibration of Plates, ch. 2

use crate::element::oscillator::mode_group::ModeConstants;
use crate::element::plate::exact::radial::{LoadedRadius, RadialBasis, RadialFunctions, RadialMatrices, RadialPart};
use crate::element::plate::grid::PlateMaterial;
use crate::element::ritz::eigen::{Eigenpairs, quadratic_form};
use crate::model::{Edge, Patch, Plate};
use faer::Mat;
use std::f64::consts::PI;

/// Degree beyond that which the largest wave number needs.
const MARGIN: f64 = 12.0;
/// Functions of a ring beyond those that its waves need, and for waves an octave lower.
const RING_MARGIN: f64 = 4.0;
const LOW_RING_MARGIN: f64 = 12.0;
/// Rings narrower than this are left out, as fractions of the radius.
const MIN_RING: f64 = 1e-3;

/// How a round plate is loaded from its centre to its rim.
#[derive(Clone, Debug)]
pub(crate) struct Load {
    /// Outer radii as fractions of that of the plate, and density over that of the bare plate.
    rings: Vec<[f64; 2]>,
}

impl Load {
    /// Of a plate whose patches are all around its centre.
    pub fn of(plate: &Plate) -> Self {
        let radius = 0.5 * plate.size[0];
        let bare = plate.density * plate.thickness;
        let edge = |patch: &Patch| patch.radius / radius;
        let mut radii: Vec<f64> = plate.patches.iter().map(edge).filter(|&edge| edge < 1.0 - MIN_RING).collect();
        radii.push(1.0);
        radii.sort_by(f64::total_cmp);
        radii.dedup_by(|next, previous| *next - *previous < MIN_RING);
        let mut inner = 0.0;
        let ring = |outer: f64| {
            let middle = 0.5 * (inner + outer);
            inner = outer;
            let over = plate.patches.iter().filter(|patch| edge(patch) > middle);
            [outer, 1.0 + over.map(|patch| patch.surface_density).sum::<f64>() / bare]
        };
        Self { rings: radii.into_iter().map(ring).collect() }
    }

    /// Operations that finding the modes takes, about: the cubes of the sizes of all eigenvalue problems.
    pub fn work(&self, material: &PlateMaterial, radius: f64, omega: f64) -> f64 {
        let (mut inner, mut diameters, mut functions) = (0.0, 0.0_f64, 0.0);
        for &[outer, density] in &self.rings {
            let phase = material.wave_number(omega, density) * radius;
            diameters = diameters.max(phase * outer);
            functions += 0.5 * phase * (outer - inner) + MARGIN;
            inner = outer;
        }
        diameters * functions.powi(3)
    }

    /// The functions of n nodal diameters for waves up to ω.
    fn functions(
        &self,
        diameters: u32,
        power: u32,
        material: &PlateMaterial,
        (radius, omega): (f64, f64),
    ) -> RadialFunctions {
        let basis = |degree: f64| (0.5 * (degree - f64::from(diameters))).max(3.0) as usize;
        if let [[_, density]] = self.rings[..]
            && density == 1.0
        {
            let count = basis(material.wave_number(omega, 1.0) * radius + MARGIN);
            return RadialFunctions::Whole(RadialBasis { diameters, power, count });
        }
        let mut inner = 0.0;
        let part = |&[outer, density]: &[f64; 2]| {
            let phase = material.wave_number(omega, density) * radius * (outer - inner);
            let in_ring = (0.5 * phase + RING_MARGIN).max(0.35 * phase + LOW_RING_MARGIN) as usize;
            let functions = if inner == 0.0 { basis(phase + MARGIN) } else { in_ring };
            inner = outer;
            RadialPart { outer, density, functions }
        };
        let mut parts: Vec<RadialPart> = self.rings.iter().map(part).collect();
        // A patch over all of it leaves one part: a joint within it changes nothing.
        if let [whole] = parts[..] {
            parts = vec![RadialPart { outer: 0.5, ..whole }, whole];
        }
        RadialFunctions::Loaded(LoadedRadius::new(diameters, power, &parts))
    }
}

/// One mode's place among the functions.
#[derive(Clone, Debug)]
struct DiscMode {
    basis: usize,
    coefficients: Vec<f64>,
    /// Whether it is the one with sin nθ.
    is_sine: bool,
}

/// The shapes of a round plate.
#[derive(Clone, Debug)]
pub(crate) struct DiscShapes {
    bases: Vec<RadialFunctions>,
    modes: Vec<DiscMode>,
}

impl DiscShapes {
    /// The modes with ω below `max_omega`, without order; `None` where the eigenvalues are not found.
    pub fn modes(
        material: &PlateMaterial,
        poisson: f64,
        (diameter, rim): (f64, Edge),
        load: &Load,
        max_omega: f64,
    ) -> Option<(Vec<ModeConstants>, Self)> {
        let radius = 0.5 * diameter;
        let power = match rim {
            Edge::Free | Edge::FreeFullCell => 0,
            Edge::Clamped if material.bending > 0.0 => 2,
            Edge::SimplySupported | Edge::Clamped => 1,
        };
        let [c2, kappa2] = [material.tension, material.bending].map(|x| x / material.surface_density);
        let min_wave_number_squared = radius.powi(-2);
        let eigenvalue_shift = min_wave_number_squared * (c2 + kappa2 * min_wave_number_squared);
        let (mut found, mut shapes) = (Vec::new(), Self { bases: Vec::new(), modes: Vec::new() });
        // Translation; without tension, rotation too.
        let rigid = |diameters: u32| power == 0 && (diameters == 0 || (diameters == 1 && material.tension == 0.0));
        for diameters in 0_u32.. {
            let functions = load.functions(diameters, power, material, (radius, max_omega));
            let RadialMatrices { gradient, bending, mass } = functions.matrices(poisson);
            let count = functions.count();
            let stiffness = Mat::from_fn(count, count, |i, j| {
                (c2 * gradient[(i, j)] + kappa2 * bending[(i, j)] / radius.powi(2)) / radius.powi(2)
            });
            let eigen = match &functions {
                RadialFunctions::Whole(_) => Eigenpairs::of(stiffness, eigenvalue_shift)?,
                RadialFunctions::Loaded(_) => Eigenpairs::of_pencil(&stiffness, &mass, eigenvalue_shift)?,
            };
            let omega = |mode: usize| {
                if mode == 0 && rigid(diameters) { 0.0 } else { eigen.values[mode].sqrt() }
            };
            let below = (0..count).take_while(|&mode| omega(mode) < max_omega).count();
            if below == 0 {
                break;
            }
            for mode in 0..below {
                let coefficients = eigen.vector(mode);
                let slope = quadratic_form(&gradient, &coefficients);
                let around = if diameters == 0 { 2.0 * PI } else { PI };
                for is_sine in [false, true].into_iter().take(if diameters == 0 { 1 } else { 2 }) {
                    found.push(ModeConstants {
                        omega: omega(mode),
                        sigma: material.sigma0 + material.sigma1 * slope / radius.powi(2),
                        mass: material.surface_density * around * radius.powi(2),
                    });
                    let coefficients = coefficients.clone();
                    shapes.modes.push(DiscMode { basis: diameters as usize, coefficients, is_sine });
                }
            }
            shapes.bases.push(functions);
        }
        Some((found, shapes))
    }

    /// The displacement of every mode at fractions of the diameter.
    pub fn at(&self, place: [f64; 2]) -> Vec<f64> {
        let [x, y] = place.map(|fraction| 2.0 * fraction - 1.0);
        // In the centre itself slopes would be 0/0.
        let (rho, angle) = (x.hypot(y).clamp(1e-9, 1.0), y.atan2(x));
        let radial: Vec<_> = self.bases.iter().map(|basis| basis.at(rho)).collect();
        let value = |mode: &DiscMode| {
            let terms = radial[mode.basis].iter().map(|(place, f)| mode.coefficients[*place] * f.value);
            let phase = f64::from(self.bases[mode.basis].diameters()) * angle;
            terms.sum::<f64>() * if mode.is_sine { phase.sin() } else { phase.cos() }
        };
        self.modes.iter().map(value).collect()
    }

    /// Puts the modes in another order.
    pub fn reorder(&mut self, order: &[usize]) {
        self.modes = order.iter().map(|&mode| self.modes[mode].clone()).collect();
    }
}
