// Package request turns the parameters of a request into a [stat.Query], without HTTP.
//
// There are two steps. [Bind] reads a query string into one of the structs of this file,
// without any data. [Parse] then applies the parameters to a dataset: labels and codes
// become positions, periods are parsed, and values that the dataset does not have become
// a [Notice]. The API reference is generated from the same structs ([Params]).
package request

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"almanac/internal/stat"
)

// Dims holds the values of dim1 … dim8, dim1 first.
type Dims [stat.MaxDimensions][]string

// Catalog are the parameters of the list of datasets.
type Catalog struct {
	Q            string   `param:"q" example:"employment" doc:"Only datasets that the search finds for these words, a code or a question, best first unless sort is given. At most 500 characters. /api/search also finds datasets that are not here yet, and says why."`
	Country      string   `param:"country" example:"DE" doc:"Only datasets that include this area: an ISO 3166-1 alpha-2 or alpha-3 code, an M49 number, the source's own code, the code of a region in another list, or a name in any language, in any case; EU27_2020.members is any member of a group. A region's code does not imply its country."`
	Within       string   `param:"within" example:"US" doc:"Only datasets that include this area or a part of it: the subdivisions (US-GA) and regions (NUTS) of a country, the countries of a group. A code or name as for country."`
	Source       []string `param:"source" example:"gapminder" doc:"Only datasets of this source: its short name, as in the metadata, or its name, in any case."`
	Topic        []string `param:"topic" example:"1" doc:"Only datasets of this subject-matter domain of SDMX or of one below it: its code, or its name in English, German, French, Spanish or Italian."`
	Frequency    []string `param:"frequency" example:"monthly" doc:"Only datasets with periods of this frequency: annual, half-yearly, quarterly, monthly, weekly or daily, or its code in SDMX (A, S, Q, M, W, D)."`
	UpdatedSince string   `param:"updated_since" example:"2026-01-01" doc:"Only datasets whose last_update is not before this date or time (RFC 3339). A date begins at midnight UTC."`
	Fields       []string `param:"fields" example:"source,code,periods" doc:"More members of each dataset, separated by commas: source, code, frequency, periods, areas, available_geo, observations, licence, version, versions, next_update, kept_up_to_date, last_checked, description, topics, or all."`
	Sort         string   `param:"sort" example:"-last_update" doc:"The order: id, name, last_update, next_update, latest_period or observations; with a minus sign before it from the highest to the lowest. Equal ones are in the order of their ids. relevance with q: best first. Without it: relevance with q, else id."`
	Lang         string   `param:"lang" example:"en" doc:"The language of the names: a tag such as de or pt-BR. A dataset without a name in it has the one that it has without this parameter. Without it, the header Accept-Language chooses."`
	Page         int      `param:"page" example:"0" default:"0" min:"0" doc:"Page number, counted from 0. A page past the end is empty."`
	Limit        int      `param:"limit" example:"100" default:"100" min:"1" doc:"Datasets per page."`
}

// Search are the parameters of a search.
type Search struct {
	Q              string   `param:"q" example:"population of France" doc:"What is looked for, as people write it: words, a code, a question, in English, German, French, Spanish or Italian. At most 500 characters. May be left out if a filter is given: then all datasets that it selects."`
	Source         []string `param:"source" example:"bls" doc:"Only datasets of this source, by its ID."`
	Topic          []string `param:"topic" example:"1.2" doc:"Only datasets of this subject-matter domain of SDMX or of one below it: its code, or its name in English, German, French, Spanish or Italian."`
	Frequency      []string `param:"frequency" example:"M" doc:"Only datasets of this frequency: A (annual), S (half-yearly), Q (quarterly), M (monthly), W (weekly) or D (daily), or the name of one."`
	Area           []string `param:"area" example:"GR" doc:"Only datasets that have this area or may have it: any code or name of it, such as GR, EL, GRC, 300 or Greece. What an office only offers may have an area if the office publishes about it."`
	Here           string   `param:"here" example:"true" doc:"true or here: only datasets of this service, with an id. false or offered: only those that offices offer and that are not here."`
	LastPeriodFrom string   `param:"last_period_from" example:"2023" doc:"Only datasets whose last period is in this year or later. Those without a known last period are left out."`
	UpdatedSince   string   `param:"updated_since" example:"2026-01-01" doc:"Only datasets whose last_update is not before this date or time (RFC 3339). A date begins at midnight UTC. Those without a known last_update are left out."`
	Sort           string   `param:"sort" enum:"relevance,latest_period,-latest_period,areas,-areas" example:"-latest_period" doc:"The order: relevance (best first), latest_period or areas; with a minus sign before it from the highest to the lowest. Equal ones are best first, and those of which it is not known are last. Without it: relevance."`
	Lang           string   `param:"lang" example:"de" doc:"Language of the names in the answer where the office has them in it, as a tag of BCP 47. It does not change what is found."`
	Page           int      `param:"page" example:"0" default:"0" min:"0" max:"10000" doc:"Page number, counted from 0. A page past the end is empty. Only the first 10,000 datasets have pages."`
	Limit          int      `param:"limit" example:"20" default:"20" min:"1" max:"100" doc:"Datasets per page, at most 100."`
}

// Since returns the moment of UpdatedSince; zero: none.
func (p *Search) Since() (time.Time, error) {
	if p.UpdatedSince == "" {
		return time.Time{}, nil
	}
	return parseMoment("updated_since", p.UpdatedSince)
}

// Order returns what Sort orders by, empty for relevance.
func (p *Search) Order() (by string, isDescending bool, err error) {
	by, isDescending = strings.CutPrefix(p.Sort, "-")
	switch {
	case p.Sort == "" || p.Sort == relevance:
		return "", false, nil
	case !slices.Contains(searchOrders, by):
		return "", false, unknownName("sort", p.Sort, searchOrders)
	case by == relevance:
		return "", false, stat.Errorf(stat.Invalid, "parameter sort has the value -relevance; relevance is always best first")
	}
	return by, isDescending, nil
}

// searchOrders are the values of Sort without a sign.
var searchOrders = []string{"areas", "latest_period", relevance}

// Paging are the parameters of the list of followed datasets.
type Paging struct {
	Page  int `param:"page" example:"0" default:"0" min:"0" doc:"Page number, counted from 0. A page past the end is empty."`
	Limit int `param:"limit" example:"100" default:"100" min:"1" doc:"Datasets per page."`
}

// Details are the parameters of a dataset with all its data.
type Details struct {
	Flags bool   `param:"flags" as:"data"`
	Codes bool   `param:"codes" as:"data"`
	Lang  string `param:"lang" as:"data"`
	Edition
}

// Data are the parameters of a filtered read of a dataset.
type Data struct {
	Dims         Dims     `param:"dim" example:"Life expectancy" doc:"Only series with this value of the dimension: its label (exact and case-sensitive), else its code."`
	Country      []string `param:"country" example:"Germany" doc:"Only this area: its label in the dataset (exact and case-sensitive), else its code there, else an ISO 3166-1 or M49 code, the code of a region in another list, or a name in any language. EU27_2020.members is each member of a group."`
	Within       []string `param:"within" example:"DE" doc:"Only this area and all its parts: the subdivisions (US-GA) and regions (NUTS) of a country, the countries of a group. A code or name as for country. With country, only areas that both select."`
	NoAggregates bool     `param:"aggregates" inverted:"true" example:"false" doc:"false leaves out groups of countries, totals and areas that are no place. It keeps countries, and in a table of regions the regions."`
	Period       string   `param:"period" example:"2005" doc:"Only periods equal to this one or within it. Overrides period_from and period_to."`
	PeriodFrom   string   `param:"period_from" example:"1990" doc:"Only periods that end at or after the start of this one."`
	PeriodTo     string   `param:"period_to" example:"2005" doc:"Only periods that start at or before the end of this one."`
	Latest       bool     `param:"latest" example:"true" doc:"Only the most recent period that has a value, after all other filters."`
	LatestMode   string   `param:"latest_mode" example:"observed" doc:"Which period is the most recent; implies latest=true for data. last: the last with a value, forecasts included. observed: the last with values that are no forecasts for at least a tenth of the series. area: each series' own last one that is no forecast. Without it, data have last and charts observed."`
	Transform    string   `param:"transform" example:"index:2005" doc:"Derives values from the office's. index:2015: 100 in 2015, or in any other period of the dataset; a year of months or quarters is their mean. change: difference from the previous period. percent: change in per cent of the previous period. percent-year: change in per cent of the same period a year before. per-capita: value divided by the population of the area in the year, which another dataset has; per-capita:eurostat:demo_pjan names it. Where an earlier value is missing, or is zero or negative for a ratio, there is no value. Series of derived values have the member transform, and their rows the unit of derived values."`
	UpdatedSince string   `param:"updated_since" doc:"Only observations that were added or changed here at this date or time or later (RFC 3339; a date begins at midnight UTC): those that differ from the version that was current before. A notice says how many of the selection were removed, and where they are listed; another one what changed besides values. Not with transform."`
	Followed     bool     `param:"followed" example:"false" doc:"Only the dimension values and countries that the caller's organisation follows. Requires a key."`
	Flags        bool     `param:"flags" example:"true" doc:"Adds flags and notes to the rows, and includes observations that have only these."`
	Codes        bool     `param:"codes" example:"true" doc:"Adds the codes beside the labels: dim1_code … dim8_code in series_key, country_codes to the block, and unit_code to rows whose unit has one."`
	Lang         string   `param:"lang" example:"en" doc:"The language of labels, names and texts: a tag such as de or pt-BR. Without it, the header Accept-Language chooses among the languages that the office has; else texts are in English, or in the office's own language. Countries without a name by the office have that of the Unicode CLDR. Values of filters are labels in any language."`
	NotDims      Dims     `param:"not.dim" example:"Life expectancy" doc:"No series with this value of the dimension, which is a label or code as for dim1. May be combined with the other filters of the dimension; each narrows the selection."`
	NotCountry   []string `param:"not.country" example:"France" doc:"Not this area: a label, code or name as for country; EU27_2020.members leaves out each member of a group."`
	LikeDims     Dims     `param:"like.dim" example:"Pop*" doc:"Only series whose value of the dimension has a label or code that this pattern matches as a whole: * stands for any characters, also none, ? for one, and a backslash before * ? or \\ for the character itself. Case-sensitive, as labels and codes are."`
	LikeCountry  []string `param:"like.country" example:"Ger*" doc:"Only areas with a label or code that this pattern matches, as for like.dim1."`
	BelowDims    Dims     `param:"below.dim" doc:"Only series whose value of the dimension is below this one in the office's hierarchy, on any level; the value itself is not selected. A value is a label or code as for dim1. It is an error if the office states no hierarchy: /availability shows the parents of values."`
	BelowCountry []string `param:"below.country" doc:"Only areas below this one in the office's own hierarchy of areas; within also knows the parts of areas where the office states none."`
	FirstN       int      `param:"first_n" min:"1" doc:"Only the first values of each series, this many, after all other filters. With last_n, the first and the last ones."`
	LastN        int      `param:"last_n" min:"1" doc:"Only the last values of each series, this many, after all other filters: each series has its own last periods. With flags=true, observations without a value that stand after the first of them are there too; of a series without a value nothing is. Cannot be combined with latest."`
	ISOPeriods   bool     `param:"iso_periods" example:"true" doc:"Adds to each row the period as ISO 8601 and SDMX write it (period_iso: 2024-Q1), and its first and last day (period_start, period_end: 2024-01-01, 2024-03-31)."`
	Decimals     bool     `param:"decimals" example:"true" doc:"Adds to each series block how many decimals its values have: the most that any value of its series has, also outside of the selection. With it, 10 can be written as the office wrote it: 10.0. Left out where that is not known, and for derived values."`
	DryRun       bool     `param:"dry_run" example:"true" doc:"Replies with how much the selection has instead of its data: series, rows, observations, bytes of the response before compression, and cost, which is the number of requests that the data count as. bytes is exact for small responses and else an estimate. Counts as one request."`
	Edition
}

// merge replaces the parameters that over sets.
func (d *Data) merge(over *Data) {
	given := filtersOf(over)
	for f, filter := range filtersOf(d) {
		for i, values := range given[f].dims {
			if values != nil {
				filter.dims[i] = values
			}
		}
		if country := *given[f].country; country != nil {
			*filter.country = country
		}
	}
	if over.Within != nil {
		d.Within = over.Within
	}
	d.NoAggregates = over.NoAggregates || d.NoAggregates
	d.Period = cmp.Or(over.Period, d.Period)
	d.PeriodFrom = cmp.Or(over.PeriodFrom, d.PeriodFrom)
	d.PeriodTo = cmp.Or(over.PeriodTo, d.PeriodTo)
	d.Latest = over.Latest || d.Latest
	d.LatestMode = cmp.Or(over.LatestMode, d.LatestMode)
	d.UpdatedSince = cmp.Or(over.UpdatedSince, d.UpdatedSince)
	d.Transform = cmp.Or(over.Transform, d.Transform)
	d.Lang = cmp.Or(over.Lang, d.Lang)
	d.Followed = over.Followed || d.Followed
	d.Flags = over.Flags || d.Flags
	d.Codes = over.Codes || d.Codes
	d.FirstN, d.LastN = cmp.Or(over.FirstN, d.FirstN), cmp.Or(over.LastN, d.LastN)
	d.ISOPeriods, d.Decimals, d.DryRun = over.ISOPeriods || d.ISOPeriods, over.Decimals || d.Decimals, over.DryRun || d.DryRun
	d.Edition.merge(&over.Edition)
}

// Texts are the parameters of responses without data.
type Texts struct {
	Lang string `param:"lang" as:"data"`
	Edition
}

// Latest are the parameters of a dataset's latest values. They choose a series and what the
// latest period is.
type Latest struct {
	Dims         Dims     `param:"dim" repeat:"false" example:"Life expectancy" doc:"The value of the dimension in the series: its label (exact and case-sensitive), else its code."`
	Country      []string `param:"country" as:"data"`
	NoAggregates bool     `param:"aggregates" as:"data"`
	LatestMode   string   `param:"latest_mode" example:"observed" doc:"Which period is the latest. last: the last with a value, forecasts included. observed: the last with values that are no forecasts for at least a tenth of the areas. area: each area's own last one that is no forecast. Without it: last."`
	Codes        bool     `param:"codes" example:"true" doc:"Adds the codes beside the labels: dim1_code … dim8_code in dimensions, and country_codes."`
	Lang         string   `param:"lang" as:"data"`
	Edition
}

// Drawn are the parameters of the answer to a request for a chart.
type Drawn struct {
	Notes bool `param:"notes" example:"true" doc:"Adds notes: the footnotes of the picture, such as which areas are not on the map or have no values."`
}

// None is the empty set of parameters.
type None struct{}
