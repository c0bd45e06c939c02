package api_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"almanac/internal/search/hits"
)

// checkNotices checks the notices of questions: lines of a question and parts of a notice, each "not" if no notice may have it.
func checkNotices(t *testing.T, base, table string) {
	t.Helper()
	for line := range strings.Lines(strings.TrimSpace(table)) {
		question, wanted, _ := strings.Cut(line, "|")
		question = strings.TrimSpace(question)
		page := find(t, base, "limit=20&q="+url.QueryEscape(question))
		for want := range strings.SplitSeq(strings.TrimSpace(wanted), " … ") {
			want, isNot := strings.CutPrefix(want, "not ")
			has := slices.ContainsFunc(page.Notices, func(n hits.Notice) bool { return strings.Contains(n.Message, want) })
			if has == isNot {
				t.Errorf("%s: want a notice with %q: %t, got %+v", question, want, !isNot, page.Notices)
			}
		}
	}
}

// TestWordsInVain checks that a word is said to be in no dataset only if none has it, also not by another name.
func TestWordsInVain(t *testing.T) {
	base := searchFiles(t, "eurostat/tsv-old/une_rt_a.tsv.gz", "unicef/CME_MRY0T4_all_2020.csv", "worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv")
	checkNotices(t, base, `
labour force women Germany                        | not "women"
erwerbspersonen frauen deutschland                | not "frauen"
unemployment rate of women under 30 in Italy 2010 | not "women"
unemployment rate of women under 25 in Italy 2010 | not do not have
under-five mortality Germany girls bound          | not "girls" … do not have "bound" in
under-five mortality Germany girls lower bound    | not do not have
unemployment elephants men Italy                  | not "men" … do not have "elephants" in
unemployment elephants youth Italy                | not "youth" … do not have "elephants" in
`)
	for _, c := range []struct{ question, code, want string }{
		{"under-five mortality Germany girls bound", "cme_mry0t4_all_2020", `"bound" is neither`},
		{"under-five mortality Germany girls lower bound", "cme_mry0t4_all_2020", "Germany 2020: 3.33574249929033 Under-five mortality rate Female Total Lower"},
		{"under-five mortality Germany upper bound", "cme_mry0t4_all_2020", "Total Total Upper"},
		{"unemployment lower bound Italy", "une_rt_a", `"bound" is neither`},
		{"unemployment women elephants Italy", "une_rt_a", `"elephants" is neither`},
		{"unemployment rate of women under 30 in Italy 2010", "une_rt_a", `"under" is neither`},
	} {
		checkValue(t, find(t, base, "limit=20&q="+url.QueryEscape(c.question)), c.question, c.code, c.want)
	}
}
