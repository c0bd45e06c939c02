package request

import (
	"slices"
	"sync"
	"unsafe"
)

// notInAvailability are the parameters of [Data] that do not say what is selected, or say it of
// each series or period and not of codes.
var notInAvailability = []string{"latest", "latest_mode", "transform", "flags", "codes", "first_n", "last_n", "iso_periods", "dry_run", "updated_since"}

// availabilityForm describes the parameters of an availability: those of [Data] that select.
var availabilityForm = sync.OnceValue(func() *form {
	return formWith(slices.DeleteFunc(slices.Clone(formOf[Data]().params), func(p Param) bool { return slices.Contains(notInAvailability, p.Name) }))
})

// AvailabilityParams returns the parameters that [BindAvailability] reads.
func AvailabilityParams() []Param { return availabilityForm().params }

// BindAvailability reads the query string of an availability by the rules of [Bind].
func BindAvailability(query string) (p Data, err error) {
	target := unsafe.Pointer(&p)
	err = availabilityForm().bind(query, func(param *Param, value string) error { return param.set(target, value) })
	return p, err
}
