package api_test

import (
	"net/url"
	"path/filepath"
	"slices"
	"testing"

	"almanac/internal/importer"
	"almanac/internal/search/hits"
	"almanac/internal/stattest"
)

// TestFilterAddsNoHit checks that a dataset of the store that a filter shows is a hit without it, also if only its description has what is asked for.
func TestFilterAddsNoHit(t *testing.T) {
	stattest.SkipUnderRace(t)
	base := searchFilesOf(t, importer.Options{Country: "US"}, filepath.Join("..", "data-more", "fred-unrate", "UNRATE.csv"), "eurostat/tsv-old/une_rt_a.tsv.gz", "ilo/EAR_4MTH_SEX_GEO_CUR_NB_A.csv")
	for _, question := range []string{"unemployment", "US unemployment rate January 2010", "unemployment rate", "gender"} {
		all := find(t, base, "q="+url.QueryEscape(question)).Data
		for _, filter := range []string{"frequency=M", "source=fred", "source=ilo", "source=eurostat"} {
			for _, h := range find(t, base, filter+"&q="+url.QueryEscape(question)).Data {
				if !slices.ContainsFunc(all, func(other hits.Hit) bool { return other.ID == h.ID }) {
					t.Errorf("%s: %s is found with %s only", question, h.Code, filter)
				}
			}
		}
	}
	checkValue(t, find(t, base, "q="+url.QueryEscape("US unemployment rate January 2010")), "", "unrate", "United States 01/2010: 9.8")
}
