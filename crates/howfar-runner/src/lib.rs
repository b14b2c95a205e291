//! Plans and runs trials; emits events and evidence.
