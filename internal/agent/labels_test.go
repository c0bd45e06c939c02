package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"almanac/internal/importer"
)

// TestLabelsOfAreas checks that the tools read each label of an area as that area, also if the labels of others
// are their codes and the same name.
func TestLabelsOfAreas(t *testing.T) {
	base, _ := serve(t, newStore(t, "px/statfin/perheet-LargeFinnishDatasetWithManyValues.px", "px/scb/BE0101A1.px", "eurostat/tsv-old/nama_10r_2gdp.tsv.gz"), unlimited)
	session := connect(t, base, nil)
	for _, dataset := range []string{"statfin:statfin_perh_pxt_12c1", "scb:BE0101A1", "eurostat:nama_10r_2gdp"} {
		response, err := http.Get(base + "/api/datasets/" + dataset + "/dimensions")
		if err != nil {
			t.Fatal(err)
		}
		var has struct {
			Geography []struct{ Code, Label string }
		}
		if err := json.NewDecoder(response.Body).Decode(&has); err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if len(has.Geography) == 0 {
			t.Errorf("%s has no areas", dataset)
		}
		for _, v := range has.Geography {
			arguments, _ := json.Marshal(map[string]any{"dataset": dataset, "areas": []string{v.Label}, "max_rows": 1})
			text, _ := ask(t, session, "get_data", string(arguments))
			var r struct {
				Rows [][]any           `json:"rows"`
				Same map[string]string `json:"same_in_all_rows"`
			}
			if err := json.Unmarshal([]byte(text), &r); err != nil {
				t.Fatal(err, text)
			}
			if got := r.Same["area"]; len(r.Rows) > 0 && got != v.Label && got != v.Label+" ["+v.Code+"]" {
				t.Errorf("%s: %q is read as %s, want %s", dataset, v.Label, got, v.Code)
			}
		}
	}
	const families = `{"dataset": "statfin:statfin_perh_pxt_12c1", "areas": ["Helsinki", "Tampere"]`
	for _, c := range []struct{ tool, arguments, want string }{
		{"get_latest", families + `}`, "the dataset also has SK011 Helsinki"},
		{"get_latest", families + `}`, "161417"},
		{"render_chart", families + `, "type": "bar"}`, "161,417"},
		{"render_chart", families + `, "type": "bar"}`, "the dataset also has SK011 Helsinki"},
	} {
		if text, _ := ask(t, session, c.tool, c.arguments); !strings.Contains(text, c.want) {
			t.Errorf("%s %s: %s, want %q", c.tool, c.arguments, text, c.want)
		}
	}
}

// TestChangesOfToday checks that the changes since a date include those of the day.
func TestChangesOfToday(t *testing.T) {
	base, _ := serve(t, newStore(t, "ecb/ecb-data-generic-2.1.xml", "ecb/ecb-data-specific-2.1.xml"), unlimited)
	session := connect(t, base, nil)
	list, _ := ask(t, session, "list_changes", `{}`)
	var found struct{ Rows [][]any }
	if err := json.Unmarshal([]byte(list), &found); err != nil || len(found.Rows) != 1 {
		t.Fatal(list, err)
	}
	arguments, _ := json.Marshal(map[string]any{"dataset": found.Rows[0][0], "since": time.Now().UTC().Format(time.DateOnly)})
	text, _ := ask(t, session, "list_changes", string(arguments))
	if !strings.Contains(text, `"between":"1.0 and 1.1"`) || strings.Contains(text, `"counts":"0 added, 0 revised, 0 removed"`) {
		t.Errorf("%s: %s, want the changes of the second version", arguments, text)
	}
}

// TestChangesHaveLabels checks that a list of changes names codes, areas and flags by their labels.
func TestChangesHaveLabels(t *testing.T) {
	s := newStore(t)
	const (
		head = "#almanac-tidy,1\n#source,eurostat,Office\n#dataset,t,Table\n#updated,2024-01-0%d\n#dimension,sex,Sex\n#code,F,%s\n#geography,geo,Area\n#code,DE,%s\nsex,geo,TIME_PERIOD,OBS_VALUE,OBS_STATUS\n"
		old  = "F,DE,2019,1,\nF,DE,2020,2,P\n"
		now  = "F,DE,2019,1,\nF,DE,2020,3,E\n"
	)
	for _, file := range []string{fmt.Sprintf(head, 1, "Female", "Deutschland") + old, fmt.Sprintf(head, 2, "Women", "Germany") + now} {
		im, err := importer.New(s, importer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range im.Read(context.Background(), "t.csv", strings.NewReader(file)) {
			if o.Error != "" {
				t.Fatal(o.Error)
			}
		}
	}
	base, _ := serve(t, s, unlimited)
	text, _ := ask(t, connect(t, base, nil), "list_changes", `{"dataset": "eurostat:t"}`)
	for _, want := range []string{
		`"labels: label of Women [F] in Sex [sex]: Female → Women"`, `"labels: label of Germany [DE] in geo: Deutschland → Germany"`,
		`["revised","Women","Germany [DE]","2020","",2,3,"P","E"]`, `"flag_meanings":{"E":"estimated`, `"P":"provisional`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s\nlacks %s", text, want)
		}
	}
}

// TestLabelsOfNoKnownArea checks that resolve_area finds areas that only the dataset knows, such as counties.
func TestLabelsOfNoKnownArea(t *testing.T) {
	s := newStore(t)
	im, err := importer.New(s, importer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const file = "#almanac-tidy,1\n#source,census,Office\n#dataset,t,Table\n#geography,geo,Area\n#code,06037,Los Angeles County\n#code,06059,\"Orange County, CA\"\n#code,12095,\"Orange County, FL\"\n" +
		"geo,TIME_PERIOD,OBS_VALUE\n06037,2018,1\n06059,2018,2\n12095,2018,3\n"
	for _, o := range im.Read(context.Background(), "t.csv", strings.NewReader(file)) {
		if o.Error != "" {
			t.Fatal(o.Error)
		}
	}
	base, _ := serve(t, s, unlimited)
	session := connect(t, base, nil)
	for area, want := range map[string]string{
		"Los Angeles County": "the dataset has Los Angeles County [06037]",
		"Orange County":      "Orange County, CA [06059], Orange County, FL [12095]; call this or another tool with one of these codes",
		"Narnia County":      "describe_dataset for the areas of the dataset",
	} {
		if text, _ := ask(t, session, "resolve_area", fmt.Sprintf(`{"area": %q, "dataset": "census:t"}`, area)); !strings.Contains(text, want) {
			t.Errorf("%s: %s, want %q", area, text, want)
		}
	}
}
