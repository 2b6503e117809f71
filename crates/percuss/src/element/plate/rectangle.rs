//! The stiffness of a rectangular plate, assembled from its energy so that it is symmetric whatever the edges.
//!
//! Inside      ½D[u_xx² + u_yy² + 2νu_xxu_yy] per node, ½D·2(1−ν)u_xy² per cell; without free edges ½D(Δu)² per node
//! Clamped     the edge node has u_xx = 2u₁/h² (u_yy = 0), weight ½
//! Supported   the edge node stores nothing
//! Free        m_x = 0 on an x-edge, so u_xx = −νu_yy there and the node stores ½D(1−ν²)u_yy², weight ½; corners nothing
//! Free-paper  the same with weight 1
//! Membrane    ½T[u_x² + u_y²] per interval; the same form makes the damping Laplacian
//! Bound       eigenvalues of K/w: at most 64/h⁴ for D, 8/h² for T
//! Reference   Bilbao (2009), ch. 12; van Walstijn et al. (2021), eqs. 36–44, with centred free edges

use crate::model::Edge;
use std::collections::BTreeMap;

/// A linear form on the nodes of the grid: (i, j, coefficient).
pub(crate) type Form = Vec<(usize, usize, f64)>;

/// One row of an operator: neighbours of a node and their coefficients.
pub(crate) type OperatorRow = BTreeMap<(usize, usize), f64>;

/// A grid of square cells and its edges.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rectangle {
    pub intervals: [usize; 2],
    pub spacing: f64,
    pub edges: [Edge; 4],
    /// Poisson's ratio as the energy needs it: between fixed edges the cell terms sum to nothing, and ν drops out.
    pub nu: f64,
}

impl Rectangle {
    pub fn new(intervals: [usize; 2], spacing: f64, edges: [Edge; 4], poisson: f64) -> Self {
        let nu = if edges.into_iter().any(Self::is_free) { poisson } else { 1.0 };
        Self { intervals, spacing, edges, nu }
    }

    fn is_free(edge: Edge) -> bool {
        matches!(edge, Edge::Free | Edge::FreeFullCell)
    }

    /// The edge a coordinate lies on, if any.
    fn edge(&self, axis: usize, at: usize) -> Option<Edge> {
        if at == 0 {
            Some(self.edges[2 * axis])
        } else if at == self.intervals[axis] {
            Some(self.edges[2 * axis + 1])
        } else {
            None
        }
    }

    pub fn moves(&self, i: usize, j: usize) -> bool {
        [(0, i), (1, j)].into_iter().all(|(axis, at)| self.edge(axis, at).is_none_or(Self::is_free))
    }

    /// Share of a cell along one axis.
    pub fn share(&self, axis: usize, at: usize) -> f64 {
        match self.edge(axis, at) {
            None | Some(Edge::FreeFullCell) => 1.0,
            Some(_) => 0.5,
        }
    }

    /// Columns of a row in which the uniform update holds.
    pub fn interior(&self, j: usize) -> std::ops::Range<usize> {
        let [columns, rows] = self.intervals;
        if (3..rows.saturating_sub(2)).contains(&j) { 3..columns.saturating_sub(2) } else { 0..0 }
    }

    /// Share of a full cell a node stands for.
    pub fn weight(&self, i: usize, j: usize) -> f64 {
        self.share(0, i) * self.share(1, j)
    }

    /// Second difference along an axis; `None` where a free edge lets it follow from the other.
    fn curvature(&self, axis: usize, i: usize, j: usize) -> Option<Form> {
        let h2 = self.spacing.powi(2);
        let at = [i, j][axis];
        let node = |at: usize| if axis == 0 { (at, j) } else { (i, at) };
        let term = |at: usize, value: f64| (node(at).0, node(at).1, value / h2);
        match self.edge(axis, at) {
            None => Some(vec![term(at - 1, 1.0), term(at, -2.0), term(at + 1, 1.0)]),
            Some(Edge::Clamped) => Some(vec![term(if at == 0 { 1 } else { at - 1 }, 2.0)]),
            Some(Edge::SimplySupported) => Some(Vec::new()),
            Some(Edge::Free | Edge::FreeFullCell) => None,
        }
    }

    /// Row of the bending operator ΔΔ at a moving node.
    pub fn bending_row(&self, i: usize, j: usize) -> OperatorRow {
        let mut row = OperatorRow::new();
        let nu = self.nu;
        for (k, l) in self.around(i, j) {
            let weight = self.weight(k, l);
            match (self.curvature(0, k, l), self.curvature(1, k, l)) {
                (Some(x), Some(y)) => {
                    self.add(&mut row, (i, j), &x, &x, weight);
                    self.add(&mut row, (i, j), &y, &y, weight);
                    self.add(&mut row, (i, j), &x, &y, nu * weight);
                    self.add(&mut row, (i, j), &y, &x, nu * weight);
                }
                (Some(one), None) | (None, Some(one)) => {
                    self.add(&mut row, (i, j), &one, &one, (1.0 - nu * nu) * weight);
                }
                (None, None) => {}
            }
        }
        let twist = 1.0 / self.spacing.powi(2);
        for (k, l) in [(i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1)] {
            // Cells by their upper corner.
            if k >= 1 && l >= 1 && k <= self.intervals[0] && l <= self.intervals[1] {
                let cell = vec![(k - 1, l - 1, twist), (k, l - 1, -twist), (k - 1, l, -twist), (k, l, twist)];
                self.add(&mut row, (i, j), &cell, &cell, 2.0 * (1.0 - nu));
            }
        }
        row
    }

    /// Row of minus the Laplacian at a moving node.
    pub fn gradient_row(&self, i: usize, j: usize) -> OperatorRow {
        let mut row = OperatorRow::new();
        for (k, l) in self.around(i, j) {
            for (axis, next) in [(0, (k + 1, l)), (1, (k, l + 1))] {
                if [k, l][axis] < self.intervals[axis] {
                    let slope = 1.0 / self.spacing;
                    let form = vec![(k, l, -slope), (next.0, next.1, slope)];
                    self.add(&mut row, (i, j), &form, &form, self.share(1 - axis, [k, l][1 - axis]));
                }
            }
        }
        row
    }

    /// A node and its four neighbours, as far as they are on the grid.
    fn around(&self, i: usize, j: usize) -> impl Iterator<Item = (usize, usize)> {
        let [columns, rows] = self.intervals;
        [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)]
            .into_iter()
            .map(move |(di, dj): (isize, isize)| (i.wrapping_add_signed(di), j.wrapping_add_signed(dj)))
            .filter(move |&(k, l)| k <= columns && l <= rows)
    }

    /// Adds weight·a(node)·b, divided by the weight of the node.
    fn add(&self, row: &mut OperatorRow, node: (usize, usize), a: &Form, b: &Form, weight: f64) {
        accumulate(row, node, a, b, weight / self.weight(node.0, node.1), |i, j| self.moves(i, j));
    }

    /// Whether no edge is free.
    pub fn has_fixed_edges(&self) -> bool {
        !self.edges.into_iter().any(Self::is_free)
    }

    /// Weights of the energy of bending at a node, for second differences that find zeros beyond the edges: (1−ν) times
    /// those of u_xx² and u_yy², and ν times that of (u_xx + u_yy)².
    pub fn bending_weights(&self, i: usize, j: usize) -> ([f64; 2], f64) {
        let edges = [self.edge(0, i), self.edge(1, j)];
        // At a clamped edge the difference is half of 2u₁, and the node half a cell.
        let curvature_weight = edges.map(|edge| match edge {
            None => 1.0,
            Some(Edge::Clamped) => 2.0,
            Some(Edge::SimplySupported | Edge::Free | Edge::FreeFullCell) => 0.0,
        });
        // Along a free edge (1−ν²)u_yy² is left.
        let along_edge = [(0, i), (1, j)].map(|(axis, at)| match edges[axis] {
            Some(edge) if Self::is_free(edge) => (1.0 + self.nu) * self.share(axis, at),
            Some(_) | None => 1.0,
        });
        let free = edges.into_iter().flatten().any(Self::is_free);
        (
            [curvature_weight[0] * along_edge[1], curvature_weight[1] * along_edge[0]],
            if free { 0.0 } else { curvature_weight[0] * curvature_weight[1] },
        )
    }
}

/// Adds weight·a(node)·b to the row of a node; fixed nodes drop out.
pub(crate) fn accumulate(
    row: &mut OperatorRow,
    node: (usize, usize),
    a: &Form,
    b: &Form,
    weight: f64,
    moves: impl Fn(usize, usize) -> bool,
) {
    for &(.., from) in a.iter().filter(|&&(i, j, _)| (i, j) == node) {
        for &(k, l, to) in b.iter().filter(|&&(k, l, _)| moves(k, l)) {
            *row.entry((k, l)).or_default() += weight * from * to;
        }
    }
}
