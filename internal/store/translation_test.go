package store_test

import (
	"reflect"
	"testing"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// TestDictionaryTranslations: labels in other languages are stored with their lists, read by
// another process, kept when an update has none, and replaced by new ones.
func TestDictionaryTranslations(t *testing.T) {
	dir := t.TempDir()
	s := openAt(t, dir)
	for i, step := range []struct {
		french map[string]string
		want   map[string]string
	}{
		{map[string]string{"A": "Annuel"}, map[string]string{"A": "Annuel"}},
		{nil, map[string]string{"A": "Annuel"}},
		{map[string]string{"A": "Annuelle", "M": "Mensuelle"}, map[string]string{"A": "Annuelle", "M": "Mensuelle"}},
	} {
		list := listOf("1.0", "A Annual, M Monthly")
		list.Language = "en"
		for code, label := range step.french {
			list.Translate("fr", code, label)
		}
		update := updateOf(list)
		update.Dictionary.Concepts["freq"] = "Frequency"
		if step.french != nil {
			update.Dictionary.ConceptTexts["freq"] = stat.Texts{"en": "Frequency", "fr": "Fréquence"}
		}
		if err := s.UpdateDictionary(t.Context(), "ecb", update); err != nil {
			t.Fatal(err)
		}
		for _, from := range []*store.Store{s, openAt(t, dir)} {
			d, err := from.Dictionary(t.Context(), "ecb")
			if err != nil {
				t.Fatal(err)
			}
			known := d.Lists[stat.ListName(list.Name)]
			if !reflect.DeepEqual(known.Translations["fr"], step.want) || known.Language != "en" || d.ConceptTexts["freq"]["fr"] != "Fréquence" {
				t.Errorf("step %d: %v in %q, concepts %v", i+1, known.Translations, known.Language, d.ConceptTexts)
			}
		}
	}
}
