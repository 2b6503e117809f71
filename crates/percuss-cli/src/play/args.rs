//! Arguments of `percuss play`.

use crate::arg_values::{parse_duration, parse_sample_rate};
use percuss_live::LedgerMode;
use percuss_live::device::DeviceSelector;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

/// Arguments of `play`.
#[derive(Clone, Debug, clap::Args)]
pub struct PlayArgs {
    /// Scene file, or name of a preset [default: the first of `percuss list`]
    #[arg(value_name = "SCENE_OR_PRESET")]
    pub scene: Option<String>,
    /// Sound device: `default`, `jack`, `none`, or a part of its name
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub device: String,
    /// Sample rate requested from the device, 1000 to 768000 Hz [default: the scene's]
    #[arg(long, value_name = "HZ", value_parser = parse_sample_rate, allow_negative_numbers = true)]
    pub rate: Option<f64>,
    /// Frames per buffer, 1 to 8192 [default: the device's]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=8192))]
    pub frames: Option<u32>,
    /// Sound file for a recording of the output, 32-bit float
    #[arg(long, value_name = "FILE.wav")]
    pub record: Option<PathBuf>,
    /// File for a recording of all events, to be replayed with `percuss render --session`
    #[arg(long, value_name = "FILE")]
    pub session: Option<PathBuf>,
    /// UDP port for OSC; 0 takes any free port
    #[arg(long, value_name = "PORT", default_value_t = 9000)]
    pub osc_port: u16,
    /// Address to listen at for OSC; any other than loopback gives access to the whole network
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub osc_address: IpAddr,
    /// MIDI port to listen to, by a part of its name [default: the virtual port percuss:midi]
    #[arg(long, value_name = "NAME")]
    pub midi: Option<String>,
    /// Duration in seconds, up to 360000 [default: unlimited; 60 with --self-test]
    #[arg(long, value_name = "S", value_parser = parse_duration, allow_negative_numbers = true)]
    pub seconds: Option<f64>,
    /// No screen: print messages, end with Ctrl-C
    #[arg(long)]
    pub plain: bool,
    /// Energy ledger: it costs about as much CPU time as the scene itself
    #[arg(long, value_enum, default_value_t = LedgerArg::Auto)]
    pub ledger: LedgerArg,
    /// Measure the CPU load of the scene, and nothing else
    #[arg(long, conflicts_with_all = ["record", "session", "midi"])]
    pub self_test: bool,
}

/// Whether the energy ledger is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum LedgerArg {
    /// If the machine is fast enough
    Auto,
    /// Always
    On,
    /// Never
    Off,
}

impl From<LedgerArg> for LedgerMode {
    fn from(name: LedgerArg) -> Self {
        match name {
            LedgerArg::Auto => Self::Auto,
            LedgerArg::On => Self::On,
            LedgerArg::Off => Self::Off,
        }
    }
}

impl PlayArgs {
    /// Requested sound device.
    pub fn device_choice(&self) -> DeviceSelector {
        match self.device.as_str() {
            "none" => DeviceSelector::None,
            "default" => DeviceSelector::Default,
            "jack" => DeviceSelector::Jack,
            name => DeviceSelector::Named(name.to_owned()),
        }
    }

    /// The same arguments with files that do not exist yet, `gong-2.wav` after `gong.wav`, for the next part of a performance.
    pub fn for_next_part(&self) -> Self {
        let numbered = |path: &PathBuf| {
            let stem = path.file_stem().unwrap_or_default().display().to_string();
            let part = |number: u32| {
                let name = path.with_file_name(format!("{stem}-{number}"));
                path.extension().map_or(name.clone(), |extension| name.with_extension(extension))
            };
            (2..).map(part).find(|path| !path.exists())
        };
        let (record, session) = (self.record.as_ref().and_then(numbered), self.session.as_ref().and_then(numbered));
        Self { record, session, ..self.clone() }
    }

    /// Address and port at which OSC listens.
    pub fn osc_socket(&self) -> SocketAddr {
        SocketAddr::new(self.osc_address, self.osc_port)
    }
}
