package api

import (
	"slices"
	"strconv"

	"almanac/internal/encode/sdmx"
	"almanac/internal/sdmxrest"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// sdmxSets returns the data sets of a response with several: the versions of a history, or what changed and
// what was removed since a time. It returns nil if the response has only the data of f, which it
// restricts to what changed if the caller wants that.
func (x *exchange) sdmxSets(f *sdmxFlow, p *sdmxrest.Data) ([]*sdmxFlow, error) {
	hasHistory, err := p.HasHistory()
	switch {
	case err != nil:
		return nil, err
	case hasHistory && p.UpdatedAfter != "":
		return nil, stat.Errorf(stat.Invalid, "parameters includeHistory and updatedAfter exclude each other; give only one of them")
	case hasHistory:
		return x.sdmxHistory(f)
	case p.UpdatedAfter != "":
		return nil, x.restrictToChanges(f, p.UpdatedAfter)
	}
	return nil, nil
}

// restrictToChanges restricts a flow to the observations that were added or changed since a time.
func (x *exchange) restrictToChanges(f *sdmxFlow, updatedAfter string) error {
	since, err := sdmxrest.ParseInstant("updatedAfter", updatedAfter)
	if err != nil {
		return err
	}
	v, _, err := x.api.opts.Store.ChangedSince(x.r.Context(), f.Vintage, since)
	if err == nil {
		f.Flow = sdmx.FlowFor(v)
	}
	return err
}

// sdmxHistory returns the versions of a dataset up to that of f, oldest first: the oldest one that is
// kept as a whole, and of each later one what was removed, and what was added or changed.
func (x *exchange) sdmxHistory(f *sdmxFlow) ([]*sdmxFlow, error) {
	s, ctx := x.api.opts.Store, x.r.Context()
	list, err := s.Versions(ctx, f.Dataset.ID)
	if err != nil {
		return nil, err
	}
	last := slices.IndexFunc(list, func(v store.Version) bool { return v.Version == f.Vintage.Version })
	var sets []*sdmxFlow
	var before *store.Vintage
	for _, version := range list[:last+1] {
		v, err := x.vintageOf(strconv.Itoa(f.Dataset.ID), store.At{Version: version.Version})
		if err != nil {
			return nil, err
		}
		l, err := x.localised(v, "")
		if err != nil {
			return nil, err
		}
		now := l.Vintage
		if before == nil {
			sets = append(sets, &sdmxFlow{Flow: sdmx.FlowFor(now), from: version.Imported})
		} else {
			changed, _, err := s.ChangedSince(ctx, now, version.Imported)
			if err != nil {
				return nil, err
			}
			// A value that is gone may leave a flag, which is a change: so what is removed comes first.
			if c := changed.Changes(); c.Removed > 0 {
				sets = append(sets, &sdmxFlow{Flow: sdmx.FlowFor(c.RemovedOf(before)), action: sdmx.Delete, to: version.Imported})
			}
			sets = append(sets, &sdmxFlow{Flow: sdmx.FlowFor(changed), from: version.Imported})
		}
		before = now
	}
	return sets, nil
}
