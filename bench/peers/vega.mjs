// Vega-Lite through Vega: SVG without a browser, PNG by resvg. The charts are
// compiled and parsed once, which a service with different charts could not do.
import * as vega from "vega";
import * as lite from "vega-lite";
import { outlines } from "./outlines.mjs";
import { blank, blues, colours, family, height, png, width } from "./page.mjs";

export async function painter(numbers) {
  const parsed = {};
  for (const kind in charts) parsed[kind] = vega.parse(lite.compile({ ...page(numbers[kind]), ...charts[kind](numbers[kind]) }).spec);
  return async (kind) => {
    const view = new vega.View(parsed[kind], { renderer: "none" });
    const svg = await view.toSVG();
    view.finalize();
    return png(svg);
  };
}

const page = (n) => ({
  width, height, autosize: { type: "fit", contains: "padding" }, padding: { left: 24, right: 24, top: 20, bottom: 20 }, background: "#fff",
  title: { text: n.title, subtitle: n.subtitle },
  config: {
    font: family, view: { stroke: null },
    title: { anchor: "start", frame: "bounds", offset: 16, fontSize: 26, fontWeight: "bold", subtitleFontSize: 16, subtitlePadding: 8, subtitleColor: "#555" },
    axis: { labelFontSize: 13, labelColor: "#444", domain: false, ticks: false, labelPadding: 6 },
    legend: { labelFontSize: 14, titleFontSize: 13 },
  },
});

// Q3/2012 as the day on which it begins.
const day = (period) => `${period.slice(3)}-${String(3 * period[1] - 2).padStart(2, "0")}-01`;

const charts = {
  line: (n) => ({
    data: { values: n.series.flatMap(({ name, values }) => n.periods.map((p, k) => ({ name, day: day(p), value: values[k] }))) },
    mark: { type: "line", interpolate: "monotone", strokeWidth: 2.5 },
    encoding: {
      x: { field: "day", type: "temporal", title: null, axis: { grid: false } },
      y: { field: "value", type: "quantitative", title: null, scale: { zero: false } },
      color: { field: "name", title: null, sort: n.series.map((s) => s.name), scale: { range: colours } },
    },
  }),
  "horizontal-bar": (n) => ({
    data: { values: n.series.map((s) => ({ name: s.name, value: s.values[0] })) },
    encoding: {
      y: { field: "name", type: "nominal", sort: null, title: null },
      x: { field: "value", type: "quantitative", title: null },
    },
    layer: [
      { mark: { type: "bar", color: colours[0] } },
      { mark: { type: "text", align: "left", dx: 4, fontSize: 12 }, encoding: { text: { field: "value" } } },
    ],
  }),
  map: (n) => {
    const value = new Map(n.series.map((s) => [s.id, s.values[0]]));
    const shapes = outlines(width - 48, height - 110).features;
    for (const f of shapes) f.value = value.get(f.properties.id) ?? null;
    return {
      data: { values: shapes },
      projection: { type: "identity" },
      mark: { type: "geoshape", stroke: "#fff", strokeWidth: 0.5 },
      encoding: {
        color: {
          condition: { test: "datum.value === null", value: blank },
          field: "value", type: "quantitative", title: null, legend: { orient: "bottom-left" }, scale: { type: "quantize", domain: [20, 180], range: blues },
        },
      },
    };
  },
};
