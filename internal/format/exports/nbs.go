package exports

import (
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// isNBS recognises tables of the National Bureau of Statistics of China of which a line
// above the headings names the only indicator or the only area:
//
//	数据库：分省年度数据
//	指标：年末常住人口(万人)
//	时间：最近10年
//	地区,2024年,2023年
//	北京市,2183.2,2185.8
//	数据来源：国家统计局
func isNBS(rows [][]string) bool {
	return strings.HasPrefix(rows[0][0], "数据库：") && slices.ContainsFunc(rows, func(row []string) bool {
		return onlyIndicator.MatchString(row[0]) || onlyArea.MatchString(row[0])
	})
}

var (
	onlyIndicator = regexp.MustCompile(`^指标：(.+?)(?:\(([^()]+)\))?$`)
	onlyArea      = regexp.MustCompile(`^地区：(.+)$`)
)

func mapNBS(_ format.Input, rows [][]string) (table.Mapping, error) {
	at := slices.IndexFunc(rows, func(row []string) bool { return len(row) > 1 && row[1] != "" })
	if at < 0 {
		return table.Mapping{}, stat.BadFile(stat.Position{Line: 1}, "the first lines have no headings")
	}
	axis := table.Axis{Codes: rows[at][0]}
	if axis.Codes == "地区" {
		axis.Role = stat.RoleGeo
	}
	return table.Mapping{
		Numbers: table.DecimalPoint,
		Axes:    []table.Axis{axis},
		Period:  table.Period{Wide: true},
		Preamble: func(rows [][]string, t *stat.Table) error {
			for _, row := range rows {
				if m := onlyIndicator.FindStringSubmatch(row[0]); m != nil {
					t.Dataset.Name, t.Dataset.Unit = m[1], m[2]
				} else if m := onlyArea.FindStringSubmatch(row[0]); m != nil && axis.Role == "" {
					t.Dataset.Geography = stat.Dimension{ID: "地区", Role: stat.RoleGeo, Codes: []stat.Code{{ID: m[1]}}}
				}
			}
			return nil
		},
		Row: func(r *table.Row) table.Action {
			if len(r.Cells) < 2 || strings.Join(r.Cells[1:], "") == "" {
				return table.Stop
			}
			return table.Use
		},
	}, nil
}
