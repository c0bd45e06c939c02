package jsonstat_test

import (
	"fmt"
	"strings"
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/jsonstat"
)

// Labels of periods that say more than their codes are kept, those that write the same in another way
// are not.
func TestLabelsOfPeriods(t *testing.T) {
	for _, c := range []struct{ name, codes, labels, want string }{
		{"no labels", `"2020","2021"`, ``, "map[]"},
		{"the same", `"2020","2021"`, `"2020":"2020","2021":" 2021 "`, "map[]"},
		{"the months of another language", `"2020M01","2020M02"`, `"2020M01":"Januar 2020","2020M02":"2020-02"`, "map[]"},
		{"a remark", `"2020","2021","2022"`, `"2021":"2021*","2022":"2022 (provisional)"`, "map[2021:2021* 2022:2022 (provisional)]"},
		{"years of school", `"2020","2021"`, `"2020":"2019/20","2021":"2020/21"`, "map[2020:2019/20 2021:2020/21]"},
		{"words", `"2020Q1","2020Q2"`, `"2020Q1":"before the crisis","2020Q2":"2020 Q2"`, "map[Q1/2020:before the crisis]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			size := 1 + strings.Count(c.codes, ",")
			file := fmt.Sprintf(`{"version":"2.0","class":"dataset","source":"X","id":["year"],"size":[%d],"role":{"time":["year"]},
"dimension":{"year":{"category":{"index":[%s],"label":{%s}}}},"value":[1%s]}`, size, c.codes, c.labels, strings.Repeat(",2", size-1))
			tables, err := formattest.Read(t.Context(), jsonstat.Formats()[0], formattest.Sample{Name: "t.json", Data: []byte(file)})
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(tables[0].Dataset.PeriodLabels); got != c.want {
				t.Errorf("the labels are %s, want %s", got, c.want)
			}
		})
	}
}
