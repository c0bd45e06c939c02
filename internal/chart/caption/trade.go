package caption

import "strings"

// tradeOf returns the title of a picture of trade whose measure is only called a value: "Exports of
// services"; empty for others.
func tradeOf(facts []fact) string {
	flow, kind, isValue := "", "", false
	for _, f := range facts {
		switch strings.ToLower(f.id) {
		case "flowcode":
			flow = strings.TrimSuffix(upperFirst(f.label), "s") + "s"
		case "typecode":
			kind = " of " + lowerFirst(f.label)
		default:
			isValue = isValue || strings.EqualFold(f.label, "Trade value")
		}
	}
	if !isValue || flow == "" || kind == "" {
		return ""
	}
	return flow + kind
}

// isOfTrade reports whether the title of a picture of trade says a fact.
func isOfTrade(f *fact) bool {
	id := strings.ToLower(f.id)
	return id == "flowcode" || id == "typecode" || strings.EqualFold(f.label, "Trade value")
}
