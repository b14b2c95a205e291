// The yardstick of the bench `derive`: how many lines of a file Node parses and writes back per second.
import { readFileSync } from "node:fs";

const file = process.argv[2] ?? new URL("derive-inputs.jsonl", import.meta.url);
const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
for (let round = 0; round < 3; round++) {
  const start = process.hrtime.bigint();
  const elapsed = () => Number(process.hrtime.bigint() - start) / 1e9;
  let count = 0;
  let length = 0;
  while (elapsed() < 2) {
    for (const line of lines) length += JSON.stringify(JSON.parse(line)).length;
    count += lines.length;
  }
  console.log(`${Math.round(count / elapsed())} lines/s (${length} characters)`);
}
