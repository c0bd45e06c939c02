package sdmxrest

import (
	"slices"
	"strconv"
	"strings"

	"almanac/internal/encode/sdmx"
	"almanac/internal/stat"
)

// Data are the parameters of a request for data, besides the filters of SDMX 3.0.
type Data struct {
	StartPeriod    string `param:"startPeriod" example:"2000" doc:"Only periods that end at or after the start of this one."`
	EndPeriod      string `param:"endPeriod" example:"2005" doc:"Only periods that start at or before the end of this one."`
	First          int    `param:"firstNObservations" example:"5" min:"1" doc:"At most so many observations of each series, from the first."`
	Last           int    `param:"lastNObservations" example:"5" min:"1" doc:"At most so many observations of each series, from the last."`
	Dimension      string `param:"dimensionAtObservation" example:"TIME_PERIOD" doc:"TIME_PERIOD groups observations in time series, AllDimensions does not group them."`
	Detail         string `param:"detail" example:"full" doc:"full, dataonly (no attributes), serieskeysonly (no observations), or nodata (no observations, with attributes)."`
	Attributes     string `param:"attributes" example:"dsd" doc:"dsd or all: all attributes. none: no attributes. dataset, series, obs: those of a level. Or IDs of attributes. Several with commas."`
	Measures       string `param:"measures" example:"all" doc:"all: the values. none: no observations."`
	Offset         int    `param:"offset" example:"0" min:"0" doc:"How many observations to skip, after firstNObservations and lastNObservations."`
	Limit          int    `param:"limit" example:"1000" min:"1" doc:"At most so many observations in all."`
	Sort           string `param:"sort" doc:"Not supported."`
	UpdatedAfter   string `param:"updatedAfter" doc:"Only observations that were added or changed here at this time or later."`
	AsOf           string `param:"asOf" doc:"The data as they were here at this time."`
	IncludeHistory string `param:"includeHistory" example:"true" doc:"true: all versions up to the chosen one: each a data set with what was added or changed, and one with what was removed."`
	Format         string `param:"format" example:"csvdata" doc:"The syntax, in place of the header Accept: genericdata, structurespecificdata, jsondata, csvdata, csvfilewithlabels, or a media type."`
	FormatVersion  string `param:"formatVersion" example:"2.0.0" doc:"The version of the format: 1.0.0 or 2.0.0 of jsondata and csvdata. Without it, the latest."`
	Labels         string `param:"labels" example:"both" doc:"Of SDMX-CSV: id (codes), name (names) or both."`
	TimeFormat     string `param:"timeFormat" example:"original" doc:"Of SDMX-CSV: original, or normalized for the first instant of each period."`
	Keys           string `param:"keys" example:"none" doc:"Of SDMX-CSV 2.0: columns with the key of the series, of the observation or both: none, series, obs or both."`
}

// Structure are the parameters of a request for structures.
type Structure struct {
	References    string `param:"references" example:"children" doc:"Which artefacts come along: none, parents, parentsandsiblings, children, descendants, all, or a resource such as codelist."`
	Detail        string `param:"detail" example:"full" doc:"full, allstubs (only identification and names), allcompletestubs (descriptions too), referencestubs, referencecompletestubs, referencepartial or raw."`
	Format        string `param:"format" example:"sdmx-json" doc:"The syntax, in place of the header Accept: sdmx-ml or sdmx-json."`
	FormatVersion string `param:"formatVersion" doc:"The version of the format."`
}

// Availability are the parameters of a request for what has data, besides the filters of SDMX 3.0.
type Availability struct {
	StartPeriod   string `param:"startPeriod" example:"2000" doc:"Only periods that end at or after the start of this one."`
	EndPeriod     string `param:"endPeriod" example:"2005" doc:"Only periods that start at or before the end of this one."`
	UpdatedAfter  string `param:"updatedAfter" doc:"Only what was added or changed here at this time or later."`
	References    string `param:"references" example:"none" doc:"Which artefacts come along: none, dataflow, datastructure, conceptscheme, codelist or all."`
	Mode          string `param:"mode" example:"exact" doc:"exact: what the selection has. available: what could be added to it in each dimension."`
	Format        string `param:"format" example:"sdmx-json" doc:"The syntax, in place of the header Accept: sdmx-ml or sdmx-json."`
	FormatVersion string `param:"formatVersion" doc:"The version of the format."`
}

// HasHistory reports whether the caller wants all versions. Clients write true as their language
// does: sdmx1 sends True.
func (p *Data) HasHistory() (bool, error) {
	if p.IncludeHistory == "" {
		return false, nil
	}
	wanted, err := strconv.ParseBool(p.IncludeHistory)
	if err != nil {
		return false, stat.Errorf(stat.Invalid, "parameter includeHistory must be true or false, not %.40q", p.IncludeHistory)
	}
	return wanted, nil
}

// Only returns the IDs of the attributes of a flow that the parameter attributes names, nil for all.
func (p *Data) Only(f *sdmx.Flow) ([]string, error) {
	levels := map[string][]string{
		"dataset": {f.Transform, f.LicenceID}, "series": {f.Unit, f.Multiplier}, "obs": {f.Status, f.Flag, f.Confidentiality, f.Comment},
		"none": nil, "msd": nil, // there are no reference metadata
	}
	known := slices.Concat(levels["series"], levels["obs"], levels["dataset"])
	only := []string{}
	for name := range strings.SplitSeq(p.Attributes, ",") {
		ids, isLevel := levels[name]
		switch {
		case name == "", name == "all", name == "dsd":
			return nil, nil
		case isLevel:
			only = append(only, ids...)
		case slices.Contains(known, name):
			only = append(only, name)
		default:
			return nil, stat.Errorf(stat.Invalid, "parameter attributes must be all, dsd, none, dataset, series, obs, or IDs of the attributes %s, not %.60q", stat.JoinWords(known), name)
		}
	}
	return only, nil
}

// Options returns what the parameters say of a message. The parameters of a media type say the
// same as those of CSV.
func (p *Data) Options(media map[string]string) (o sdmx.MessageOptions, err error) {
	o.First, o.Last, o.Offset, o.Limit, o.Detail = p.First, p.Last, p.Offset, p.Limit, sdmx.Detail(p.Detail)
	switch p.Dimension {
	case "", sdmx.TimePeriod:
	case "AllDimensions":
		o.Flat = true
	default:
		return o, &NotImplemented{"dimensionAtObservation must be TIME_PERIOD or AllDimensions; sections over other dimensions are not supported"}
	}
	if p.Attributes == "none" && p.Measures == "none" {
		o.Detail = sdmx.SeriesKeysOnly
	} else if p.Attributes == "none" {
		o.Detail = sdmx.DataOnly
	} else if p.Measures == "none" {
		o.Detail = sdmx.NoData
	}
	if p.Sort != "" {
		return o, &NotImplemented{"parameter sort is not supported; data are in the order of the code lists, each series in the order of time"}
	}
	for _, c := range []struct {
		name, value, otherwise string
		into                   *string
		known                  []string
	}{
		{"detail", string(o.Detail), "full", (*string)(&o.Detail), []string{"full", "dataonly", "serieskeysonly", "nodata"}},
		{"labels", p.Labels, media["labels"], &o.Labels, []string{"id", "name", "both"}},
		{"keys", p.Keys, media["keys"], &o.Keys, []string{"none", "series", "obs", "both"}},
		{"measures", p.Measures, "", new(string), []string{"all", "none", sdmx.ObsValue}},
		{"timeFormat", p.TimeFormat, media["timeformat"], &p.TimeFormat, []string{"original", "normalized"}},
	} {
		if c.value == "" {
			c.value = c.otherwise
		}
		if c.value != "" && !slices.Contains(c.known, c.value) {
			return o, stat.Errorf(stat.Invalid, "parameter %s must be %s, not %.40q", c.name, stat.JoinWords(c.known), c.value)
		}
		*c.into = c.value
	}
	o.Normalized = p.TimeFormat == "normalized"
	return o, nil
}
