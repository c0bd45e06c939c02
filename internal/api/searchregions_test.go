package api_test

import (
	"testing"

	"almanac/internal/stattest"
)

// regionAnswers are questions for regions, of which the words look like others, see [answers].
const regionAnswers = `
population of Heves                 | demo_r_pjangrp3 | Heves 2022: 289938
Einwohner Heves                     | demo_r_pjangrp3 | Heves 2022: 289938
population Bács-Kiskun              | demo_r_pjangrp3 | Bács-Kiskun 2022:
population Durrës                   | demo_r_pjangrp3 | Durrës 20
population of Bad Kissingen         | demo_r_pjangrp3 | Bad Kissingen 2022:
population Haut-Rhin                | demo_r_pjangrp3 | Haut-Rhin 2022:
population Pas-de-Calais            | demo_r_pjangrp3 | Pas-de-Calais 2022:
population Cornwall and Isles of Scilly | demo_r_pjangrp3 | Cornwall and Isles of Scilly
population of Sandwell              | demo_r_pjangrp3 | Sandwell 20
population Bihor                    | demo_r_pjangrp3 | Bihor 2022:
population of Oise                  | demo_r_pjangrp3 | Oise 2022:
population of the Eure              | demo_r_pjangrp3 | Eure 2022:
population of Bihar                 | demo_r_pjangrp3 | no value of the area itself … IN-BR lacking
peines de prison en France          | demo_r_pjangrp3 | is not found
population of Twentz                | demo_r_pjangrp3 | "Twentz" is neither
`

// countryAnswers are likewise: two names of countries beside each other are these, and with a comma or a word for it, or if the countries are on
// different continents, a region and its country.
const countryAnswers = `
unemployment Luxembourg Belgium             | une_rt_a        | Luxembourg 2019: 5.6 … LU known … BE known
unemployment Belgium Luxembourg             | une_rt_a        | Belgium 2019: 5.4 … BE known … LU known
Arbeitslosigkeit Luxemburg Belgien          | une_rt_a        | Luxembourg 2019: 5.6 … LU known … BE known
unemployment Luxembourg, Belgium            | une_rt_a        | no value of the area itself … BE-WLX lacking
unemployment Luxembourg (Belgium)           | une_rt_a        | no value of the area itself … BE-WLX lacking
population province Luxembourg Belgium      | demo_r_pjangrp3 | Prov. Luxembourg (BE) 2022: 294400
population Luxembourg, Belgium              | demo_r_pjangrp3 | Prov. Luxembourg (BE) 2022: 294400
population Niger Nigeria                    | SP.POP.TOTL     | Niger 2016: 
population Mali Guinea                      | SP.POP.TOTL     | Mali 2016: 
population Georgia USA                      | SP.POP.TOTL     | no value of the area itself … US-GA lacking
population of Georgia, United States        | SP.POP.TOTL     | no value of the area itself … US-GA lacking
population Georgia Armenia                  | SP.POP.TOTL     | Georgia 2016: 3719300
`

// TestRegionsNamed checks that names of regions are read that are also nearly other words, and which are those of countries.
func TestRegionsNamed(t *testing.T) {
	stattest.SkipUnderRace(t)
	base := searchFiles(t, "worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv", "eurostat/tsv-old/demo_r_pjangrp3.tsv.gz", "eurostat/tsv-old/une_rt_a.tsv.gz")
	checkAnswers(t, base, regionAnswers)
	checkAnswers(t, base, countryAnswers)
	checkNotices(t, base, `
unemployment Luxembourg Belgium | "Luxembourg" is taken to mean Luxembourg [LU]; for Luxembourg, Belgium [BE-WLX]
unemployment Luxembourg, Belgium | "Luxembourg" is taken to mean Luxembourg [BE-WLX]; for Luxembourg [LU]
population Georgia USA | "Georgia" is taken to mean Georgia [US-GA]; for Georgia [GE]
`)
}
