package sdmx

import (
	"path"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/stat"
)

// attributeNames are patterns of names that are never taken for a dimension
// where no structure tells dimensions from attributes.
var attributeNames = []string{
	"UNIT*", "DECIMALS", "NB_DECIMAL", "TITLE*", "*NOTE*", "OBS_*", "CONF_STATUS", "COLLECTION", "AVAILABILITY", "SOURCE*",
	"TIME_FORMAT", "TIME_PER_COLLECT", "COMMENT*", "*COMMENT", "SCALE", "SCALAR_FACTOR", "POWERCODE", "REFERENCEPERIOD", "REF_PERIOD*",
	"BASE_PER", "BASE_PERIOD", "LAST_UPDATE", "UPDATED", "EMBARGO*", "IDBANK", "SERIESCODE", "VECTOR_ID", "DGUID", "UOM",
	"DATA_COMP", "DOM_SER_IDS", "COMPILATION", "COVERAGE", "COMPILING_ORG", "DISS_ORG", "PUBL_*", "BREAKS", "PRE_BREAK_VALUE",
	"LOWER_BOUND", "UPPER_BOUND", "DATE_*", "*_DATE", "VERSION", "METHODOLOGY*", "CONTACT*", "WEIGHTS", "CUSTODIAN", "NATURE_*",
}

// IsAttribute reports whether a name is one that no dimension has.
func IsAttribute(id string) bool {
	id = strings.ReplaceAll(strings.ToUpper(id), "/", "_") // which path.Match keeps apart
	return slices.ContainsFunc(attributeNames, func(pattern string) bool {
		is, _ := path.Match(pattern, id)
		return is
	})
}

// HasPlace reports whether an observation has a place for an attribute.
func HasPlace(id string) bool { return assemble.AttributeOf(id) != assemble.AttributeOther }

// IsTime reports whether a component is the time: by the structure, if it is
// known, else by its name.
func IsTime(s *stat.Structure, id string) bool {
	return s != nil && s.Time != "" && strings.EqualFold(id, s.Time) || assemble.IsTime(id)
}

// IsScale reports whether a component is the IMF's SCALE. Its structures call it
// a dimension, with codes like "Millions"; but it says how the IMF shows values
// that are in units already, and so it is an attribute without a place.
func IsScale(source, id string) bool { return source == "imf" && strings.EqualFold(id, "SCALE") }

// WithoutScale is an office's structure in which SCALE is an attribute, as
// [IsScale] says; s itself where that changes nothing.
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
