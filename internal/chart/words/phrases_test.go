package words_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/chart/words"
)

// composed are the English texts that code puts together from parts.
func composed() []string {
	texts := []string{"no data", "World", "EU", "EU-15", "EU-25", "EU-27", "EU-27 (2020)", "EU-27 (2007)", "EU-28", "OECD", "Euro area", "Euro area (17)", "Euro area (18)", "Euro area (19)", "Euro area (20)", "Euro area (21)"}
	texts = append(texts, "Line chart", "Bar chart", "Horizontal bar chart", "Area chart", "Small multiples", "Dumbbell chart", "Map")
	texts = append(texts, "Forecast", "Provisional", "Estimated", "Imputed", "Break in the series", "Break in the series (dashed stroke)", "Definition differs", "Low reliability", "Experimental", "Unvalidated")
	texts = append(texts, "Alaska is drawn at 30% of the scale of the other states.") // atlas.View.Note
	texts = append(texts, "part %s of %s", "%s of %s records", "%s of %s series")     // formats, of data that are a part
	texts = append(texts, "%s stands for %s.", "Years stand for spans that end in them: %s is %s.")
	for _, at := range []string{"in", "on"} {
		texts = append(texts, "It goes from %s "+at+" %s to %s "+at+" %s", "the highest is %s "+at+" %s", "the lowest is %s "+at+" %s")
	}
	for _, period := range []string{"year", "half-year", "quarter", "month", "week", "day"} {
		texts = append(texts, "% change on previous "+period, "Change on previous "+period)
		if period != "year" {
			texts = append(texts, "% change on same "+period+" of previous year")
		}
	}
	texts = append(texts, "Of %s periods, the latest %s are shown.", "Of %s periods, the latest %s is shown.")
	for _, kind := range []string{"areas", "categories"} {
		texts = append(texts, "There is no room for the names of the "+kind+" (%s).")
		for _, by := range []string{"", " for “%s”"} {
			texts = append(texts, "Of %s "+kind+", the one with the largest value"+by+" is shown.", "Of %s "+kind+", the %s with the largest values"+by+" are shown.",
				"Of %s "+kind+", the %s with the largest values"+by+" and the %s with the smallest are shown.")
		}
	}
	texts = append(texts, "There is no room for the names of the periods (%s).")
	return texts
}

// written returns the English texts in the calls of Language.Text in the packages of
// charts.
func written(t *testing.T) []string {
	var texts []string
	for _, dir := range []string{"..", "../../transform"} {
		err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || len(call.Args) == 0 {
					return true
				}
				method, isMethod := call.Fun.(*ast.SelectorExpr)
				text, isText := call.Args[0].(*ast.BasicLit)
				if isMethod && isText && method.Sel.Name == "Text" {
					key, _ := strconv.Unquote(text.Value)
					texts = append(texts, key)
				}
				return true
			})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return texts
}

// Every text is translated into every language, with a place for each argument, and no
// other text is.
func TestTranslations(t *testing.T) {
	texts := append(written(t), composed()...)
	for _, code := range words.Codes[1:] {
		for _, text := range texts {
			translated := words.In(code).Translation(text)
			if translated == "" {
				t.Errorf("no translation into %s: %s", code, text)
			}
			if translated != "" && strings.Count(translated, "%s") != strings.Count(text, "%s") && !strings.Contains(translated, "%[") {
				t.Errorf("%q has other arguments than %q", translated, text)
			}
		}
	}
	for _, text := range words.Translated() {
		if !slices.Contains(texts, text) {
			t.Logf("nothing writes %q", text)
		}
	}
}
