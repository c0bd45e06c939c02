package defaults_test

import (
	"testing"

	"almanac/internal/defaults"
	"almanac/internal/stat"
)

// docs/api.md, Values: what the flags of a dataset mean. Estimates of the World Economic Outlook are forecasts.
func TestFlagName(t *testing.T) {
	weo := &stat.Dataset{Source: stat.Source{ID: "imf"}, Code: "WEO-groups"}
	other := &stat.Dataset{Source: stat.Source{ID: "eurostat"}, Code: "weo"}
	for _, c := range []struct {
		d          *stat.Dataset
		flag, want string
	}{
		{weo, "E", "forecast: an estimate or projection of the office after the last observed year"},
		{weo, "IMF:--", "zero, or too small to be shown"},
		{weo, "B", "break in the series"},
		{other, "E", "estimated value"},
		{other, "ESTAT:s", "estimate by Eurostat"},
		{other, "CONF_STATUS:C", "confidential"},
		{other, "STATCAN:a", ""},
	} {
		if got := defaults.FlagName(c.d, c.flag); got != c.want {
			t.Errorf("%s: %s is %q, want %q", c.d.Code, c.flag, got, c.want)
		}
	}
}
