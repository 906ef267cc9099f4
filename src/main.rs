//! The standalone program.

fn main() -> std::process::ExitCode {
    std::process::ExitCode::from(u8::from(!nice_plug::prelude::nice_export_standalone::<urto::plugin::Urto<true>>()))
}
