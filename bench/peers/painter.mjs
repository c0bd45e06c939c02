// A warm process that draws charts with a library and measures the time.
//
//   node painter.mjs LIBRARY NUMBERS.json
//
// Each line of the input is a job, and each line of the output its result:
//
//   {"kind": "line", "ms": 500, "file": "x.png"}
//       draw for 500 ms, at least three times, and save the last picture
//       → {"ms": [of each picture], "bytes": of the last one}
import fs from "node:fs";
import readline from "node:readline";

const [, , library, numbers] = process.argv;
const paint = await (await import(`./${library}.mjs`)).painter(JSON.parse(fs.readFileSync(numbers, "utf8")));

async function run({ kind, ms, file }) {
  let picture;
  const times = [];
  const end = performance.now() + ms;
  while (times.length < 3 || performance.now() < end) {
    const begin = performance.now();
    picture = await paint(kind);
    times.push(performance.now() - begin);
  }
  if (file) fs.writeFileSync(file, picture);
  return { ms: times, bytes: picture.length };
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  let result;
  try {
    result = await run(JSON.parse(line));
  } catch (e) {
    result = { error: String(e.stack ?? e) };
  }
  process.stdout.write(JSON.stringify(result) + "\n");
}
