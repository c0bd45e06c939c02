package agent_test

import (
	"strings"
	"testing"

	"almanac/internal/importer"
)

// TestWordsForValues reads values by other words for them, also in other languages, and says so.
func TestWordsForValues(t *testing.T) {
	s := newStoreOf(t, importer.Options{Country: "EE"}, "../data-more/estonia-rv021/RV021.csv", "eurostat/tsv-old/une_rt_a.tsv.gz")
	base, _ := serve(t, s, unlimited)
	session := connect(t, base, nil)
	const estonia, jobless = `{"dataset": "local:rv021", "dimensions": `, `{"dataset": "eurostat:une_rt_a", "areas": ["EE"], "dimensions": `
	for _, c := range []struct {
		name, tool, arguments string
		want, wantNot         string
	}{
		{"a sex in English", "get_data", estonia + `{"Sugu": ["women"]}}`, `\"women\" is read as Naised`, ""},
		{"in German", "get_latest", estonia + `{"Sugu": ["Männer"]}}`, `\"Männer\" is read as Mehed`, ""},
		{"in Hungarian", "get_data", estonia + `{"Sugu": ["Nő"]}}`, `\"Nő\" is read as Naised`, ""},
		{"two", "get_data", estonia + `{"Sugu": ["men", "females"]}}`, `\"females\" is read as Naised`, ""},
		{"one that is left out", "get_data", estonia + `{"not.Sugu": ["women"]}}`, `\"women\" is read as Naised`, ""},
		{"a chart", "render_chart", strings.TrimSuffix(estonia, `"dimensions": `) + `"type": "line", "dimensions": {"Sugu": ["women"]}}`, `\"women\" is read as Naised`, ""},
		{"the label itself", "get_data", estonia + `{"Sugu": ["naised"]}}`, "Naised", "is read as"},
		{"a word of no value", "get_data", estonia + `{"Sugu": ["girls"]}}`, `\"girls\" is not a label or code`, "is read as"},
		{"a code without a label", "get_data", jobless + `{"sex": ["femmes"]}}`, `\"femmes\" is read as Females [F]`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, result := ask(t, session, c.tool, c.arguments)
			text = strings.NewReplacer(`\\"`, `\"`).Replace(text)
			if !strings.Contains(text, c.want) && !strings.Contains(text, strings.ReplaceAll(c.want, `\"`, `"`)) || c.wantNot != "" && strings.Contains(text, c.wantNot) {
				t.Errorf("%s %s (error: %t): %.2000s, want %q and not %q", c.tool, c.arguments, result.IsError, text, c.want, c.wantNot)
			}
		})
	}
}

// TestTitlesOfChanges names datasets by their titles, also those whose files have only a code.
func TestTitlesOfChanges(t *testing.T) {
	s := newStoreOf(t, importer.Options{Country: "EE"}, "../data-more/estonia-rv021/RV021.csv")
	base, _ := serve(t, s, unlimited)
	session := connect(t, base, nil)
	for _, c := range []struct{ arguments, want string }{
		{`{}`, `["local:rv021","Population on 1 January",`},
		{`{"dataset": "local:rv021"}`, `"name":"Population on 1 January"`},
		{`{"dataset": "RV021"}`, `"name":"Population on 1 January"`},
	} {
		if text, _ := ask(t, session, "list_changes", c.arguments); !strings.Contains(text, c.want) {
			t.Errorf("list_changes %s: %s, want %s", c.arguments, text, c.want)
		}
	}
}
