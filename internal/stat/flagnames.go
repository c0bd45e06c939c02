package stat

import "strings"

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

// FlagName says in English what a code of [Flags] means. It is empty for an office's own flag
// and for an unknown code.
func FlagName(code string) string {
	if conf, ok := strings.CutPrefix(code, ConfPrefix); ok {
		return confNames[conf]
	}
	return flagNames[code]
}
