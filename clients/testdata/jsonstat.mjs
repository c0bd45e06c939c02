// Prints observations of datasets in JSON-stat, as jsonstat-toolkit reads them:
// jsonstat.mjs ADDRESS...
// In the form of tables.py: the columns are the dimensions, value, status and the label of the unit.
import { createRequire } from "node:module";

const JSONstat = createRequire(import.meta.url)("jsonstat-toolkit");

for (const address of process.argv.slice(2)) {
	const data = JSONstat(await (await fetch(address)).json());
	console.log(JSON.stringify([...data.id, "value", "status", "unit label"]));
	const sizes = data.id.map((id) => data.Dimension(id).length);
	const ids = data.id.map((id) => data.Dimension(id).id);
	const metric = data.id.findIndex((id) => data.Dimension(id).Category(0)?.unit);
	const units = metric < 0 ? [] : ids[metric].map((id) => data.Dimension(metric).Category(id).unit?.label ?? "");
	for (let at = 0; at < data.n; at++) {
		const cell = data.Data(at);
		if (cell.value === null && cell.status === null) {
			continue; // the table has no such observation
		}
		let rest = at;
		const key = [];
		let unit = "";
		for (let d = sizes.length - 1; d >= 0; d--) {
			key.unshift(ids[d][rest % sizes[d]]);
			if (d === metric) {
				unit = units[rest % sizes[d]];
			}
			rest = Math.floor(rest / sizes[d]);
		}
		console.log(JSON.stringify([...key, cell.value, cell.status, unit]));
	}
	console.log();
}
