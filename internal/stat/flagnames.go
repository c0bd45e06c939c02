package stat

import (
	"cmp"
	"strings"
)

// flagNames says what the codes of CL_OBS_STATUS 2.2 mean.
var flagNames = map[string]string{
	"A": "normal value",
	"B": "break in the series",
	"D": "definition differs",
	"E": "estimated value",
	"F": "forecast",
	"G": "experimental value",
	"H": "missing: holiday or weekend",
	"I": "imputed value",
	"J": "derogation",
	"K": "included in another category",
	"L": "missing: exists but was not collected",
	"M": "missing: cannot exist",
	"N": "not significant",
	"O": "missing",
	"P": "provisional value",
	"Q": "missing: suppressed",
	"S": "strike or another special event",
	"U": "low reliability",
	"V": "unvalidated value",
	"W": "includes another category",
}

// confNames says what the codes of CL_CONF_STATUS mean.
var confNames = map[string]string{
	"A": "confidential: too few respondents",
	"C": "confidential",
	"D": "confidential, so that another value cannot be derived; set by the sender",
	"F": "free, not confidential",
	"N": "not for publication, for internal use only",
	"S": "confidential, so that another value cannot be derived; set by the receiver",
}

// ownNames says what flags of one office mean, where the office has one list of them for all its datasets.
var ownNames = map[string]string{
	// Eurostat: code list OBS_FLAG.
	"ESTAT:i": "see the metadata of the source",
	"ESTAT:r": "revised value",
	"ESTAT:s": "estimate by Eurostat",
	// FAO: code list of flags since 2022, and the older one.
	"FAO:X": "figure from an international organization",
	// ILO: code list CL_OBS_STATUS.
	"ILO:A": "adjusted value",
	"ILO:L": "computed value",
	"ILO:M": "model-based extrapolation",
	"ILO:R": "real value",
	"ILO:Z": "estimate that is not official",
	// IMF: World Economic Outlook.
	"IMF:--":  "zero, or too small to be shown",
	"IMF:n/a": "not available",
	// Statistics Canada: standard table symbols.
	"STATCAN:A":    "data quality: excellent",
	"STATCAN:B":    "data quality: very good",
	"STATCAN:C":    "data quality: good",
	"STATCAN:D":    "data quality: acceptable",
	"STATCAN:E":    "use with caution",
	"STATCAN:F":    "too unreliable to be published",
	"STATCAN:r":    "revised value",
	"STATCAN:0s":   "rounded to zero, but not zero",
	"STATCAN:<LOD": "less than the limit of detection",
}

// FlagName says in English what a code of [Flags] means. It is empty for an unknown code, and for an office's own
// flag that means different things in its datasets.
func FlagName(code string) string {
	if conf, ok := strings.CutPrefix(code, ConfPrefix); ok {
		return confNames[conf]
	}
	return cmp.Or(flagNames[code], ownNames[code])
}
