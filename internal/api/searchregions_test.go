package api_test

import (
	"testing"

	"almanac/internal/stattest"
)

// regionAnswers are questions for regions, of which the words are also nearly other words, see [answers].
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
population of Twentz                | demo_r_pjangrp3 | "twentz" is neither
`

// TestRegionsNamed checks that names of regions are read that are also nearly other words.
func TestRegionsNamed(t *testing.T) {
	stattest.SkipUnderRace(t)
	base := searchFiles(t, "eurostat/tsv-old/demo_r_pjangrp3.tsv.gz")
	checkAnswers(t, base, regionAnswers)
}
