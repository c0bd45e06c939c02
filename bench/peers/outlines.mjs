// The world's outlines at 1:50 million, cut at the date line, projected into a
// plane of w × h and rounded to a tenth of a pixel, once and beforehand, as a
// a program that often draws the same map would do.
import { createRequire } from "node:module";
import { feature } from "topojson-client";
import { geoEqualEarth } from "d3-geo";
import { geoProject } from "d3-geo-projection";

const world = createRequire(import.meta.url)("world-atlas/countries-50m.json");

// A GeoJSON collection. The id of a country is its ISO number, or its name if
// the atlas has no number.
export function outlines(w, h) {
  const all = feature(world, world.objects.countries);
  all.features = all.features
    .filter((f) => f.properties.name !== "Antarctica")
    .map((f) => ({ type: "Feature", geometry: f.geometry, properties: { id: f.id ?? f.properties.name } }));
  const flat = geoProject(all, geoEqualEarth().fitSize([w, h], all));
  flat.features = flat.features.filter((f) => f.geometry);
  for (const f of flat.features) {
    f.geometry = { type: "MultiPolygon", coordinates: (f.geometry.type === "Polygon" ? [f.geometry.coordinates] : f.geometry.coordinates).map((rings) => rings.map(rounded)) };
  }
  return flat;
}

// A ring without the points that rounding made equal to the one before.
function rounded(ring) {
  const points = ring.map(([x, y]) => [Math.round(x * 10) / 10, Math.round(y * 10) / 10]);
  const kept = points.filter((p, i) => i === 0 || p[0] !== points[i - 1][0] || p[1] !== points[i - 1][1]);
  return kept.length < 4 ? points : kept;
}
