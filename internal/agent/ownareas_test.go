package agent_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"almanac/internal/importer"
)

// TestTextsOfOwn checks that resolve_area takes a text of a dataset that only looks like a code for no known area: get_data does not
// either.
func TestTextsOfOwn(t *testing.T) {
	s := newStore(t)
	im, err := importer.New(s, importer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const file = "Region,Sex,Year,Value\nES,M,2020,5.1\nES,F,2020,5.2\nPT,M,2020,6.1\nPT,F,2020,6.2\nES,M,2021,5.3\nES,F,2021,5.4\nPT,M,2021,6.3\nPT,F,2021,6.4\n"
	for _, o := range im.Read(context.Background(), "reg.csv", strings.NewReader(file)) {
		if o.Error != "" {
			t.Fatal(o.Error)
		}
	}
	base, _ := serve(t, s, unlimited)
	session := connect(t, base, nil)
	for area, want := range map[string]string{"Spain": "the dataset lacks it", "ES": "use it in areas as it is"} {
		if text, _ := ask(t, session, "resolve_area", fmt.Sprintf(`{"area": %q, "dataset": "local:reg"}`, area)); !strings.Contains(text, want) {
			t.Errorf("%s: %s, want %q", area, text, want)
		}
	}
	if text, _ := ask(t, session, "get_data", `{"areas": ["ES"], "dataset": "local:reg"}`); !strings.Contains(text, "5.4") {
		t.Errorf("the text as an area: %s", text)
	}
}
