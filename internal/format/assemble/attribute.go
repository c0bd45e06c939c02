package assemble

import "strings"

// NoteAttributeNotKept is the kind of note for attributes without a place in an
// observation.
const NoteAttributeNotKept = "attribute-not-kept"

// Attribute is what an attribute of SDMX means.
type Attribute uint8

// The meanings of attributes. Most have no place in an observation.
const (
	AttributeOther           Attribute = iota
	AttributeStatus                    // a status of the observation
	AttributeConfidentiality           // whether the observation is confidential
	AttributeNote                      // a text for readers
	AttributePreBreak                  // the value by the definition before a break
	AttributeUnit                      // the unit of measure
	AttributeMultiplier                // the power of ten by which the values are to be multiplied
	AttributeCurrency                  // the currency of values whose unit is "national currency"
)

// AttributeOf returns the meaning of the attribute with an ID.
func AttributeOf(id string) Attribute {
	id = strings.ToUpper(id)
	switch id {
	case "OBS_STATUS", "OBS_FLAG", "STATUS_CAN", "SYMBOL":
		return AttributeStatus
	case "OBS_CONF", "CONF_STATUS":
		return AttributeConfidentiality
	case "OBS_PRE_BREAK", "PRE_BREAK_VALUE":
		return AttributePreBreak
	case "UNIT", "UNIT_MEASURE", "UOM":
		return AttributeUnit
	case "UNIT_MULT", "UNIT_MULTIPLIER", "POWERCODE", "SCALAR_FACTOR": // not IMF's SCALE, whose values are in units
		return AttributeMultiplier
	case "CURRENCY":
		return AttributeCurrency
	case "OBS_COM":
		return AttributeNote
	}
	if strings.Contains(id, "NOTE") || strings.HasPrefix(id, "COMMENT") || strings.HasSuffix(id, "COMMENT") {
		return AttributeNote
	}
	return AttributeOther
}
