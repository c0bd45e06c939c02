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

/** One number with what it describes. */
export interface Observation {
	/** By dimension: dim1_code, dim1_value, and so on. */
	series: Readonly<Record<string, string>>;
	area: string;
	/** The code of the area at the office. */
	areaCode: string;
	/** As the service writes periods: 2024, Q1/2024, 01/2024. */
	period: string;
	/** The first and the last day: 2024-01-01, 2024-03-31. */
	start: string;
	end: string;
	/** null: missing; the flags say why, as far as the office does. */
	value: number | null;
	unit?: string;
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
	dimensions: Record<string, string>;
}

/** An answer that is no success, with the message of the service. */
export class AlmanacError extends Error {
	constructor(
		readonly status: number,
		message: string,
		/** Seconds to wait after 429 and 503, if the service says it. */
		readonly retryAfter?: number,
	) {
		super(`${status}: ${message}`);
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
}

/** A service at an address. */
export class Almanac {
	readonly #address: string;
	readonly #options: Options;
	readonly #kept = new Map<string, { tag: string; body: Uint8Array }>();

	constructor(address: string, options: Options = {}) {
		this.#address = address.replace(/\/+$/, "");
		this.#options = options;
	}

	/** Returns the datasets that answer a question best: words, a code, a place. */
	async search(question: string, more: Parameters = {}): Promise<Hit[]> {
		return (await this.#json<{ data: Hit[] }>("/api/search", { q: question, ...more })).data;
	}

	/** Yields all datasets that the filters of /api/datasets select, page by page. */
	async *datasets(filters: Parameters = {}): AsyncGenerator<Dataset> {
		for (let page = 0; ; page++) {
			const found = await this.#json<{ data: Dataset[]; pagination: { hasMore: boolean } }>("/api/datasets", { limit: 1000, ...filters, page });
			yield* found.data;
			if (!found.pagination.hasMore) {
				return;
			}
		}
	}

	/** Returns the metadata of a dataset. */
	meta(dataset: Reference): Promise<Record<string, unknown>> {
		return this.#json(path(dataset, "meta"), {});
	}

	/** Returns the dimensions of a dataset with their codes and labels. */
	async dimensions(dataset: Reference): Promise<Dimension[]> {
		return (await this.#json<{ dimensions: Dimension[] }>(path(dataset, "dimensions"), {})).dimensions;
	}

	/** Returns a part of a dataset, also what has only flags or notes. The filters are the parameters of the data endpoint. */
	async data(dataset: Reference, filters: Parameters = {}): Promise<Observation[]> {
		const answer = await this.#json<{ data: Block[] }>(path(dataset, "data"), { ...filters, flags: true, codes: true, iso_periods: true });
		return answer.data.flatMap(observations);
	}

	/** Returns the latest values of one series: that of the filters, else the dataset's default series. */
	async latest(dataset: Reference, filters: Parameters = {}): Promise<Latest> {
		const { latest_period: last } = await this.#json<{
			latest_period: { period?: string; periods?: Record<string, string>; countries?: Record<string, string>; dimensions?: Record<string, string> };
		}>(path(dataset, "latest"), filters);
		const period = last.period ?? "";
		const values = Object.entries(last.countries ?? {}).map(([area, value]) => [area, Number(value)] as const);
		const periods = Object.keys(last.countries ?? {}).map((area) => [area, last.periods?.[area] ?? period] as const);
		return { period, periods: Object.fromEntries(periods), values: Object.fromEntries(values), dimensions: last.dimensions ?? {} };
	}

	/** Returns a picture. The parameters are those of the data and the options of charts. */
	chart(dataset: Reference, parameters: Parameters = {}, format: "svg" | "png" | "jpeg" = "svg"): Promise<Uint8Array> {
		return this.#read(path(dataset, `chart.${format}`), parameters);
	}

	/** Returns the address of a picture or file, for links and <img>. It has no key. */
	address(dataset: Reference, file: string, parameters: Parameters = {}): string {
		return this.#addressOf(path(dataset, file), parameters);
	}

	async #json<T>(path: string, parameters: Parameters): Promise<T> {
		return JSON.parse(new TextDecoder().decode(await this.#read(path, parameters))) as T;
	}

	#addressOf(path: string, parameters: Parameters): string {
		const query = new URLSearchParams();
		const { language } = this.#options;
		for (const [name, value] of Object.entries(language ? { lang: language, ...parameters } : parameters)) {
			for (const text of Array.isArray(value) ? value : value === undefined ? [] : [value]) {
				query.append(name, String(text));
			}
		}
		const text = query.toString(); // not query.size, which Node 18.0 and Safari 16 lack
		return this.#address + path + (text ? `?${text}` : "");
	}

	async #read(path: string, parameters: Parameters): Promise<Uint8Array> {
		const address = this.#addressOf(path, parameters);
		const headers: Record<string, string> = {};
		if (this.#options.key) {
			headers["X-API-Key"] = this.#options.key;
		}
		const kept = this.#kept.get(address);
		if (kept) {
			headers["If-None-Match"] = kept.tag;
		}
		const response = await fetch(address, { headers });
		if (response.status === 304 && kept) {
			return kept.body;
		}
		if (!response.ok) {
			throw await failure(response);
		}
		const body = new Uint8Array(await response.arrayBuffer()); // rejects if the connection was cut
		this.#keep(address, response.headers.get("ETag"), body);
		return body;
	}

	/** Keeps a response and forgets the oldest if there are too many. */
	#keep(address: string, tag: string | null, body: Uint8Array): void {
		const most = this.#options.cached ?? 100;
		if (!tag || most === 0) {
			return;
		}
		this.#kept.delete(address);
		this.#kept.set(address, { tag, body });
		for (const oldest of this.#kept.keys()) {
			if (this.#kept.size <= most) {
				return;
			}
			this.#kept.delete(oldest);
		}
	}
}

/** A series for all areas, as the service sends it. */
interface Block {
	series_key: Record<string, string>;
	country_codes: Record<string, { code: string }>;
	rows: {
		period: string;
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
			period: row.period,
			start: row.period_start,
			end: row.period_end,
			value: row.values[area] ?? null,
			...(row.unit === undefined ? {} : { unit: row.unit }),
			flags: row.flags?.[area] ?? [],
			notes: row.notes?.[area] ?? [],
		}));
	});
}

function path(dataset: Reference, last: string): string {
	return `/api/datasets/${encodeURIComponent(dataset).replace("%3A", ":")}/${last}`;
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
