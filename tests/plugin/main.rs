//! The plugin in hosts, in this process: as CLAP and as VST3.
