// The official TypeScript SDK as a client: starts an MCP server over stdio, asks the questions of a JSON array, and
// prints every answer as one JSON array. The SDK checks structured content against output schemas by itself.
//
// node client.cjs SDK_FOLDER QUESTIONS_FILE COMMAND [ARGUMENT...]
"use strict";
const { createRequire } = require("node:module");
const { readFileSync } = require("node:fs");
const path = require("node:path");

const [folder, questionsFile, command, ...args] = process.argv.slice(2);
const load = createRequire(path.join(folder, "package.json"));
const { Client } = load("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = load("@modelcontextprotocol/sdk/client/stdio.js");

async function ask(client, { method, params, cancelAfterProgress }) {
  const options = {};
  const progress = [];
  const abort = new AbortController();
  if (method === "callTool") {
    options.signal = abort.signal;
    options.onprogress = (step) => {
      progress.push(step);
      if (cancelAfterProgress) abort.abort("enough");
    };
    const answer = await client.callTool(params, undefined, options);
    return { answer, progress };
  }
  return { answer: await client[method](params) };
}

async function main() {
  const client = new Client({ name: "foreign-client", version: "1.0.0" });
  const transport = new StdioClientTransport({ command, args, env: process.env, stderr: "inherit" });
  await client.connect(transport);
  const answers = [{ server: client.getServerVersion(), instructions: client.getInstructions() }];
  for (const question of JSON.parse(readFileSync(questionsFile, "utf8"))) {
    try {
      answers.push(await ask(client, question));
    } catch (error) {
      answers.push({ error: String(error && error.message) });
    }
  }
  process.stdout.write(JSON.stringify(answers));
  await client.close();
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
