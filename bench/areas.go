package main

import (
	"strings"

	"almanac/internal/stat"
)

// areas are those of the generated datasets; Germany is the first.
var areas = strings.Split("DE Germany;AT Austria;BE Belgium;BG Bulgaria;CH Switzerland;CY Cyprus;CZ Czechia;DK Denmark;"+
	"EE Estonia;ES Spain;FI Finland;FR France;GB United Kingdom;GR Greece;HR Croatia;HU Hungary;IE Ireland;IS Iceland;"+
	"IT Italy;LT Lithuania;LU Luxembourg;LV Latvia;MT Malta;NL Netherlands;NO Norway;PL Poland;PT Portugal;RO Romania;"+
	"SE Sweden;SI Slovenia;SK Slovakia;TR Türkiye;RS Serbia;ME Montenegro;MK North Macedonia;AL Albania;"+
	"BA Bosnia and Herzegovina;UA Ukraine;GE Georgia;MD Moldova", ";")

func area(i int) stat.Code {
	code, name, _ := strings.Cut(areas[i], " ")
	return stat.Code{ID: code, Label: name, Area: code}
}
