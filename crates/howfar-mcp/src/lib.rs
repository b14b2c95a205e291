//! Client side of the Model Context Protocol, with wire capture.
