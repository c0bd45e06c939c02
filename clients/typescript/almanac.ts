/**
 * Reads an Almanac service: official statistics as observations.
 *
 *     const almanac = new Almanac("https://almanac.example.org", { key: "alm_…" });
 *     const rows = await almanac.data("eurostat:une_rt_a", { country: ["DE", "FR"], last_n: 5 });
 *
 * It needs fetch, which browsers and Node have from version 18 on, and nothing else.
 */

/** The values of a parameter. */
export type Value = string | number | boolean | readonly string[];

/** Parameters of an address by name, such as country, "not.dim1" or last_n. */
export type Parameters = Readonly<Record<string, Value | undefined>>;

type Dimensional = `dim${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8}` | "country";

/** Values of a dimension or of country: labels or codes; patterns with * and ? for like. */
type Choices = Readonly<Partial<Record<Dimensional | `${"not" | "like" | "below"}.${Dimensional}`, string | readonly string[]>>>;

/** What selects data. The words are those of the data endpoint. */
export type Filters = Choices & {
	readonly within?: string | readonly string[];
	readonly aggregates?: boolean;
	readonly period?: string;
	readonly period_from?: string;
	readonly period_to?: string;
	readonly latest?: boolean;
	readonly latest_mode?: string;
	readonly first_n?: number;
	readonly last_n?: number;
	/** Derived values: "index:2015", "change", "percent", "percent-year", "per-capita". */
	readonly transform?: string;
	readonly version?: string;
	/** A day or a moment: "2026-05-01". */
	readonly as_of?: string;
	readonly updated_since?: string;
	readonly followed?: boolean;
	readonly lang?: string;
};

/** An answer with what the service remarks on the request, such as an area that the dataset does not have. */
export type Noticed<T> = T & { readonly notices: readonly Notice[] };

/** A remark of the service on a request. */
export interface Notice {
	/** The parameter that it is about, and its value. Both are empty if it is about none, or comes with a picture. */
	readonly parameter: string;
	readonly value: string;
	readonly message: string;
	/** Values of the dataset that are spelt like this one. */
	readonly nearest: readonly string[];
}

/** An id from the list of datasets, or a source and code: "eurostat:une_rt_a". */
export type Reference = number | string;

/** A dataset of the list. */
export interface Dataset {
	id: number;
	dataset_name: string;
	last_update: string;
	/** What the parameter fields adds. */
	[more: string]: unknown;
}

/** A dataset that the search found. Without an id, the service does not have it yet. */
export interface Hit {
	source: string;
	dataset_code: string;
	dataset_name?: string;
	id?: number;
	here: boolean;
	[more: string]: unknown;
}

/** A dimension with its codes and labels. */
export interface Dimension {
	/** dim1 to dim8, as in filters. */
	dim: string;
	id: string;
	label: string;
	values: { code: string; label: string }[];
	[more: string]: unknown;
}

/** An area of a dataset. iso is ISO 3166-1 alpha-2, if the area has one and code is another. */
export interface Area {
	code: string;
	label: string;
	iso?: string;
}

/** What a value of a dimension, or a whole selection, has. */
export interface Counts {
	series: number;
	observations: number;
	oldest_period?: string;
	latest_period?: string;
}

/** What a selection has, and which values each dimension and the geography still offer. */
export interface Availability {
	selection: Counts;
	dimensions: (Dimension & { values: Counts[] })[];
	geography: (Area & Counts)[];
}

/**
 * How large the data of a selection are: data() returns as many rows as there are observations, and reads JSON of so many
 * bytes with a row for each period of a series. The cost is the number of requests that they count as.
 */
export interface Size {
	series: number;
	rows: number;
	observations: number;
	bytes: number;
	bytes_exact: boolean;
	cost: number;
}

/** A version of a dataset, and how many observations differ from the version before. */
export interface Version {
	version: string;
	imported: string;
	last_update: string;
	series: number;
	observations: number;
	added: number;
	revised: number;
	removed: number;
	/** What else differs from the version before: labels, metadata, structure, units. */
	changed?: string[];
	digest: string;
	data: string;
}

/** An observation that differs between two versions. A value that is not there is null. */
export interface Revision {
	kind: "added" | "revised" | "removed";
	/** What differs of a revised one: value, unit, flags, note. */
	changed?: string[];
	series_key: Record<string, string>;
	country: string;
	country_code: string;
	period: string;
	unit?: string;
	/** The unit of the old value, if it is another one. */
	old_unit?: string;
	old_value: number | null;
	new_value: number | null;
	old_flags: string[];
	new_flags: string[];
}

/** One number with what it describes. */
export interface Observation {
	/** By dimension: dim1_code, dim1_value, and so on. */
	series: Readonly<Record<string, string>>;
	area: string;
	/** The code of the area at the office. */
	areaCode: string;
	/** ISO 3166-1 alpha-3; not there for groups and regions. */
	areaIso3?: string;
	/** By which datasets of all offices have the area: ISO 3166-1 alpha-2, ISO 3166-2, else the office's code; not there without areas. */
	areaIso?: string;
	/** As the service writes periods: 2024, Q1/2024, 01/2024. */
	period: string;
	/** The office's own text of the period, if it has one. */
	periodLabel?: string;
	/** The first and the last day: 2024-01-01, 2024-03-31. */
	start: string;
	end: string;
	/** null: missing; the flags say why, as far as the office does. */
	value: number | null;
	unit?: string;
	/** How the value is derived; not there for values of the office. */
	transform?: string;
	flags: readonly string[];
	notes: readonly string[];
}

/** The latest values of one series, by area. */
export interface Latest {
	/** The latest period of all areas. */
	period: string;
	/** The period of each area; with latest_mode "area" they may differ. */
	periods: Record<string, string>;
	values: Record<string, number>;
	/** The unit of each area's value; empty if the source states none. */
	units: Record<string, string>;
	/** The flags of those values that have any. */
	flags: Record<string, string[]>;
	dimensions: Record<string, string>;
}

/** The latest values as the service sends them. */
interface LatestPeriod {
	period?: string;
	periods?: Record<string, string>;
	countries?: Record<string, string>;
	unit?: string;
	units?: Record<string, string>;
	flags?: Record<string, string[]>;
	dimensions?: Record<string, string>;
}

/** A request without the answer that was asked for: an error, with the message of the service, or no answer of the service. */
export class AlmanacError extends Error {
	constructor(
		/** 0 if there was no whole answer: the address is wrong, the service is not there, the time is up, the connection was cut. */
		readonly status: number,
		message: string,
		/** Seconds to wait after 429 and 503, if the service says it. */
		readonly retryAfter?: number,
		options?: ErrorOptions,
	) {
		super(status ? `${status}: ${message}` : message, options);
		this.name = "AlmanacError";
	}
}

export interface Options {
	/** Sent as X-API-Key. */
	key?: string;
	/** The language of labels and names, such as "de". */
	language?: string;
	/** Responses to keep in memory by their ETag; 0 keeps none. */
	cached?: number;
	/** Seconds for a request and its answer; without it, as many as fetch waits. */
	timeout?: number;
}

/** A service at an address. */
export class Almanac {
	readonly #address: string;
	readonly #options: Options;
	readonly #kept = new Map<string, Answer & { tag: string }>();

	constructor(address: string, options: Options = {}) {
		this.#address = address.replace(/\/+$/, "");
		this.#options = options;
	}

	/** Returns the datasets that answer a question best: words, a code, a place. */
	async search(question: string, more: Parameters = {}): Promise<Noticed<Hit[]>> {
		const { data, notices } = await this.#json<{ data: Hit[] }>("/api/search", { q: question, ...more });
		return Object.assign(data, { notices });
	}

	/** Yields all datasets that the filters of /api/datasets select, page by page. */
	datasets(filters: Parameters = {}): AsyncGenerator<Dataset> {
		return this.#pages("/api/datasets", filters);
	}

	/** Returns the metadata of a dataset. The options here and below are version, as_of and lang. */
	meta(dataset: Reference, options: Parameters = {}): Promise<Noticed<Record<string, unknown>>> {
		return this.#json(path(dataset, "meta"), options);
	}

	/** Returns the dimensions of a dataset with their codes and labels, without the geography. */
	async dimensions(dataset: Reference, options: Parameters = {}): Promise<Dimension[]> {
		return (await this.#json<{ dimensions: Dimension[] }>(path(dataset, "dimensions"), options)).dimensions;
	}

	/** Returns the areas of a dataset, for the filter country. */
	async geography(dataset: Reference, options: Parameters = {}): Promise<Area[]> {
		return (await this.#json<{ geography: Area[] }>(path(dataset, "dimensions"), options)).geography;
	}

	/** Returns which values still give data beside the filters. */
	availability(dataset: Reference, filters: Filters = {}): Promise<Noticed<Availability>> {
		return this.#json(path(dataset, "availability"), filters);
	}

	/** Returns how large the data of a selection are, without reading them. */
	async size(dataset: Reference, filters: Filters = {}): Promise<Noticed<Size>> {
		const { size, notices } = await this.#json<{ size: Size }>(path(dataset, "data"), { ...filters, dry_run: true });
		return { ...size, notices };
	}

	/** Returns the versions of a dataset, the newest first. */
	async versions(dataset: Reference): Promise<Version[]> {
		const versions: Version[] = [];
		for await (const version of this.#pages<Version>(path(dataset, "versions"), {})) {
			versions.push(version);
		}
		return versions;
	}

	/**
	 * Yields what was added, revised and removed between two versions or days, from and to: by default between the
	 * current version and the one before.
	 */
	revisions(dataset: Reference, filters: Filters & { from?: string; to?: string; kind?: Revision["kind"] } = {}): AsyncGenerator<Revision> {
		return this.#pages(path(dataset, "revisions"), filters);
	}

	/** Returns a part of a dataset, also what has only flags or notes. */
	async data(dataset: Reference, filters: Filters = {}): Promise<Noticed<Observation[]>> {
		const { data, notices } = await this.#json<{ data: Block[] }>(path(dataset, "data"), withAll(filters));
		return Object.assign(data.flatMap(observations), { notices });
	}

	/** Returns parts of up to 20 datasets, in their order, by one request that counts as one for each. */
	async several(selections: readonly (readonly [Reference, Filters])[]): Promise<Noticed<Observation[]>[]> {
		const { language } = this.#options;
		const s = selections.map(([dataset, filters]) => `${reference(dataset)}:${query(withAll(language ? { lang: language, ...filters } : filters))}`);
		const { data } = await this.#json<{ data: { data: Block[]; notices?: Notice[] }[] }>("/api/data", { s, lang: undefined });
		return data.map((part) => Object.assign(part.data.flatMap(observations), { notices: part.notices ?? [] }));
	}

	/** Returns the latest values of one series: that of the filters, else the dataset's default series. */
	async latest(dataset: Reference, filters: Filters = {}): Promise<Noticed<Latest>> {
		const { latest_period: last, notices } = await this.#json<{ latest_period: LatestPeriod }>(path(dataset, "latest"), filters);
		const { period = "", unit = "", countries = {} } = last;
		const byArea = <T>(of: (area: string) => T) => Object.fromEntries(Object.keys(countries).map((area) => [area, of(area)]));
		return {
			period,
			periods: byArea((area) => last.periods?.[area] ?? period),
			values: byArea((area) => Number(countries[area])),
			units: byArea((area) => last.units?.[area] ?? unit),
			flags: last.flags ?? {},
			dimensions: last.dimensions ?? {},
			notices,
		};
	}

	/** Returns a picture. The parameters are those of the data and the options of charts. */
	async chart(dataset: Reference, parameters: Parameters = {}, format: "svg" | "png" | "jpeg" = "svg"): Promise<Noticed<Uint8Array>> {
		const { body, notices } = await this.#read(path(dataset, `chart.${format}`), parameters);
		return Object.assign(body.slice(), { notices });
	}

	/** Returns the address of a picture or file, for links and <img>. It has no key. */
	address(dataset: Reference, file: string, parameters: Parameters = {}): string {
		return this.#addressOf(path(dataset, file), parameters);
	}

	async #json<T>(path: string, parameters: Parameters): Promise<Noticed<T>> {
		const { body, notices } = await this.#read(path, parameters);
		const found = this.#parse(body) as T & { notices?: Notice[] };
		return { ...found, notices: [...notices, ...(found.notices ?? [])] };
	}

	#parse(body: Uint8Array): unknown {
		try {
			return JSON.parse(new TextDecoder().decode(body));
		} catch {
			throw new AlmanacError(200, `${this.#address} has sent something other than JSON; is it the address of an Almanac?`);
		}
	}

	async *#pages<T>(path: string, parameters: Parameters): AsyncGenerator<T> {
		for (let page = 0; ; page++) {
			const found = await this.#json<{ data: T[]; pagination: { hasMore: boolean } }>(path, { limit: 1000, ...parameters, page });
			yield* found.data;
			if (!found.pagination.hasMore) {
				return;
			}
		}
	}

	#addressOf(path: string, parameters: Parameters): string {
		const { language } = this.#options;
		const text = query(language ? { lang: language, ...parameters } : parameters);
		return this.#address + path + (text ? `?${text}` : "");
	}

	async #read(path: string, parameters: Parameters): Promise<Answer> {
		const address = this.#addressOf(path, parameters);
		const headers: Record<string, string> = {};
		if (this.#options.key) {
			headers["X-API-Key"] = this.#options.key;
		}
		const kept = this.#kept.get(address);
		if (kept) {
			headers["If-None-Match"] = kept.tag;
		}
		const response = await this.#fetch(address, headers);
		if (response.status === 304 && kept) {
			return kept;
		}
		if (!response.ok) {
			throw await failure(response);
		}
		const body = new Uint8Array(await response.arrayBuffer().catch((cause: unknown) => this.#unanswered(cause))); // if the connection was cut
		if (response.headers.get("Content-Type")?.startsWith("text/html")) { // from something before the service
			throw new AlmanacError(response.status, `${this.#address} has sent a web page; is it the address of an Almanac?`);
		}
		const answer = { body, notices: quoted(response.headers.get("X-Notice") ?? "") };
		this.#keep(address, response.headers.get("ETag"), answer);
		return answer;
	}

	#fetch(address: string, headers: Record<string, string>): Promise<Response> {
		const { timeout } = this.#options;
		return fetch(address, timeout === undefined ? { headers } : { headers, signal: AbortSignal.timeout(timeout * 1000) }).catch((cause: unknown) => this.#unanswered(cause));
	}

	#unanswered(cause: unknown): never {
		const { message, cause: reason } = cause as Error; // fetch hides the reason
		throw new AlmanacError(0, `no answer of ${this.#address}: ${(reason as Error | undefined)?.message || message}`, undefined, { cause });
	}

	/** Keeps a response and forgets the oldest if there are too many. */
	#keep(address: string, tag: string | null, answer: Answer): void {
		const most = this.#options.cached ?? 100;
		if (!tag || most === 0) {
			return;
		}
		this.#kept.delete(address);
		this.#kept.set(address, { tag, ...answer });
		for (const oldest of this.#kept.keys()) {
			if (this.#kept.size <= most) {
				return;
			}
			this.#kept.delete(oldest);
		}
	}
}

/** The body of a response, and the notices of its header. */
interface Answer {
	body: Uint8Array;
	notices: readonly Notice[];
}

/** A series for all areas, as the service sends it. */
interface Block {
	series_key: Record<string, string>;
	transform?: string;
	country_codes: Record<string, { code: string; iso?: string; iso3?: string }>;
	rows: {
		period: string;
		period_label?: string;
		period_start: string;
		period_end: string;
		unit?: string;
		values: Record<string, number>;
		flags?: Record<string, string[]>;
		notes?: Record<string, string[]>;
	}[];
}

function observations(block: Block): Observation[] {
	return block.rows.flatMap((row) => {
		const areas = new Set([...Object.keys(row.values), ...Object.keys(row.flags ?? {}), ...Object.keys(row.notes ?? {})]);
		return [...areas].map((area) => ({
			series: block.series_key,
			area,
			areaCode: block.country_codes[area]?.code ?? "",
			...iso3(block.country_codes[area]?.iso3),
			...iso(block.country_codes[area]),
			period: row.period,
			...(row.period_label === undefined ? {} : { periodLabel: row.period_label }),
			start: row.period_start,
			end: row.period_end,
			value: row.values[area] ?? null,
			...(row.unit === undefined ? {} : { unit: row.unit }),
			...(block.transform === undefined ? {} : { transform: block.transform }),
			flags: row.flags?.[area] ?? [],
			notes: row.notes?.[area] ?? [],
		}));
	});
}

function iso3(code?: string): Pick<Observation, "areaIso3"> {
	return code === undefined ? {} : { areaIso3: code };
}

function iso(codes?: { code: string; iso?: string }): Pick<Observation, "areaIso"> {
	return codes === undefined || codes.code === "_Z" ? {} : { areaIso: codes.iso ?? codes.code }; // _Z: no area
}

/** Returns the parameters that give each observation all that belongs to it. */
function withAll(filters: Filters): Parameters {
	if ("dry_run" in filters) {
		throw new TypeError("data has no dry_run: size has the size of a selection");
	}
	return { ...filters, flags: true, codes: true, iso_periods: true };
}

/** Returns the notices of the header X-Notice, which are texts, quoted as in Go. */
function quoted(header: string): Notice[] {
	const texts = (header.match(/"(?:[^"\\]|\\.)*"/g) ?? []).map((text) =>
		text.slice(1, -1).replace(/\\(?:x(..)|u(.{4})|U(.{8})|(.))/g, (_, byte?: string, short?: string, long?: string, one?: string) => {
			const code = byte ?? short ?? long;
			return code ? String.fromCodePoint(parseInt(code, 16)) : /[abfnrtv]/.test(one ?? "") ? " " : (one ?? "");
		}),
	);
	return texts.map((message) => ({ parameter: "", value: "", message, nearest: [] }));
}

function query(parameters: Parameters): string {
	const listed = new URLSearchParams();
	for (const [name, value] of Object.entries(parameters)) {
		if (Array.isArray(value) && value.length === 0) {
			throw new TypeError(`${name} is an empty array, which selects nothing; leave the parameter out to select everything`);
		}
		for (const text of Array.isArray(value) ? value : value === undefined ? [] : [value]) {
			listed.append(name, String(text));
		}
	}
	return listed.toString(); // not its size, which Node 18.0 and Safari 16 lack
}

function reference(dataset: Reference): string {
	return encodeURIComponent(dataset).replace("%3A", ":");
}

function path(dataset: Reference, last: string): string {
	return `/api/datasets/${reference(dataset)}/${last}`;
}

async function failure(response: Response): Promise<AlmanacError> {
	const wait = Number(response.headers.get("Retry-After") ?? NaN);
	let message = response.statusText;
	try {
		const body = (await response.json()) as { statusMessage?: string };
		message = body.statusMessage ?? message;
	} catch {
		// not from the service, but from something before it
	}
	return Number.isNaN(wait) ? new AlmanacError(response.status, message) : new AlmanacError(response.status, message, wait);
}
