package portal

import (
	"cmp"
	"iter"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"almanac/internal/stat"
)

// flags are the remarks of an office on a value, as the interface names them, without that of normal values: "P", "ESTAT:r".
type flags []string

func newFlags(codes []string) flags {
	var some flags
	for _, code := range codes {
		if code != "A" { // a normal value, which needs no remark
			some = append(some, code)
		}
	}
	return some
}

// String writes flags as tables have them: those of SDMX in lower case, those of the office as it writes them.
func (f flags) String() string {
	var written []string
	for _, code := range f {
		written = append(written, writtenFlag(code))
	}
	return strings.Join(written, " ")
}

// writtenFlag writes a flag. One of the office has the name of the office only if SDMX has another one with the same letter.
func writtenFlag(code string) string {
	list, own, isOfList := strings.Cut(code, ":")
	switch {
	case !isOfList:
		return strings.ToLower(code)
	case stat.FlagName(strings.ToUpper(own)) != "":
		return strings.ToLower(list) + ":" + own
	case list+":" == stat.ConfPrefix:
		return strings.ToLower(own)
	}
	return own
}

// forecastFlag is the flag of forecasts as tables have it.
const forecastFlag = "f"

// flagName is a flag and what it means.
type flagName struct {
	Flag, Name string
	Count      int
}

// addFlags adds the flags of a value to those that a page explains.
func (l *language) addFlags(list []flagName, some flags) []flagName {
	for _, code := range some {
		flag, name := writtenFlag(code), l.flag(code)
		at := slices.IndexFunc(list, func(one flagName) bool { return one.Flag == flag && one.Name == name })
		if at < 0 {
			at = len(list)
			list = append(list, flagName{Flag: flag, Name: name})
		}
		list[at].Count++
	}
	return list
}

// hangs are the widths for flags beside the numbers of a table that the stylesheet has, in letters.
var hangs = []int{1, 2, 3, 4, 5, 6, 8, 12}

// hang returns the width for the flags of cells, 0 if none has flags.
func hang(cells iter.Seq[cell]) int {
	longest := 0
	for one := range cells {
		longest = max(longest, utf8.RuneCountInString(one.Flags.String()))
	}
	if longest == 0 {
		return 0
	}
	at, _ := slices.BinarySearch(hangs, longest)
	return hangs[min(at, len(hangs)-1)]
}

// boundOfFlag matches a flag that gives a number which the value is below, as those of FAO: <2.5.
var boundOfFlag = regexp.MustCompile(`:<([0-9.]+)$`)

// flag returns what a flag means.
func (l *language) flag(code string) string {
	name := stat.FlagName(code)
	if bound := boundOfFlag.FindStringSubmatch(code); bound != nil {
		name = l.text("flag.less", "value", l.number(bound[1]))
	}
	return l.textOr("flag."+code, cmp.Or(name, l.text("flag.unknown")))
}
