// A warm process that draws charts with a library and says how long it took.
//
//   node painter.mjs LIBRARY NUMBERS.json
//
// Each line of the input is a job, and each line of the output its result:
//
//   {"kind": "line", "ms": 500}        draw for so long, three times at least
//                                      → {"ms": [one a picture], "bytes": of one}
//   {"kind": "line", "file": "x.png"}  draw once into a file → {"bytes": of it}
import fs from "node:fs";
import readline from "node:readline";

const [, , library, numbers] = process.argv;
const paint = await (await import(`./${library}.mjs`)).painter(JSON.parse(fs.readFileSync(numbers, "utf8")));

async function run({ kind, ms, file }) {
  let picture;
  if (file) {
    picture = await paint(kind);
    fs.writeFileSync(file, picture);
    return { bytes: picture.length };
  }
  const times = [];
  const end = performance.now() + ms;
  while (times.length < 3 || performance.now() < end) {
    const begin = performance.now();
    picture = await paint(kind);
    times.push(performance.now() - begin);
  }
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
