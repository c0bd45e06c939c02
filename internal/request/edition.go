package request

import (
	"regexp"
	"time"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// Edition are the parameters that choose a version of a dataset. Without them, it is the current
// one.
type Edition struct {
	Version string `param:"version" example:"1.0" doc:"This version of the dataset instead of the current one, with the labels that it had. /api/datasets/{id}/versions lists the versions. Not with as_of."`
	AsOf    string `param:"as_of" doc:"The version of the dataset that was current here at this time: a date, which means the end of the day in UTC, or a time (RFC 3339). Not with version."`
}

// Stored are the parameters of the file in which a version of a dataset is stored.
type Stored struct {
	DryRun bool `param:"dry_run" example:"true" doc:"Replies with how much the file has instead of the file: series, rows, observations, its exact bytes, and cost, which is the number of requests that the file counts as. Counts as one request."`
	Edition
}

// At returns the choice. The error is [stat.Invalid] and names the parameter.
func (e *Edition) At() (at store.At, err error) {
	switch {
	case e.Version != "" && e.AsOf != "":
		return at, stat.Errorf(stat.Invalid, "version and as_of both choose a version; give only one of them")
	case e.AsOf != "":
		at.Time, err = parseEnd("as_of", e.AsOf)
	case e.Version != "":
		at.Version, err = e.Version, checkVersion("version", e.Version)
	}
	return at, err
}

// merge replaces the choice if over has one.
func (e *Edition) merge(over *Edition) {
	if *over != (Edition{}) {
		*e = *over
	}
}

// versionNumber matches the number of a version.
var versionNumber = regexp.MustCompile(`^[1-9][0-9]{0,8}\.[0-9]$`)

func checkVersion(parameter, text string) error {
	if !versionNumber.MatchString(text) {
		return stat.Errorf(stat.Invalid, "parameter %s must be the number of a version such as 1.3, not %.40q", parameter, text)
	}
	return nil
}

// parseEnd parses a time, or a date, which means the last moment of the day in UTC.
func parseEnd(parameter, text string) (time.Time, error) {
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day.AddDate(0, 0, 1).Add(-1), nil
	}
	return parseMoment(parameter, text)
}

// Versions are the parameters of the list of a dataset's versions.
type Versions struct {
	Page  int `param:"page" example:"0" default:"0" min:"0" doc:"Page number, counted from 0. A page past the end is empty."`
	Limit int `param:"limit" example:"100" default:"100" min:"1" doc:"Versions per page."`
}

// Since returns the moment of UpdatedSince. The error is [stat.Invalid] and names the parameter.
func (d *Data) Since() (time.Time, error) { return parseMoment("updated_since", d.UpdatedSince) }
