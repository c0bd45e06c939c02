package pxweb

import (
	"strings"
	"testing"
)

// Filters keep values of variables, and name what the table does not have.
func TestFilters(t *testing.T) {
	for _, c := range []struct{ query, want, fault string }{
		{"Region=00,01&Tid=2024", "00,01|2024", ""},
		{"valueCodes[region]=01", "01|2023,2024", ""},
		{"Kon=1", "", `no variable "Kon"; its variables are Region, Tid`},
		{"Tid=2022", "", `Tid has no value "2022"; its values are 2023, 2024`},
	} {
		table := tableInfo{variables: []variable{{code: "Region", values: []string{"00", "01", "02"}}, {code: "Tid", values: []string{"2023", "2024"}}}}
		filters, err := parseFilters(c.query)
		if err == nil {
			err = table.keepAll(filters)
		}
		got := strings.Join(table.variables[0].values, ",") + "|" + strings.Join(table.variables[1].values, ",")
		if (err == nil) != (c.fault == "") || err == nil && got != c.want || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%s: got %s, %v, want %s, %s", c.query, got, err, c.want, c.fault)
		}
	}
}
