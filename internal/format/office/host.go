package office

import (
	"net/url"
	"regexp"
	"strings"

	"almanac/internal/stat"
)

// FindHost returns the listed office on whose site an address is.
func FindHost(address string) (s stat.Source, ok bool) {
	host := hostOf(address)
	for _, o := range offices {
		if host != "" && hostOf(o.URL) == host {
			return o.Source, true
		}
	}
	return stat.Source{}, false
}

// www matches the beginning of a host's name that says nothing: "www.", "www150.".
var www = regexp.MustCompile(`^www[0-9]*\.`)

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return www.ReplaceAllString(strings.ToLower(u.Hostname()), "")
}

// IsListed reports whether an office is one of those whose files are known.
func IsListed(s stat.Source) bool { return s.URL != "" }
