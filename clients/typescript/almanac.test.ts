// Tests the client with the service at $ALMANAC_URL, which has the sample datasets.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Almanac, AlmanacError } from "./almanac.js";

const url = process.env["ALMANAC_URL"] ?? "";
const almanac = new Almanac(url);

test("datasets, page by page", async () => {
	const ids: number[] = [];
	for await (const dataset of almanac.datasets({ limit: 1 })) {
		ids.push(dataset.id);
	}
	assert.deepEqual(ids, [1, 2]);
});

test("search and metadata", async () => {
	const [hit] = await almanac.search("life expectancy");
	assert.equal(hit?.source, "gapminder");
	assert.equal((await almanac.meta(`${hit.source}:${hit.dataset_code}`))["id"], hit.id);
	assert.equal((await almanac.dimensions(1))[0]?.dim, "dim1");
});

test("data and latest agree", async () => {
	const rows = await almanac.data(1, { dim1: "Life expectancy", country: ["Germany", "JP"], "not.country": "Germany", latest: true });
	assert.equal(rows.length, 1);
	const [row] = rows;
	assert.equal(row?.area, "Japan");
	assert.match(row.start, /^\d{4}-01-01$/);
	const latest = await almanac.latest(1, { dim1: "Life expectancy", country: "Japan" });
	assert.deepEqual(latest.values, { Japan: row.value });
	assert.equal(latest.period, row.period);
	assert.deepEqual(latest.periods, { Japan: row.period });
});

test("the latest of each area has its period", async () => {
	const latest = await almanac.latest(1, { dim1: "Life expectancy", latest_mode: "area" });
	assert.deepEqual(Object.keys(latest.periods).sort(), Object.keys(latest.values).sort());
	const [area = "", period] = Object.entries(latest.periods)[0] ?? [];
	const rows = await almanac.data(1, { dim1: "Life expectancy", country: area, latest: true });
	assert.equal(rows[0]?.period, period, area);
});

test("filters are sent where URLSearchParams has no size", async () => {
	const size = Object.getOwnPropertyDescriptor(URLSearchParams.prototype, "size");
	Reflect.deleteProperty(URLSearchParams.prototype, "size");
	try {
		assert.equal(almanac.address(1, "data.csv", { country: "DE" }), `${url}/api/datasets/1/data.csv?country=DE`);
		assert.equal(almanac.address(1, "data.csv"), `${url}/api/datasets/1/data.csv`);
	} finally {
		if (size) {
			Object.defineProperty(URLSearchParams.prototype, "size", size);
		}
	}
});

test("charts", async () => {
	const svg = await almanac.chart(1, { type: "bar", width: 400, height: 300 });
	assert.match(new TextDecoder().decode(svg.slice(0, 200)), /<svg/);
	assert.equal(almanac.address(1, "chart.png", { country: ["A", "B&C"] }), `${url}/api/datasets/1/chart.png?country=A&country=B%26C`);
});

test("errors have the message of the service", async () => {
	await assert.rejects(almanac.data("nobody:nothing"), (error: unknown) => error instanceof AlmanacError && error.status === 404);
	await assert.rejects(almanac.data(1, { contry: "Germany" }), /400: .*contry/);
});

test("what has not changed is not sent again", async () => {
	const statuses: number[] = [];
	const original = globalThis.fetch;
	globalThis.fetch = async (...request) => {
		const response = await original(...request);
		statuses.push(response.status);
		return response;
	};
	try {
		const client = new Almanac(url, { cached: 1 });
		const first = await client.data(1, { dim1: "Population" });
		assert.deepEqual(await client.data(1, { dim1: "Population" }), first);
		await client.meta(1); // replaces the kept response
		await client.data(1, { dim1: "Population" });
		assert.deepEqual(statuses, [200, 304, 200, 200]);
	} finally {
		globalThis.fetch = original;
	}
});
