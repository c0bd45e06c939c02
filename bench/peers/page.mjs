// What both libraries share: the size and look of the picture, and the step from
// SVG to PNG. The fonts are files, so that resvg does not search the machine for
// any.
import { fileURLToPath } from "node:url";
import { Resvg } from "@resvg/resvg-js";

export const width = 1200, height = 675;
export const family = "Inter";
export const colours = ["#2563a8", "#c8553d", "#2e8b6f", "#7b4fa3", "#b8860b", "#5b6573"];
export const blues = ["#dbe9f6", "#a8cbe5", "#64a1cf", "#2c72b0", "#123f73"];
export const blank = "#e4e4e0";

const font = (weight) => fileURLToPath(import.meta.resolve(`@expo-google-fonts/inter/${weight}/Inter_${weight}.ttf`));
const options = { font: { fontFiles: [font("400Regular"), font("700Bold")], loadSystemFonts: false, defaultFontFamily: family } };

export const png = (svg) => new Resvg(svg, options).render().asPng();
