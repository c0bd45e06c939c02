package plain

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format"
	"almanac/internal/stat"
)

// item is a part of a mapping: "geo=Country Code:Country Name".
type item struct {
	key     string
	columns []string // names without quotes
	between byte     // ':' or '+'; 0: there is one column
}

// keys are the keys of items, in the order in which a mapping is written.
var keys = []string{
	"geo", "dim", "unit", "freq", "period", "value", "lower", "upper", "units", "flags", "conf", "note", "attribute", "ignore",
	"missing", "zero", "empty", "brackets", "dates", "separator", "decimal", "encoding", "sheet", "header",
}

// columnKeys are the keys that say what columns mean. In a mapping without them, that
// is detected.
var columnKeys = []string{"geo", "dim", "unit", "freq", "period", "value", "units", "flags", "conf", "note", "attribute"}

func parseItems(text string) ([]item, error) {
	var items []item
	for rest := strings.TrimSpace(text); rest != ""; {
		key, after, found := strings.Cut(rest, "=")
		it := item{key: strings.ToLower(strings.TrimSpace(key))}
		if !found || !slices.Contains(keys, it.key) {
			return nil, mappingError("unknown part %q: it must say what columns mean, such as geo=Country, period=Year, value=Amount, with one of %s before the =",
				strings.TrimSpace(key), strings.Join(keys, ", "))
		}
		for {
			name, tail, err := cutName(after)
			if err != nil {
				return nil, err
			}
			if name == "" {
				return nil, mappingError("no name follows %s=", it.key)
			}
			it.columns = append(it.columns, name)
			rest = strings.TrimLeft(tail, " ,")
			if tail == "" || tail[0] == ',' {
				break
			}
			if it.between != 0 && it.between != tail[0] {
				return nil, mappingError("both : and + follow %s=", it.key)
			}
			it.between, after = tail[0], tail[1:]
		}
		items = append(items, it)
	}
	return items, nil
}

// cutName cuts a column's name from the start of text, in double quotes or up to
// the next of , : and +.
func cutName(text string) (name, rest string, err error) {
	text = strings.TrimLeft(text, " ")
	quoted := quotedName.FindString(text)
	switch {
	case quoted != "":
		name = strings.ReplaceAll(quoted[1:len(quoted)-1], `""`, `"`)
		rest = strings.TrimLeft(text[len(quoted):], " ")
		if rest != "" && !strings.ContainsRune(",:+", rune(rest[0])) {
			return "", "", mappingError("%q follows the name %q; a comma must separate them", rest, name)
		}
		return name, rest, nil
	case strings.HasPrefix(text, `"`):
		return "", "", mappingError("a double quote is not closed in %s", text)
	}
	end := strings.IndexAny(text+",", ",:+")
	return strings.TrimSpace(text[:end]), text[end:], nil
}

var quotedName = regexp.MustCompile(`^"(?:[^"]|"")*"`)

func mappingError(text string, args ...any) error {
	return stat.BadFile(stat.Position{}, "the stated mapping: "+text, args...)
}

// String returns the item as [parseItems] reads it.
func (it item) String() string {
	names := make([]string, len(it.columns))
	for i, n := range it.columns {
		if strings.ContainsAny(n, `",:+'`) || n != strings.TrimSpace(n) {
			n = `"` + strings.ReplaceAll(n, `"`, `""`) + `"`
		}
		names[i] = n
	}
	return it.key + "=" + strings.Join(names, string(rune(it.between)))
}

func mappingText(items []item) string {
	parts := make([]string, len(items))
	for i, it := range items {
		parts[i] = it.String()
	}
	return strings.Join(parts, ", ")
}

// statement is a mapping that the caller states, with properties of the file.
type statement struct {
	items                    []item
	separator                rune
	decimal, encoding, sheet string
	brackets                 string // what numbers in brackets are
	header                   int
	empty                    string // the code of empty cells in dimensions
	isMeasures               bool   // the headings hold a measure and a year
}

var separators = map[string]rune{"tab": '\t', `\t`: '\t', ";": ';', ",": ',', "|": '|'}

// statedIn parses the mapping that the caller states, and sets what it says of the file.
func statedIn(in *format.Input) (statement, error) {
	s, err := parseMapping(in.Mapping)
	in.Decimal, in.Encoding = cmp.Or(s.decimal, in.Decimal), cmp.Or(s.encoding, in.Encoding)
	return s, err
}

func parseMapping(text string) (s statement, err error) {
	if s.items, err = parseItems(text); err != nil {
		return s, err
	}
	for _, it := range s.items {
		value := it.columns[0]
		switch it.key {
		case "separator":
			if s.separator = separators[value]; s.separator == 0 {
				err = mappingError(`separator must be ; or "," or | or tab, not %q`, value)
			}
		case "decimal":
			if s.decimal = value; value != "." && value != "," {
				err = mappingError("decimal must be . or \",\", not %q", value)
			}
		case "brackets":
			if s.brackets = value; value != bracketsNegative && value != bracketsFlag {
				err = mappingError("brackets must be %s or %s, not %q", bracketsNegative, bracketsFlag, value)
			}
		case "encoding":
			s.encoding = value
		case "sheet":
			s.sheet = value
		case "empty":
			s.empty = value
		case "header":
			if s.header, err = strconv.Atoi(value); err != nil || s.header < 1 {
				err = mappingError("header must be the number of the line with the headings, not %q", value)
			}
		}
		if err != nil {
			return s, err
		}
	}
	return s, nil
}

func (s statement) columns() (names []string) {
	for _, it := range s.items {
		if slices.Contains(columnKeys, it.key) {
			names = append(names, it.columns...)
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "*" })
}
