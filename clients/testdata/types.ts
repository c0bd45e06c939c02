// What openapi-typescript generates must allow: a minimal body of a chart, and reading data.
import type { components, operations, paths } from "./almanac";

export const chart: components["schemas"]["ChartRequest"] = { datasetId: 1, chartType: "line" };

export const query: operations["readData"]["parameters"]["query"] = {
	dim1: ["Life expectancy"],
	country: ["Germany", "Japan"],
	flags: true,
};

type Data = paths["/api/datasets/{id}/data"]["get"]["responses"]["200"]["content"]["application/json"];

export function values(answer: Data): number[] {
	return answer.data.flatMap((block) => block.rows.flatMap((row) => Object.values(row.values)));
}

// Members that a later version adds do not break what reads the answer.
export function more(meta: components["schemas"]["DatasetMeta"]): unknown {
	return meta["something_new"];
}
