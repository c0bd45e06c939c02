package sdmxml_test

import (
	"fmt"
	"strings"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/formattest"
	"almanac/internal/format/sdmx/sdmxml"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// TestCases reads the messages in testdata and compares the results with the expected
// ones. A file of cases has blocks like
//
//	== name of the case
//	-- source=imf                          options of the caller, if any
//	-- structure ecb EXR: FREQ CUR; UNIT=CL_UNIT  the dictionary: structures with
//	-- list ecb CL_UNIT: EUR=Euro                 dimensions; attributes, and
//	@specific                                     code lists
//	<Series FREQ="A"><Obs TIME_PERIOD="2014" OBS_VALUE="1"/></Series>
//	@end
//	----
//	expected result
//
// where @ lines are replaced by the beginnings and ends in messages.
func TestCases(t *testing.T) { stattest.Meanings(t, meaning) }

// messages are the replacements of @ lines; {} is the rest of the line.
var messages = map[string]string{
	"@specific": `<m:StructureSpecificData xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:xsi="x"><m:Header><m:Sender id="ECB"/>` +
		`<m:Structure structureID="S" {}><Structure><Ref agencyID="ECB" id="EXR"/></Structure></m:Structure></m:Header><m:DataSet structureRef="S">`,
	"@generic": `<m:GenericData xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:g="g"><m:Header><m:Sender id="ECB"/>` +
		`<m:Structure structureID="S" {}><Structure><Ref agencyID="ECB" id="EXR"/></Structure></m:Structure></m:Header><m:DataSet structureRef="S">`,
	"@compact": `<CompactData xmlns="http://www.SDMX.org/resources/SDMXML/schemas/v2_0/message"><Header><Sender id="ECB"/><KeyFamilyRef>EXR</KeyFamilyRef></Header><b:DataSet xmlns:b="b" {}>`,
	"@eurostat": `<m:StructureSpecificData xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message"><m:Header><m:Sender id="ESTAT"/>` +
		`<m:Structure structureID="S"><StructureUsage><Ref agencyID="ESTAT" id="NAMA"/></StructureUsage></m:Structure></m:Header><m:DataSet structureRef="S">`,
	"@head": `<m:StructureSpecificData xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message"><m:Header>`,
	"@data": `</m:Header><m:DataSet {}><Series FREQ="A"><Obs TIME_PERIOD="2014" OBS_VALUE="1"/></Series>`,
	"@end":  `</m:DataSet></m:StructureSpecificData>`, "@endgeneric": `</m:DataSet></m:GenericData>`, "@endcompact": `</b:DataSet></CompactData>`,
}

// caseOf parses a case.
func caseOf(text string) formattest.Sample {
	s := formattest.Sample{Name: "case.xml"}
	known := map[string]*stat.Dictionary{}
	var message strings.Builder
	for line := range strings.Lines(text) {
		if options, found := strings.CutPrefix(line, "-- "); found {
			applyOption(&s, known, strings.TrimSpace(options))
			continue
		}
		if word, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " "); messages[word] != "" {
			line = strings.Replace(messages[word], "{}", rest, 1) + "\n"
		}
		message.WriteString(line)
	}
	s.Data = []byte(strings.NewReplacer("⟨BOM⟩", "\ufeff", "⟨E4⟩", "\xe4").Replace(message.String()))
	if len(known) > 0 {
		s.In.Dictionary = func(source string) *stat.Dictionary { return known[source] }
	}
	return s
}

// applyOption applies a -- line.
func applyOption(s *formattest.Sample, known map[string]*stat.Dictionary, line string) {
	option, value, _ := strings.Cut(line, "=")
	switch option {
	case "name":
		s.Name = value
	case "code":
		s.In.Code = value
	case "geo":
		s.In.Geo = value
	case "period":
		s.In.Period = value
	case "source":
		s.In.Source = value
	default:
		head, rest, _ := strings.Cut(line, ": ")
		words := strings.Fields(head)
		if known[words[1]] == nil {
			known[words[1]] = stat.NewDictionary(words[1])
		}
		addToDictionary(known[words[1]], words, rest)
	}
}

// addToDictionary adds the structure or list of a line to a dictionary.
func addToDictionary(d *stat.Dictionary, words []string, rest string) {
	if words[0] == "list" {
		list := &stat.CodeList{Name: words[2]}
		for entry := range strings.SplitSeq(rest, ", ") {
			id, label, _ := strings.Cut(entry, "=")
			list.Codes = append(list.Codes, stat.Code{ID: id, Label: label})
		}
		d.Lists[stat.ListName(words[2])] = list
		return
	}
	structure := &stat.Structure{ID: words[2], Title: "Title of " + words[2]}
	dimensions, attributes, _ := strings.Cut(rest, ";")
	for i, part := range []string{dimensions, attributes} {
		for word := range strings.FieldsSeq(part) {
			id, list, _ := strings.Cut(word, "=")
			c := stat.Component{ID: id, List: list}
			if i == 0 {
				structure.Dimensions = append(structure.Dimensions, c)
			} else {
				structure.Attributes = append(structure.Attributes, c)
			}
		}
	}
	d.Structures[strings.ToLower(words[2])] = structure
}

// meaning reads a case and describes the result.
func meaning(t *testing.T, text string) string {
	s := caseOf(text)
	if !sdmxml.Formats()[0].Recognise(s.Name, s.Data) {
		return "not recognised\n"
	}
	tables, err := formattest.Read(t.Context(), sdmxml.Formats()[0], s)
	if err != nil {
		return fmt.Sprintf("error: %v\n", err)
	}
	for _, table := range tables {
		if problem := formattest.Problem(table); problem != "" {
			t.Error(problem)
		}
	}
	return formattest.Describe(tables)
}

// FuzzRead checks that the reader ends and accounts for what it read.
func FuzzRead(f *testing.F) {
	var seeds []formattest.Sample
	for _, text := range stattest.Texts(f) {
		s := caseOf(text)
		s.In = format.Input{}
		seeds = append(seeds, s)
	}
	formattest.Fuzz(f, sdmxml.Formats()[0], seeds...)
}
