package portal

import (
	"net/url"
	"strconv"
)

// comparedFiles are the files of one series, or the response of all.
type comparedFiles struct {
	Name  string
	Files []link
}

// addFiles adds the files of each series, in the time of the page, and the response of the interface with all of them.
func (p *page) addFiles(c *comparePage) {
	all := url.Values{}
	for _, one := range c.Columns {
		if one.Empty {
			continue
		}
		query := one.chartQuery()
		c.addTime(query)
		address := "/api/datasets/" + strconv.Itoa(one.Meta.ID) + "/data"
		files := comparedFiles{Name: one.Name}
		for _, form := range []struct{ name, ending string }{{"CSV", ".csv"}, {"XLSX", ".xlsx"}, {"JSON", ""}} {
			files.Files = append(files.Files, link{form.name, addressWith(address+form.ending, query)})
		}
		c.Files = append(c.Files, files)
		all.Add("s", strconv.Itoa(one.Meta.ID)+":"+query.Encode())
	}
	if len(c.Files) > 1 {
		c.Files = append(c.Files, comparedFiles{p.lang.text("compare.take.all"), []link{{"JSON", addressWith("/api/data", all)}}})
	}
}

// UnitsInTitles are the series whose unit is not in the column of their files.
func (c *comparePage) UnitsInTitles() (some []*compared) {
	for _, one := range c.Columns {
		if one.isUnitInTitle {
			some = append(some, one)
		}
	}
	return some
}

// maxHaving is the number of areas that have values of which a page names the others.
const maxHaving = 8

// addHaving adds the same comparison for the areas that its datasets have, if they are few and none of the series has values for the
// area of the page.
func (p *page) addHaving(c *comparePage) {
	seen := map[string]bool{}
	for _, one := range c.Columns {
		for _, code := range one.Meta.Areas {
			if seen[code] || code == c.Area {
				continue
			}
			seen[code] = true
			query := url.Values{"country": {code}}
			for _, o := range c.Columns {
				query.Add("s", o.Text)
			}
			c.Having = append(c.Having, link{p.areaName(areaName{code, code}).Name, addressWith("/compare", query)})
		}
	}
	if len(c.Having) > maxHaving {
		c.Having = nil
	}
}
