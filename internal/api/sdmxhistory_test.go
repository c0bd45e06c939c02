package api_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/api"
	"almanac/internal/store"
)

// TestHistory applies the data sets of a history one after another: what is left are the data of the
// version.
func TestHistory(t *testing.T) {
	for name, list := range map[string]editions{"sdg_08_10": realEditions(t, 4), "made": madeEditions(9)} {
		t.Run(name, func(t *testing.T) {
			now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
			s, err := store.Open(context.Background(), store.Options{Dir: t.TempDir(), Now: func() time.Time { return now }})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = s.Close() })
			base := serve(t, newAPI(t, api.Options{Store: s})) + "/sdmx/2.1/data/all," + name + ","
			for _, text := range list {
				load(t, s, "sdg_08_10.tsv", strings.NewReader(text))
				now = now.AddDate(0, 0, 1)
			}
			for version := range list {
				number := fmt.Sprintf("1.%d", version)
				want := applied(t, ask(t, "GET", base+number+"?format=csvdata"))
				got := applied(t, ask(t, "GET", base+number+"?includeHistory=true&format=csvdata"))
				if !maps.Equal(got, want) {
					t.Errorf("version %s: %d observations after its history, want %d", number, len(got), len(want))
				}
				for _, format := range []string{"structurespecificdata", "genericdata", "jsondata"} {
					reply := ask(t, "GET", base+number+"?includeHistory=true&format="+format)
					if reply.StatusCode != 200 || !strings.Contains(reply.body, "2026-01-01T12:00:00Z") || version == len(list)-1 && !strings.Contains(reply.body, `Delete"`) {
						t.Errorf("%s of version %s: %d, without the time of the first version or what was removed: %.500s", format, number, reply.StatusCode, reply.body)
					}
					checkSyntax(t, reply.Header.Get("Content-Type"), reply.body)
				}
			}
			checkStructures(t, strings.TrimSuffix(base, "/2.1/data/all,"+name+","), name, len(list))
			for query, status := range map[string]int{"format=csvdata1": 501, "updatedAfter=2026-01-01": 400, "startPeriod=2200": 404, "asOf=2026-01-02T00:00:00Z": 200} {
				if reply := ask(t, "GET", strings.TrimSuffix(base, ",")+"?includeHistory=true&"+query); reply.StatusCode != status {
					t.Errorf("%s: %d, want %d", query, reply.StatusCode, status)
				}
			}
		})
	}
}

// applied returns the observations of a message of SDMX-CSV 2.0, by key and time, after all its actions.
func applied(t *testing.T, got answer) map[string]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(got.body)).ReadAll()
	if err != nil || got.StatusCode != 200 {
		t.Fatalf("%d %v: %.300s", got.StatusCode, err, got.body)
	}
	value := slices.Index(rows[0], "OBS_VALUE")
	all := map[string]string{}
	for _, row := range rows[1:] {
		key := strings.Join(row[3:value], ".")
		if row[2] == "D" {
			delete(all, key)
		} else {
			all[key] = strings.Join(row[value:], ",")
		}
	}
	return all
}

// checkStructures checks that the structures of all versions of a history are there, by one address, and by one
// address each.
func checkStructures(t *testing.T, base, name string, versions int) {
	t.Helper()
	for _, path := range []string{"/2.1/dataflow/all/" + name + "/all?references=all", "/3.0/structure/dataflow/*/" + name + "/*?references=descendants"} {
		all := ask(t, "GET", base+path)
		for version := range versions {
			number := fmt.Sprintf("1.%d.0", version)
			for _, urn := range []string{":" + name + "(", ":DSD_" + name + "(", ":CS_" + name + "(", ":CL_" + name + "--geo("} {
				if !strings.Contains(all.body, urn+number+")") {
					t.Errorf("%s: %d without %s%s)", path, all.StatusCode, urn, number)
				}
			}
			if one := ask(t, "GET", base+strings.NewReplacer("/all?", "/"+number+"?", "/*?", "/"+number+"?").Replace(path)); strings.Count(one.body, ":"+name+"("+number+")") == 0 {
				t.Errorf("%s of version %s: %d %.300s", path, number, one.StatusCode, one.body)
			}
		}
	}
	for query, status := range map[string]int{"1.1*.0": 501, "1.0+.0": 200, "1+.1.0": 200, "2+.0.0": 404, "*": 200} {
		if reply := ask(t, "GET", base+"/3.0/data/dataflow/*/"+name+"/"+query); reply.StatusCode != status {
			t.Errorf("data of the versions %s: %d, want %d: %.300s", query, reply.StatusCode, status, reply.body)
		}
	}
}
