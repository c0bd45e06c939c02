package request

import (
	"slices"
	"sync"
	"unsafe"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// notInAvailability are the parameters of [Data] that do not say what is selected, or say it of
// each series or period and not of codes.
var notInAvailability = []string{"latest", "latest_mode", "transform", "flags", "codes", "first_n", "last_n", "iso_periods", "decimals", "dry_run", "updated_since"}

// Availability are the parameters of an availability: those of [Data] that select, and its own.
type Availability struct {
	Data
	Coverage bool `param:"coverage" example:"true" doc:"Adds to each area of geography the spans of periods in which it has values, as pairs of the first and the last one, its short name if the label is a longer one, and the country of a region. Periods of the dataset without a value are between the spans."`
}

// Left is what an availability replies with: what still gives data under a selection.
type Left struct {
	Dataset *stat.Dataset
	*store.Availability
	Notices []Notice
}

// availabilityForm describes the parameters of an availability.
var availabilityForm = sync.OnceValue(func() *form {
	return formWith(slices.DeleteFunc(slices.Clone(formOf[Availability]().params), func(p Param) bool { return slices.Contains(notInAvailability, p.Name) }))
})

// AvailabilityParams returns the parameters that [BindAvailability] reads.
func AvailabilityParams() []Param { return availabilityForm().params }

// BindAvailability reads the query string of an availability by the rules of [Bind].
func BindAvailability(query string) (p Availability, err error) {
	target := unsafe.Pointer(&p)
	err = availabilityForm().bind(query, func(param *Param, value string) error { return param.set(target, value) })
	return p, err
}
