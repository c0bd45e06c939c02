package update

import (
	"regexp"
	"slices"
	"strings"

	"almanac/internal/source"
	"almanac/internal/stat"
)

// scope is what a reference of a watch stands for: one dataset, those whose
// code fits a pattern, or those of a theme.
type scope struct {
	source.Ref
	pattern *regexp.Regexp // of codes that have a * in Code; nil: none
	theme   string         // empty: none
}

// themePrefix begins the code of a watch for a theme: eurostat:theme/na10.
const themePrefix = "theme/"

// scopeOf reads a reference as people write it.
func (k *Keeper) scopeOf(text string) (scope, error) {
	ref, err := k.options.Sources.ParseRef(text)
	if err != nil {
		return scope{}, err
	}
	s := scope{Ref: ref}
	theme, isTheme := cutPrefixFold(ref.Code, themePrefix)
	switch {
	case ref.Office == "": // a plain address may have any letters
	case isTheme && theme == "":
		return scope{}, stat.Errorf(stat.Invalid, "%q names no theme: write %s:%sCODE", text, ref.Office, themePrefix)
	case isTheme:
		s.theme = theme
	case strings.Contains(ref.Code, "*"):
		// A * stands for any letters, slashes included.
		letters := strings.ReplaceAll(regexp.QuoteMeta(ref.Code), `\*`, ".*")
		if s.pattern, err = regexp.Compile("(?is)^" + letters + "$"); err != nil {
			return scope{}, stat.Errorf(stat.Invalid, "%q is no pattern: %v", text, err)
		}
	}
	return s, nil
}

func cutPrefixFold(text, prefix string) (rest string, ok bool) {
	if len(text) < len(prefix) || !strings.EqualFold(text[:len(prefix)], prefix) {
		return "", false
	}
	return text[len(prefix):], true
}

// single reports whether the scope is one dataset.
func (s scope) single() bool { return s.pattern == nil && s.theme == "" }

// takes reports whether a dataset belongs to a scope that is no theme. A folder
// with * behind it (BE/*) takes what stands below the folder, also where codes
// are no paths.
func (s scope) takes(e source.Entry) bool {
	if s.pattern == nil {
		return s.theme == "" && sameDataset(s.Code, e.Code)
	}
	folder, ok := strings.CutSuffix(s.Code, "/*")
	return s.pattern.MatchString(e.Code) || ok && stands(e, folder)
}

// stands reports whether a dataset stands below a folder or theme.
func stands(e source.Entry, folder string) bool {
	isIt := func(name string) bool { return strings.EqualFold(name, folder) }
	return slices.ContainsFunc(e.Folders, isIt) || slices.ContainsFunc(strings.Split(e.Theme, " / "), isIt)
}

// sameDataset reports whether a code as people write it means a dataset of a
// list: the whole of it, or a part that a filter behind the code chooses
// (EXR/M.USD.EUR.SP00.A).
func sameDataset(written, listed string) bool {
	rest, ok := cutPrefixFold(written, listed)
	return ok && listed != "" && (rest == "" || strings.ContainsAny(rest[:1], "/?,"))
}

// under is the folder that holds all of the scope, for servers that are walked
// folder by folder; empty for all.
func (s scope) under() string {
	code := s.Code
	switch {
	case s.theme != "":
		return s.theme
	case s.pattern != nil:
		code, _, _ = strings.Cut(s.Code, "*")
	default:
		code, _, _ = strings.Cut(code, "?")
	}
	return strings.TrimSuffix(code[:strings.LastIndexByte(code, '/')+1], "/")
}
