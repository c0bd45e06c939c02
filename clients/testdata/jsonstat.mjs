// Prints observations of datasets in JSON-stat, as jsonstat-toolkit reads them:
// jsonstat.mjs ADDRESS...
// In the form of tables.py: the columns are the dimensions, value and status.
import { createRequire } from "node:module";

const JSONstat = createRequire(import.meta.url)("jsonstat-toolkit");

for (const address of process.argv.slice(2)) {
	const data = JSONstat(await (await fetch(address)).json());
	console.log(JSON.stringify([...data.id, "value", "status"]));
	const sizes = data.id.map((id) => data.Dimension(id).length);
	const ids = data.id.map((id) => data.Dimension(id).id);
	for (let at = 0; at < data.n; at++) {
		const cell = data.Data(at);
		if (cell.value === null && cell.status === null) {
			continue; // the table has no such observation
		}
		let rest = at;
		const key = [];
		for (let d = sizes.length - 1; d >= 0; d--) {
			key.unshift(ids[d][rest % sizes[d]]);
			rest = Math.floor(rest / sizes[d]);
		}
		console.log(JSON.stringify([...key, cell.value, cell.status]));
	}
	console.log();
}
