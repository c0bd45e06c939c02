// A warm process that draws charts with a library.
//
//   node painter.mjs LIBRARY NUMBERS.json
//
// A line of the input is a kind of chart, and a file if the picture is to be saved;
// a line of the output is the size of the picture.
import fs from "node:fs";
import readline from "node:readline";

const [, , library, numbers] = process.argv;
const paint = await (await import(`./${library}.mjs`)).painter(JSON.parse(fs.readFileSync(numbers, "utf8")));

for await (const line of readline.createInterface({ input: process.stdin })) {
  const [kind, ...file] = line.split(" ");
  const picture = await paint(kind);
  if (file.length) fs.writeFileSync(file.join(" "), picture);
  process.stdout.write(`${picture.length}\n`);
}
