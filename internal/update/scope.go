package update

import (
	"regexp"
	"slices"
	"strings"

	"almanac/internal/source"
	"almanac/internal/stat"
)

// scope is the set of datasets of a reference: one dataset, those whose code
// matches a pattern, or those of a theme.
type scope struct {
	source.Ref
	pattern *regexp.Regexp // if Code contains a *, else nil
	theme   string         // or empty
}

// themeFolder is the folder of themes, as in eurostat:theme/na10.
const themeFolder = "theme"

func (u *Updater) scopeOf(text string) (scope, error) {
	ref, err := u.options.Sources.ParseRef(text)
	if err != nil {
		return scope{}, err
	}
	s := scope{Ref: ref}
	folder, theme, isTheme := strings.Cut(ref.Code, "/")
	isTheme = isTheme && strings.EqualFold(folder, themeFolder)
	switch {
	case ref.Office == "": // a plain address may contain anything
	case isTheme && theme == "":
		return scope{}, stat.Errorf(stat.Invalid, "%q does not name a theme; use %s:%s/CODE", text, ref.Office, themeFolder)
	case isTheme:
		s.theme = theme
	case strings.Contains(ref.Code, "*"):
		// A * matches any characters, slashes included.
		letters := strings.ReplaceAll(regexp.QuoteMeta(ref.Code), `\*`, ".*")
		if s.pattern, err = regexp.Compile("(?is)^" + letters + "$"); err != nil {
			return scope{}, stat.Errorf(stat.Invalid, "invalid pattern %q: %v", text, err)
		}
	}
	return s, nil
}

func (s scope) isSingle() bool { return s.pattern == nil && s.theme == "" }

// matches reports whether a dataset belongs to a scope that is not a theme. A
// folder followed by * (BE/*) matches everything below the folder, even if codes
// are not paths.
func (s scope) matches(e source.Entry) bool {
	if s.pattern == nil {
		return s.theme == "" && sameDataset(s.Code, e.Code)
	}
	folder, ok := strings.CutSuffix(s.Code, "/*")
	return s.pattern.MatchString(e.Code) || ok && isBelow(e, folder)
}

// isBelow reports whether a dataset is below a folder or theme.
func isBelow(e source.Entry, folder string) bool {
	isIt := func(name string) bool { return strings.EqualFold(name, folder) }
	return slices.ContainsFunc(e.Folders, isIt) || slices.ContainsFunc(strings.Split(e.Theme, " / "), isIt)
}

// sameDataset reports whether a code that a user wrote means a listed dataset:
// the whole dataset, or a part selected by a filter after the code
// (EXR/M.USD.EUR.SP00.A).
func sameDataset(written, listed string) bool {
	n := len(listed)
	return n > 0 && len(written) >= n && strings.EqualFold(written[:n], listed) &&
		(len(written) == n || strings.ContainsAny(written[n:n+1], "/?,"))
}

// under returns the folder that contains the whole scope, for servers that list
// folder by folder; "" is the root.
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
