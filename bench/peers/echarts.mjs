// Apache ECharts: SVG without a browser, PNG by resvg.
import * as echarts from "echarts";
import { outlines } from "./outlines.mjs";
import { blank, blues, colours, family, height, png, width } from "./page.mjs";

export async function painter(numbers) {
  const world = outlines(width - 48, height - 110);
  // ECharts takes degrees of latitude, which grow upwards.
  for (const f of world.features) for (const rings of f.geometry.coordinates) for (const ring of rings) for (const p of ring) p[1] = -p[1];
  for (const f of world.features) f.properties.name = f.properties.id;
  echarts.registerMap("world", world);
  return (kind) => {
    const chart = echarts.init(null, null, { renderer: "svg", ssr: true, width, height });
    chart.setOption({ ...page(numbers[kind]), ...charts[kind](numbers[kind]) });
    const svg = chart.renderToSVGString();
    chart.dispose();
    return png(svg);
  };
}

const text = (fontSize, color) => ({ fontFamily: family, fontSize, color });

const page = (n) => ({
  animation: false,
  backgroundColor: "#fff",
  color: colours,
  textStyle: text(13, "#333"),
  title: { text: n.title, subtext: n.subtitle, left: 20, top: 16, itemGap: 8, textStyle: { ...text(26, "#222"), fontWeight: 700 }, subtextStyle: text(16, "#555") },
  graphic: [{ type: "text", left: 24, bottom: 14, style: { text: n.source, fill: "#666", font: `13px ${family}` } }],
});

const charts = {
  line: (n) => ({
    grid: { left: 56, right: 32, top: 100, bottom: 100 },
    legend: { bottom: 46, icon: "roundRect", itemHeight: 4, textStyle: text(14, "#333") },
    xAxis: { type: "category", data: n.periods, boundaryGap: false, axisLabel: text(13, "#555") },
    yAxis: { type: "value", scale: true, axisLabel: text(13, "#555") },
    series: n.series.map(({ name, values }) => ({ type: "line", name, data: values, smooth: true, showSymbol: false, lineStyle: { width: 2.5 } })),
  }),
  "horizontal-bar": (n) => ({
    grid: { left: 122, right: 56, top: 92, bottom: 66 },
    yAxis: { type: "category", inverse: true, data: n.series.map((s) => s.name), axisTick: { show: false }, axisLine: { show: false }, axisLabel: { ...text(13, "#333"), interval: 0 } },
    xAxis: { type: "value", axisLabel: text(13, "#555") },
    series: [{ type: "bar", data: n.series.map((s) => s.values[0]), barWidth: "72%", label: { show: true, position: "right", ...text(12, "#222") } }],
  }),
  map: (n) => ({
    visualMap: { type: "piecewise", left: 24, bottom: 48, splitNumber: 5, min: 20, max: 180, precision: 0, inRange: { color: blues }, textStyle: text(13, "#333") },
    series: [{
      type: "map", map: "world", silent: true, aspectScale: 1, left: 24, right: 24, top: 84, bottom: 26,
      itemStyle: { areaColor: blank, borderColor: "#fff", borderWidth: 0.5 },
      data: n.series.map((s) => ({ name: s.id, value: s.values[0] })),
    }],
  }),
};
