package stat

import (
	"strconv"
	"strings"
)

// multipliers are the names of powers of ten.
var multipliers = map[int]string{
	1: "tens", 2: "hundreds", 3: "thousands", 4: "tens of thousands", 5: "hundreds of thousands",
	6: "millions", 9: "billions", 12: "trillions",
}

// otherMultiplier begins the name of any other power of ten.
const otherMultiplier = "× 10^"

// UnitText returns a unit with SDMX's unit multiplier, the power of ten by which the
// values are to be multiplied: "Euro (millions)" for 6 and for its name, Millions.
// Almanac never multiplies values. A multiplier of 0 or any other text adds nothing.
func UnitText(unit, multiplier string) string {
	name := multiplierName(strings.TrimSpace(multiplier))
	if name == "" {
		return unit
	}
	if unit == "" {
		return name
	}
	return unit + " (" + name + ")"
}

// SplitUnit is the inverse of [UnitText]: it returns the unit without its multiplier, and the
// multiplier as a power of ten, "6" for millions, in upper or lower case. The multiplier is empty if the text
// names none, or in other words: "Billion yen" is a unit.
func SplitUnit(text string) (unit, multiplier string) {
	name, isWhole := text, true
	if before, ok := strings.CutSuffix(text, ")"); ok {
		if at := strings.LastIndex(before, " ("); at > 0 {
			unit, name, isWhole = before[:at], before[at+2:], false
		}
	}
	if multiplier = powerOf(name); multiplier == "" {
		return text, ""
	}
	if isWhole {
		return "", multiplier
	}
	return unit, multiplier
}

// powers are the powers of ten by their names.
var powers = func() map[string]string {
	byName := map[string]string{}
	for power, name := range multipliers {
		byName[name] = strconv.Itoa(power)
	}
	return byName
}()

// powerOf returns the power of ten with a name that [multiplierName] returns.
func powerOf(name string) string {
	if power, ok := strings.CutPrefix(name, otherMultiplier); ok && multiplierName(power) == name {
		return power
	}
	return powers[strings.ToLower(name)]
}

func multiplierName(text string) string {
	power, err := strconv.Atoi(text)
	if err != nil {
		for _, name := range multipliers {
			if strings.EqualFold(text, name) || strings.EqualFold(text+"s", name) {
				return name
			}
		}
		return ""
	}
	if name, ok := multipliers[power]; ok || power == 0 {
		return name
	}
	return otherMultiplier + strconv.Itoa(power)
}
