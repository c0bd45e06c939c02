package api_test

import (
	"net/url"
	"strings"
	"testing"

	"almanac/internal/api"
)

// Notes on values are in each of the file's languages.
func TestNotesInLanguages(t *testing.T) {
	s := newStore(t)
	load(t, s, "t.px", strings.NewReader(`CHARSET="ANSI"; LANGUAGE="sv"; LANGUAGES="sv","en","fi"; MATRIX="T1"; SOURCE="SCB";
TITLE="Folk"; TITLE[en]="Population"; TITLE[fi]="Kansa";
STUB="kon"; STUB[en]="sex"; STUB[fi]="suku"; HEADING="ar"; HEADING[en]="year"; HEADING[fi]="vuosi";
VALUES("kon")="man","kvinnor","barn"; VALUES[en]("sex")="men","women","children"; VALUES[fi]("suku")="miehet","naiset","lapset";
VALUES("ar")="2019"; VALUES[en]("year")="2019"; VALUES[fi]("vuosi")="2019"; TIMEVAL("ar")=TLIST(A1),"2019";
VALUENOTE("kon","man")="en not#andra raden"; VALUENOTE[en]("sex","men")="a note#second line"; VALUENOTE[fi]("suku","miehet")="viite";
CELLNOTE("man","2019")="gammal"; CELLNOTE[en]("men","2019")="old"; CELLNOTE[fi]("miehet","2019")="vanha";
VALUENOTE("kon","kvinnor")="bara svenska"; VALUENOTE[en]("sex","children")="only English";
DATA= 1 2 3;
`))
	base := serve(t, newAPI(t, api.Options{Store: s}))
	for language, want := range map[string]string{
		"":   `men: a note / second line / old; women: bara svenska; children: only English`,
		"en": `men: a note / second line / old; women: bara svenska; children: only English`,
		"sv": `man: en not / andra raden / gammal; kvinnor: bara svenska; barn: only English`,
		"fi": `miehet: viite / vanha; naiset: bara svenska; lapset: only English`,
	} {
		query := url.Values{"flags": {"true"}}
		if language != "" {
			query.Set("lang", language)
		}
		got := ask(t, "GET", base+"/api/datasets/1/data?"+query.Encode())
		for part := range strings.SplitSeq(want, "; ") {
			label, note, _ := strings.Cut(part, ": ")
			block := got.body[max(0, strings.Index(got.body, `"dim1_value":"`+label+`"`)):]
			if note = `["` + strings.ReplaceAll(note, " / ", `\n`) + `"]`; !strings.Contains(strings.SplitN(block, "series_key", 2)[0], note) {
				t.Errorf("%q: the note of %s is not %s: %s", language, label, note, got.body)
			}
		}
	}
}
