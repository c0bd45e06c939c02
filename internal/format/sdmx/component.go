package sdmx

import (
	"path"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/stat"
)

// attributeNames are patterns of names that no dimension has, for data without a
// known structure.
var attributeNames = []string{
	"UNIT*", "DECIMALS*", "OVERLAP", "NB_DECIMAL", "TITLE*", "*NOTE*", "OBS_*", "CONF_STATUS", "COLLECTION", "AVAILABILITY", "SOURCE*",
	"TIME_FORMAT", "TIME_PER_COLLECT", "COMMENT*", "*COMMENT", "SCALE", "SCALAR_FACTOR", "POWERCODE", "REFERENCEPERIOD", "REF_PERIOD*",
	"BASE_PER", "BASE_PERIOD", "LAST_UPDATE", "UPDATED", "EMBARGO*", "IDBANK", "SERIESCODE", "SERIES_NAME", "VECTOR_ID", "DGUID", "UOM",
	"DATA_COMP", "DOM_SER_IDS", "COMPILATION", "COVERAGE", "COMPILING_ORG", "DISS_ORG", "PUBL_*", "BREAKS", "PRE_BREAK_VALUE",
	"LOWER_BOUND", "UPPER_BOUND", "DATE_*", "*_DATE", "VERSION", "METHODOLOGY*", "CONTACT*", "WEIGHTS", "CUSTODIAN", "NATURE_*", "COLL_METHOD",
}

// IsAttribute reports whether a name can only be that of an attribute.
func IsAttribute(id string) bool {
	id = strings.ReplaceAll(strings.ToUpper(id), "/", "_") // path.Match does not match a slash with *
	return slices.ContainsFunc(attributeNames, func(pattern string) bool {
		is, _ := path.Match(pattern, id)
		return is
	})
}

// HasPlace reports whether observations have a place for an attribute.
func HasPlace(id string) bool { return assemble.AttributeOf(id) != assemble.AttributeOther }

// IsTime reports whether a component is the time by the structure, which may be nil,
// or by its name.
func IsTime(s *stat.Structure, id string) bool {
	return s != nil && s.Time != "" && strings.EqualFold(id, s.Time) || assemble.IsTime(id)
}

// IsScale reports whether a component is the IMF's SCALE. The IMF's structures declare
// it a dimension, with codes like "Millions", but it only says how the IMF displays
// values that are in units. Here it is an attribute without a place in observations.
func IsScale(source, id string) bool { return source == "imf" && strings.EqualFold(id, "SCALE") }

// WithoutScale returns an office's structure with SCALE as an attribute; see [IsScale].
func WithoutScale(source string, s *stat.Structure) *stat.Structure {
	if s == nil {
		return nil
	}
	at := slices.IndexFunc(s.Dimensions, func(c stat.Component) bool { return IsScale(source, c.ID) })
	if at < 0 {
		return s
	}
	without := *s
	without.Dimensions = slices.Delete(slices.Clone(s.Dimensions), at, at+1)
	without.Attributes = append(slices.Clone(s.Attributes), s.Dimensions[at])
	return &without
}
