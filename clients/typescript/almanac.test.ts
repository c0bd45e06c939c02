// Tests the client with the service at $ALMANAC_URL, which has the sample datasets, and with that at $ALMANAC_ODD_URL,
// which has the dataset of testdata/odd.csv.
import assert from "node:assert/strict";
import { type AddressInfo, createServer } from "node:net";
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
	assert.deepEqual(latest.units, { Japan: row.unit });
	assert.deepEqual(latest.flags, {});
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

test("the service takes one period: several are a range", async () => {
	// @ts-expect-error: the type has no arrays of periods
	await assert.rejects(almanac.data(1, { period: ["2000", "2005"] }), /400: .*period/);
	assert.equal((await almanac.data(1, { dim1: "Population", country: "JP", period_from: "2000", period_to: "2005" })).length, 2);
});

test("empty arrays are refused", async () => {
	const none = { country: [] };
	for (const read of [() => almanac.data(1, none), () => almanac.size(1, none), () => almanac.latest(1, none), () => almanac.chart(1, none)]) {
		await assert.rejects(read, /^TypeError: country is an empty array/);
	}
	await assert.rejects(almanac.several([[1, { "not.dim1": [] }]]), /not\.dim1 is an empty array/);
	assert.throws(() => almanac.address(1, "data.csv", { country: [] }), TypeError);
});

test("notices, also from the cache and of files", async () => {
	const unknown = { dim1: "Population", country: ["JP", "Atlântis"] };
	for (let i = 0; i < 2; i++) {
		const rows = await almanac.data(1, { ...unknown, last_n: 1 });
		assert.equal(rows.length, 1);
		assert.equal(rows.notices.length, 1);
		const [notice] = rows.notices;
		assert.equal(notice?.parameter, "country");
		assert.equal(notice.value, "Atlântis");
		assert.match(notice.message, /^"Atlântis" is not /);
	}
	for (const { notices } of [await almanac.latest(1, unknown), await almanac.size(1, unknown), await almanac.availability(1, unknown), ...(await almanac.several([[1, unknown]]))]) {
		assert.equal(notices[0]?.value, "Atlântis");
	}
	assert.deepEqual((await almanac.size(1, { country: "Germny" })).notices[0]?.nearest, ["Germany"]);
	assert.deepEqual((await almanac.data(1, { country: "JP" })).notices, []);
});

test("sizes, availability and the geography", async () => {
	const filters = { "not.dim1": "Population", country: "JP" } as const;
	const rows = await almanac.data(1, filters);
	assert.equal((await almanac.size(1, filters)).observations, rows.length);
	assert.equal((await almanac.availability(1, filters)).selection.observations, rows.length);
	assert.ok((await almanac.geography(1)).some(({ code, label }) => code === "JP" && label === "Japan"));
	await assert.rejects(almanac.data(1, { dry_run: true } as object), /size has the size of a selection/);
});

test("versions and revisions", async () => {
	const versions = await almanac.versions(1);
	assert.deepEqual(versions.map(({ version }) => version), ["1.0"]);
	for await (const revision of almanac.revisions(1, { kind: "revised" })) {
		assert.fail(JSON.stringify(revision));
	}
	assert.equal((await almanac.data(1, { "like.dim1": "Pop*", version: "1.0", first_n: 1, country: "JP" })).length, 1);
});

test("several datasets, and derived values", async () => {
	const filters = { dim1: "Population", country: "Japan", last_n: 1 };
	const [plain, derived] = await almanac.several([[1, filters], ["gapminder:gapminder", { ...filters, transform: "index:2000" }]]);
	assert.deepEqual(plain, await almanac.data(1, filters));
	assert.equal(plain?.[0]?.transform, undefined);
	assert.equal(derived?.[0]?.transform, "index:2000");
});

test("charts", async () => {
	const svg = await almanac.chart(1, { type: "bar", width: 400, height: 300 });
	assert.match(new TextDecoder().decode(svg.slice(0, 200)), /<svg/);
	assert.equal(almanac.address(1, "chart.png", { country: ["A", "B&C"] }), `${url}/api/datasets/1/chart.png?country=A&country=B%26C`);
});

test("errors have the message of the service", async () => {
	await assert.rejects(almanac.data("nobody:nothing"), (error: unknown) => error instanceof AlmanacError && error.status === 404);
	await assert.rejects(almanac.data(1, { contry: "Germany" } as object), /400: .*contry/);
});

test("codes of areas", async () => {
	const [row] = await almanac.data(1, { dim1: "Population", country: "Japan", last_n: 1 });
	assert.equal(row?.areaCode, "JP");
	assert.equal(row.areaIso3, "JPN");
	assert.equal(row.areaIso, "JP");
	const states = await new Almanac(process.env["ALMANAC_ODD_URL"] ?? "").data(1);
	assert.deepEqual([...new Set(states.map((state) => `${state.areaCode} ${state.areaIso}`))], ["Alabama US-AL", "Texas US-TX"]);
	assert.deepEqual(states.map((state) => state.series["dim1_code"]), ["-", "+18", "=1+1", "@x", "'=y", "'z", "NA"]);
});

test("a stranger's answers are errors of the client", async () => {
	const answers: [string, RegExp][] = [
		["", /^AlmanacError: no answer of http:/],
		["HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<html>", /^AlmanacError: 200: .*a web page/],
		["HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nhello", /^AlmanacError: 200: .*other than JSON/],
		["HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}", /^AlmanacError: no answer of/],
		['HTTP/1.1 429 Too Many\r\nRetry-After: 60\r\n\r\n{"statusMessage":"enough"}', /^AlmanacError: 429: enough/],
	];
	for (const [answer, want] of answers) {
		const server = createServer((socket) => socket.once("data", () => socket.end(answer)));
		await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
		const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		await assert.rejects(new Almanac(address).meta(1), want);
		await new Promise((done) => server.close(done));
		await assert.rejects(new Almanac(address).meta(1), (error: unknown) => error instanceof AlmanacError && error.status === 0 && /REFUSED/.test(error.message));
	}
	await assert.rejects(new Almanac(url, { timeout: 0 }).meta(1), /^AlmanacError: no answer of .*time/);
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
