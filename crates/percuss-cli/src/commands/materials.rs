//! `percuss materials`: the materials that a scene can name, with their values and sources.

use crate::error::Result;
use crate::format::{si, table, trimmed_decimal};
use percuss_scene::materials::{self, Material};
use std::io::{self, Write};

/// Lists the materials.
pub fn run() -> Result<()> {
    let mut out = io::stdout().lock();
    let head = ["material", "density", "Young's modulus", "Poisson's ratio", "loss factor", "what it is"];
    write!(out, "{}", with_head(head, values))?;
    write!(out, "\n{}", with_head(["material", "source"], |material| [material.name.into(), material.source.into()]))?;
    writeln!(
        out,
        "\nmaterial = \"bronze\" in a [[string]], [[bar]], [[plate]] or [[membrane]] sets what the table leaves out."
    )?;
    Ok(out.flush()?)
}

fn values(material: &Material) -> [String; 6] {
    [
        material.name.into(),
        format!("{:>5} kg/m³", material.density),
        si(material.youngs_modulus, "Pa"),
        trimmed_decimal(material.poisson),
        format!("{:e}", material.loss_factor),
        material.description.into(),
    ]
}

fn with_head<const N: usize>(head: [&str; N], row: impl Fn(&Material) -> [String; N]) -> String {
    let rows = materials::all().iter().map(|material| row(material).to_vec());
    table(&std::iter::once(head.map(String::from).to_vec()).chain(rows).collect::<Vec<_>>())
}
