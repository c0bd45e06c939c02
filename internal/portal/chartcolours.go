package portal

import (
	"strconv"
	"strings"

	"almanac/internal/chart/colour"
)

// chartColours returns the stylesheet that shows charts, which are drawn in the colours of light
// pages, in those of dark pages. It is made of the palettes of charts, so both stay the same.
func chartColours() []byte {
	pairs := append(colour.Paper.PairsTo(colour.Night), colour.Pair{From: colour.White, To: colour.Night.Ground}) // texts on bars
	var light, dark, rules strings.Builder
	for i, pair := range pairs {
		name := "--chart-" + strconv.Itoa(i)
		light.WriteString(name + ":" + pair.From.String() + ";")
		dark.WriteString(name + ":" + pair.To.String() + ";")
		for _, attribute := range []string{"fill", "stroke"} {
			rules.WriteString(".plot [" + attribute + `="` + pair.From.String() + `"]{` + attribute + ":var(" + name + ")}\n")
		}
	}
	return []byte("/* Colours of charts, made from the palettes of package colour. */\n" +
		":root{" + light.String() + "}\n" +
		"@media (prefers-color-scheme:dark){:root:not([data-theme=light]){" + dark.String() + "}}\n" +
		":root[data-theme=dark]{" + dark.String() + "}\n" + rules.String())
}
