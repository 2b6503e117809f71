//! Coupling of rows: connected components, their order, and the terms of B.
//!
//! Two rows are coupled if they share a node, or may come to share one because a bow or finger moves over their element.

use crate::contact::block::ComplianceTerm;
use crate::contact::plan::{RowPlan, RowSide};
use std::collections::BTreeMap;

/// Which rows share which nodes.
pub(crate) struct CouplingGraph {
    /// For every node of a row: the rows on it and their weights.
    rows_on_node: BTreeMap<usize, Vec<(usize, f64)>>,
    /// For every row: its nodes; none for rows that move.
    nodes_of_row: Vec<Vec<usize>>,
    /// For every row: those with which it may come to share a node because one of the two moves.
    may_share_nodes: Vec<Vec<usize>>,
}

impl CouplingGraph {
    pub fn new(plans: &[RowPlan]) -> Self {
        let mut rows_on_node: BTreeMap<usize, Vec<(usize, f64)>> = BTreeMap::new();
        let mut nodes_of_row = vec![Vec::new(); plans.len()];
        for (row, plan) in plans.iter().enumerate().filter(|(_, plan)| !plan.moves()) {
            for (_, touch) in &plan.sides {
                if let RowSide::Nodes(nodes) = touch {
                    for &(node, weight) in nodes {
                        rows_on_node.entry(node).or_default().push((row, weight));
                        nodes_of_row[row].push(node);
                    }
                }
            }
        }
        let on_same = |a: &RowPlan, b: &RowPlan| a.sides.iter().any(|a| b.sides.iter().any(|b| a.0 == b.0));
        let meets = |a: &RowPlan, b: &RowPlan| (a.moves() || b.moves()) && on_same(a, b);
        let moving: Vec<usize> = (0..plans.len()).filter(|&row| plans[row].moves()).collect();
        let met = |a: &RowPlan| match a.moves() {
            true => (0..plans.len()).filter(|&b| meets(a, &plans[b])).collect(),
            false => moving.iter().copied().filter(|&b| meets(a, &plans[b])).collect(),
        };
        Self { rows_on_node, nodes_of_row, may_share_nodes: plans.iter().map(met).collect() }
    }

    /// Rows that share a node with a row, itself included.
    fn neighbours(&self, row: usize) -> impl Iterator<Item = usize> {
        let fixed = self.nodes_of_row[row].iter().flat_map(|node| self.rows_on_node[node].iter().map(|entry| entry.0));
        fixed.chain(self.may_share_nodes[row].iter().copied())
    }

    /// Entries of B within a component that change as rows move, lower triangle.
    pub fn moving_pairs(&self, component: &[usize]) -> Vec<(usize, usize)> {
        let place: BTreeMap<usize, usize> = component.iter().enumerate().map(|(i, &row)| (row, i)).collect();
        let pairs =
            component.iter().flat_map(|row| self.may_share_nodes[*row].iter().map(|other| (place[row], place[other])));
        pairs.filter(|(row, column)| column <= row).collect()
    }

    /// Connected components, each in an order that keeps coupled rows close (reverse Cuthill–McKee).
    pub fn components(&self) -> Vec<Vec<usize>> {
        let mut seen = vec![false; self.nodes_of_row.len()];
        let mut components = Vec::new();
        for root in 0..seen.len() {
            if seen[root] {
                continue;
            }
            // Start again from the row farthest away, so that the levels are many and narrow.
            let members = self.breadth_first_order(root, &mut seen);
            let end = members[members.len() - 1];
            members.iter().for_each(|&row| seen[row] = false);
            let mut order = self.breadth_first_order(end, &mut seen);
            order.reverse();
            components.push(order);
        }
        components
    }

    /// Rows reached from a root, breadth first, those with few neighbours first.
    fn breadth_first_order(&self, root: usize, seen: &mut [bool]) -> Vec<usize> {
        let mut order = vec![root];
        seen[root] = true;
        let mut next = 0;
        while next < order.len() {
            let mut fresh: Vec<usize> = self.neighbours(order[next]).filter(|&row| !seen[row]).collect();
            fresh.sort_unstable();
            fresh.dedup();
            fresh.sort_by_cached_key(|&row| (self.neighbours(row).count(), row));
            for row in fresh {
                seen[row] = true;
                order.push(row);
            }
            next += 1;
        }
        order
    }

    /// Terms of B within a component, lower triangle.
    pub fn terms(&self, component: &[usize]) -> Vec<ComplianceTerm> {
        let place: BTreeMap<usize, usize> = component.iter().enumerate().map(|(i, &row)| (row, i)).collect();
        let mut nodes: Vec<usize> = component.iter().flat_map(|&row| self.nodes_of_row[row].iter().copied()).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let mut terms = Vec::new();
        for node in nodes {
            for &(a, from) in &self.rows_on_node[&node] {
                for &(b, to) in &self.rows_on_node[&node] {
                    let (row, column) = (place[&a], place[&b]);
                    if column <= row {
                        terms.push(ComplianceTerm { row, column, node, weight: from * to });
                    }
                }
            }
        }
        terms
    }
}
