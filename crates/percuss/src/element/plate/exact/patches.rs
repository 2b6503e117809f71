//! Modes of a plate or membrane with patches anywhere on it, by the method of Ritz with the modes of the bare plate.
//!
//! Shapes      w = Σ c_i φ_i/√m_i, φ_i the modes of the bare plate, m_i their modal masses: they meet all conditions at the edges,
//!             since patches have no stiffness
//! Problem     diag(ω_i²)c = ω²(1 + B)c, B_ij = Σμ∫φ_iφ_j/√(m_im_j) over each patch of surface density μ
//! Classes     modes that no patch couples, by symmetry or by their distance, stay apart
//! Convergence as N^{−3/2} for membranes and N^{−5/2} for plates with the number of modes N of the bare plate, since the density jumps
//! Decay       σ = σ₀ + σ₁s, s = Σ c_i²s_i; exact for membranes and where the modes are products of sines, and of first order in the
//!             patches elsewhere
//! Allocates   in all of it

use crate::element::oscillator::mode_group::ModeConstants;
use crate::element::plate::grid::PlateMaterial;
use crate::element::ritz::eigen::{Eigenpairs, gram};
use crate::element::ritz::jacobi::gauss_legendre;
use crate::model::{Patch, Plate};
use faer::Mat;
use std::f64::consts::{PI, TAU};
use std::fmt::Debug;
use std::sync::Arc;

/// Points along the radius and around a patch beyond those that its waves need.
const RADIAL_MARGIN: f64 = 8.0;
const ANGULAR_MARGIN: f64 = 16.0;
/// Couplings below this are rounding.
const COUPLING: f64 = 1e-11;

/// The modes of a plate with patches as sums of those of the bare plate.
#[derive(Clone, Debug)]
pub(crate) struct PatchedShapes {
    bare: Arc<dyn BareModes>,
    /// Modes of the bare plate that are coupled with each other.
    classes: Vec<Vec<usize>>,
    /// Of every mode, its class and the factors there.
    modes: Vec<(usize, Vec<f64>)>,
}

/// A point on a patch, as fractions of the sides, and its surface density times its area \[kg\].
struct LoadPoint {
    at: [f64; 2],
    mass: f64,
}

/// Points along the radius and around a patch for waves up to a wave number.
fn point_counts(patch: &Patch, wave_number: f64) -> [usize; 2] {
    let phase = wave_number * patch.radius;
    [(phase + RADIAL_MARGIN) as usize, (4.0 * phase + ANGULAR_MARGIN) as usize]
}

/// Points on all patches for waves up to a wave number.
pub(crate) fn point_count(patches: &[Patch], wave_number: f64) -> f64 {
    patches.iter().map(|patch| point_counts(patch, wave_number).map(|n| n as f64).iter().product::<f64>()).sum()
}

/// By Gauss's rule along the radius and equal steps around.
fn load_points(plate: &Plate, wave_number: f64) -> Vec<LoadPoint> {
    let of_patch = |patch: &Patch| {
        let [along, around] = point_counts(patch, wave_number);
        let (patch, size) = (*patch, plate.size);
        gauss_legendre(along).into_iter().flat_map(move |point| {
            let radius = 0.5 * patch.radius * (1.0 + point.x);
            let mass = patch.surface_density * 0.5 * patch.radius * point.weight * radius * TAU / around as f64;
            (0..around).map(move |n| {
                let (sin, cos) = (TAU * n as f64 / around as f64).sin_cos();
                let at = [patch.centre[0] + radius * cos / size[0], patch.centre[1] + radius * sin / size[1]];
                LoadPoint { at, mass }
            })
        })
    };
    plate.patches.iter().flat_map(of_patch).collect()
}

/// The modes of the plate without patches.
pub(crate) trait BareModes: Debug + Send + Sync {
    fn constants(&self) -> &[ModeConstants];

    /// The displacement of every mode at fractions of the sides.
    fn at(&self, place: [f64; 2]) -> Vec<f64>;

    /// The same at all crossings of columns and rows, row by row, mode by mode at each.
    fn on_grid(&self, columns: &[f64], rows: &[f64]) -> Vec<f64>;
}

impl PatchedShapes {
    /// The modes with ω below `max_omega` from those of the bare plate, without order; `None` where the eigenvalues are not found.
    pub fn modes(
        plate: &Plate,
        material: &PlateMaterial,
        bare: Arc<dyn BareModes>,
        wave_number: f64,
        max_omega: f64,
    ) -> Option<(Vec<ModeConstants>, Self)> {
        let added = added_mass(plate, &*bare, wave_number);
        let classes = coupled(&added);
        let shift = (PI / plate.size[0].max(plate.size[1])).powi(2);
        let shift = shift * (material.tension + material.bending * shift) / material.surface_density;
        let (mut found, mut modes) = (Vec::new(), Vec::new());
        for (index, class) in classes.iter().enumerate() {
            let size = class.len();
            let equal = |i: usize, j: usize| if i == j { 1.0 } else { 0.0 };
            let stiffness = Mat::from_fn(size, size, |i, j| equal(i, j) * bare.constants()[class[i]].omega.powi(2));
            let mass = Mat::from_fn(size, size, |i, j| equal(i, j) + added[(class[i], class[j])]);
            let rigid = class.iter().filter(|&&mode| bare.constants()[mode].omega == 0.0).count();
            let eigen = Eigenpairs::of_pencil(&stiffness, &mass, shift)?;
            for mode in 0..size {
                let omega = if mode < rigid { 0.0 } else { eigen.values[mode].sqrt() };
                if omega >= max_omega {
                    break;
                }
                let vector = eigen.vector(mode);
                let losses = class
                    .iter()
                    .zip(&vector)
                    .map(|(&mode, c)| c * c * (bare.constants()[mode].sigma - material.sigma0));
                found.push(ModeConstants { omega, sigma: material.sigma0 + losses.sum::<f64>(), mass: 1.0 });
                let factors = class.iter().zip(&vector).map(|(&mode, c)| c / bare.constants()[mode].mass.sqrt());
                modes.push((index, factors.collect()));
            }
        }
        Some((found, Self { bare, classes, modes }))
    }

    /// The displacement of every mode at fractions of the sides.
    pub fn at(&self, place: [f64; 2]) -> Vec<f64> {
        self.of_bare(&self.bare.at(place))
    }

    /// The same at all crossings of columns and rows, row by row, mode by mode at each.
    pub fn on_grid(&self, columns: &[f64], rows: &[f64]) -> Vec<f64> {
        let bare = self.bare.on_grid(columns, rows);
        bare.chunks_exact(self.bare.constants().len()).flat_map(|values| self.of_bare(values)).collect()
    }

    fn of_bare(&self, values: &[f64]) -> Vec<f64> {
        let sum = |(class, factors): &(usize, Vec<f64>)| {
            self.classes[*class].iter().zip(factors).map(|(&mode, factor)| factor * values[mode]).sum()
        };
        self.modes.iter().map(sum).collect()
    }

    /// Puts the modes in another order.
    pub fn reorder(&mut self, order: &[usize]) {
        self.modes = order.iter().map(|&mode| self.modes[mode].clone()).collect();
    }
}

/// B.
fn added_mass(plate: &Plate, bare: &dyn BareModes, wave_number: f64) -> Mat<f64> {
    let points = load_points(plate, wave_number);
    let count = bare.constants().len();
    let mut weighted = Mat::<f64>::zeros(points.len(), count);
    for (row, point) in points.iter().enumerate() {
        for (mode, (value, constants)) in bare.at(point.at).into_iter().zip(bare.constants()).enumerate() {
            weighted[(row, mode)] = value * (point.mass / constants.mass).sqrt();
        }
    }
    gram(&weighted)
}

/// Sets of indices that a symmetric matrix couples.
fn coupled(matrix: &Mat<f64>) -> Vec<Vec<usize>> {
    let count = matrix.nrows();
    let mut is_open = vec![true; count];
    let mut classes = Vec::new();
    for first in 0..count {
        if !std::mem::take(&mut is_open[first]) {
            continue;
        }
        let (mut class, mut next) = (vec![first], 0);
        while next < class.len() {
            let one = class[next];
            let is_coupled = |&other: &usize| {
                matrix[(one, other)].abs() > COUPLING * (matrix[(one, one)] * matrix[(other, other)]).sqrt()
            };
            let found: Vec<usize> = (0..count).filter(|&other| is_open[other]).filter(is_coupled).collect();
            found.iter().for_each(|&other| is_open[other] = false);
            class.extend(found);
            next += 1;
        }
        class.sort_unstable();
        classes.push(class);
    }
    classes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::plate::exact::modes::{PlateModes, bare_range};
    use crate::error::{Check, Subject};
    use crate::model::{Edge, Outline};

    /// A cent, as a ratio.
    const CENT: f64 = 5.8e-4;

    fn disc(plate: Plate, patches: &[(f64, f64)]) -> Plate {
        let patch = |&(radius, surface_density): &(f64, f64)| Patch { centre: [0.5; 2], radius, surface_density };
        Plate { outline: Outline::Disc, patches: patches.iter().map(patch).collect(), ..plate }
    }

    fn drum(patches: &[(f64, f64)]) -> Plate {
        disc(Plate { edges: [Edge::Clamped; 4], ..Plate::membrane([0.2; 2], 0.25, 2500.0) }, patches)
    }

    fn material(plate: &Plate) -> PlateMaterial {
        PlateMaterial::of(plate, Check(Subject::Model)).unwrap()
    }

    fn omegas(plate: &Plate, max_omega: f64) -> Vec<f64> {
        let modes = PlateModes::new(plate, &material(plate), max_omega).unwrap();
        modes.modes.iter().map(|mode| mode.omega).collect()
    }

    /// R at the rim, of R″ + R′/r + (ω²ρH/T − n²/r²)R = 0 stepped from near the centre by Runge and Kutta.
    fn rim(plate: &Plate, n: f64, omega: f64) -> f64 {
        const STEPS: usize = 1500;
        let radius = 0.5 * plate.size[0];
        let mut radii: Vec<f64> = plate.patches.iter().map(|patch| patch.radius).collect();
        radii.extend([1e-3 * radius, radius]);
        radii.sort_by(f64::total_cmp);
        let density = |r: f64| {
            let over = plate.patches.iter().filter(|patch| patch.radius > r);
            plate.density * plate.thickness + over.map(|patch| patch.surface_density).sum::<f64>()
        };
        let centre = omega * omega * density(0.0) / plate.tension;
        let [start, square] = [radii[0], centre * radii[0] * radii[0]];
        // The series of Bessel's function.
        let series = |p: f64| p - (p + 2.0) * square / (4.0 * (n + 1.0));
        let mut y = [1.0 - square / (4.0 * (n + 1.0)), series(n) / start];
        for span in radii.windows(2) {
            let wave = omega * omega * density(0.5 * (span[0] + span[1])) / plate.tension;
            let h = (span[1] - span[0]) / STEPS as f64;
            let slope = |r: f64, y: [f64; 2]| [y[1], (n * n / (r * r) - wave) * y[0] - y[1] / r];
            let add = |y: [f64; 2], k: [f64; 2], h: f64| [y[0] + h * k[0], y[1] + h * k[1]];
            for step in 0..STEPS {
                let r = span[0] + step as f64 * h;
                let a = slope(r, y);
                let b = slope(r + 0.5 * h, add(y, a, 0.5 * h));
                let c = slope(r + 0.5 * h, add(y, b, 0.5 * h));
                let d = slope(r + h, add(y, c, h));
                y = std::array::from_fn(|i| y[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
            }
        }
        y[0]
    }

    /// Ramakrishna and Sondhi (1954): a membrane of two densities; here of three too, against the equation stepped along the radius.
    #[test]
    fn loaded_drums_have_the_frequencies_of_the_equation_stepped_along_the_radius() {
        for plate in [drum(&[(0.04, 2.2)]), drum(&[(0.04, 1.0), (0.055, 0.5)]), drum(&[(0.1, 0.3)])] {
            let found = omegas(&plate, 12_000.0);
            assert!(found.len() > 12, "{}", found.len());
            for omega in found {
                let is_root = |n: u32| {
                    let [below, above] = [1.0 - 1e-5, 1.0 + 1e-5].map(|f| rim(&plate, f64::from(n), f * omega));
                    below * above < 0.0
                };
                assert!((0..24).any(is_root), "{:?}: {omega}", plate.patches);
            }
        }
    }

    #[test]
    fn modes_from_those_of_the_bare_plate_are_those_found_ring_by_ring() {
        let free = disc(Plate { edges: [Edge::Free; 4], ..Plate::steel([0.3; 2], 2e-3) }, &[(0.05, 8.0)]);
        let clamped = Plate { edges: [Edge::Clamped; 4], ..free.clone() };
        for (plate, bound) in [(drum(&[(0.04, 2.2)]), CENT), (free, 1e-5), (clamped, 1e-5)] {
            let material = material(&plate);
            let max_omega = if plate.tension > 0.0 { 12_000.0 } else { 20_000.0 };
            let direct = omegas(&plate, max_omega);
            let bare = Plate { patches: Vec::new(), ..plate.clone() };
            let range = bare_range(&plate, &material, max_omega);
            let bare_modes = PlateModes::new(&bare, &material, range).unwrap();
            let wave_number = material.wave_number(range, 1.0);
            let (mut modes, _) =
                PatchedShapes::modes(&plate, &material, Arc::new(bare_modes), wave_number, max_omega).unwrap();
            modes.sort_by(|one, other| one.omega.total_cmp(&other.omega));
            assert_eq!(modes.len(), direct.len());
            for (mode, direct) in modes.iter().zip(&direct) {
                // A basis that is too small is too stiff.
                assert!(mode.omega >= direct * (1.0 - 1e-9), "{} and {direct}", mode.omega);
                assert!(mode.omega <= direct * (1.0 + bound), "{} and {direct}", mode.omega);
            }
        }
    }

    /// Mean of φ² over the first patch, by a sum over squares.
    fn mean_squares(modes: &PlateModes, plate: &Plate) -> Vec<f64> {
        const ACROSS: usize = 30;
        let patch = plate.patches[0];
        let place = |n: usize| (2 * n + 1) as f64 / ACROSS as f64 - 1.0;
        let points = (0..ACROSS * ACROSS).map(|n| [place(n % ACROSS), place(n / ACROSS)]);
        let inside: Vec<[f64; 2]> = points.filter(|[x, y]| x.hypot(*y) < 1.0).collect();
        let mut sums = vec![0.0; modes.modes.len()];
        for point in &inside {
            let at = [0, 1].map(|axis| patch.centre[axis] + point[axis] * patch.radius / plate.size[axis]);
            sums.iter_mut().zip(modes.at(at)).for_each(|(sum, value)| *sum += value * value / inside.len() as f64);
        }
        sums
    }

    /// Rayleigh: a small mass m lowers ω by ½ω·mφ²/∫ρHφ².
    #[test]
    fn a_small_patch_lowers_modes_by_its_share_of_their_kinetic_energy() {
        use Edge::{Clamped as C, Free as F, SimplySupported as S};
        for edges in [[S; 4], [F; 4], [C, F, S, S]] {
            // Sides whose partials do not coincide: a patch would split a pair.
            let bare = Plate { edges, ..Plate::steel([0.31, 0.19], 2e-3) };
            let (centre, radius) = ([0.31, 0.44], 0.003);
            let patch = Patch { centre, radius, surface_density: 1.0 };
            let loaded = Plate { patches: vec![patch], ..bare.clone() };
            let max_omega = 15_000.0;
            let (material, found) = (material(&bare), omegas(&loaded, max_omega));
            // In the basis in which the patch is put: a smaller one has modes that are up to 1e-4 higher near its end, and the patch lowers
            // them by less than that.
            let modes = PlateModes::new(&bare, &material, bare_range(&loaded, &material, max_omega)).unwrap();
            let squares = mean_squares(&modes, &loaded);
            assert_eq!(found.len(), modes.modes.iter().filter(|mode| mode.omega < max_omega).count());
            let mass = patch.surface_density * PI * radius * radius;
            let plate_mass = material.surface_density * bare.size[0] * bare.size[1];
            for (index, ((omega, mode), square)) in found.iter().zip(&modes.modes).zip(squares).enumerate() {
                if mode.omega == 0.0 {
                    assert_eq!(*omega, 0.0, "rigid motions stay rigid");
                    continue;
                }
                let expected = 0.5 * mass * square / mode.mass * mode.omega;
                let lowered = mode.omega - omega;
                // Of second order, other modes are mixed in, the more the closer they are; where a mode has its node on the patch that
                // is all there is. Away from edges the square of a mode is at most 4 times its mean.
                let coupling = 0.5 * mass * 4.0 / plate_mass * mode.omega;
                let others = modes.modes.iter().enumerate().filter(|(other, _)| *other != index);
                let mixed: f64 = others.map(|(_, other)| coupling * coupling / (other.omega - mode.omega).abs()).sum();
                let bound = 0.03 * expected + mixed;
                let rounding = 1e-8 * mode.omega;
                assert!((lowered - expected).abs() <= bound + rounding, "{edges:?}: {lowered}, {expected}");
            }
        }
    }
}
