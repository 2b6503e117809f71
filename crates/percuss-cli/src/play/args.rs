//! What can be typed after `percuss play`.

use crate::args::{rate, seconds};
use percuss_live::Account;
use percuss_live::device::Choice;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

/// What `play` needs.
#[derive(Debug, clap::Args)]
pub struct PlayArgs {
    /// Scene file, or name of a preset [default: the first of `percuss list`]
    #[arg(value_name = "SCENE_OR_PRESET")]
    pub scene: Option<String>,
    /// Sound device: `default`, `jack`, `none`, or a part of its name
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub device: String,
    /// Sample rate to ask the device for, 1000 to 768000 Hz [default: the scene's]
    #[arg(long, value_name = "HZ", value_parser = rate, allow_negative_numbers = true)]
    pub rate: Option<f64>,
    /// Frames in a buffer, 1 to 8192 [default: the device's]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=8192))]
    pub frames: Option<u32>,
    /// Sound file for what is played, 32-bit float
    #[arg(long, value_name = "FILE.wav")]
    pub record: Option<PathBuf>,
    /// File for everything that is done, to be replayed with `percuss render --session`
    #[arg(long, value_name = "FILE")]
    pub session: Option<PathBuf>,
    /// UDP port for OSC; 0 takes any that is free
    #[arg(long, value_name = "PORT", default_value_t = 9000)]
    pub osc_port: u16,
    /// Address to listen at for OSC: others than loopback let anyone on the network play
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub osc_address: IpAddr,
    /// MIDI port to listen to, by a part of its name [default: one of our own, percuss:midi]
    #[arg(long, value_name = "NAME")]
    pub midi: Option<String>,
    /// End after so many seconds, up to 360000 [default: when told to; 60 with --self-test]
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    pub seconds: Option<f64>,
    /// No screen: print what happens, end with Ctrl-C
    #[arg(long)]
    pub plain: bool,
    /// Energy account: it costs about as much as the scene itself
    #[arg(long, value_enum, default_value_t = AccountName::Auto)]
    pub account: AccountName,
    /// Measure how much of the machine the scene takes, and nothing else
    #[arg(long, conflicts_with_all = ["record", "session", "midi"])]
    pub self_test: bool,
}

/// Whether the energy account is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum AccountName {
    /// Where the machine is fast enough
    Auto,
    /// Always
    On,
    /// Never
    Off,
}

impl From<AccountName> for Account {
    fn from(name: AccountName) -> Self {
        match name {
            AccountName::Auto => Self::Auto,
            AccountName::On => Self::On,
            AccountName::Off => Self::Off,
        }
    }
}

impl PlayArgs {
    /// The device that was asked for.
    pub fn choice(&self) -> Choice {
        match self.device.as_str() {
            "none" => Choice::None,
            "default" => Choice::Default,
            "jack" => Choice::Jack,
            name => Choice::Named(name.to_owned()),
        }
    }

    /// Where OSC listens.
    pub fn osc(&self) -> SocketAddr {
        SocketAddr::new(self.osc_address, self.osc_port)
    }
}
