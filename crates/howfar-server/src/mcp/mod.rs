//! Stored runs as an MCP server over stdio (suite and runner, section E).
