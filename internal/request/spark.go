package request

import (
	"context"
	"reflect"
	"sync/atomic"

	"almanac/internal/chart"
	"almanac/internal/store"
)

// sparkKey is the key under which a vintage keeps its sparkline.
type sparkKey struct{ locale string }

// keptSpark is a sparkline for which nothing was selected. It takes longer to find the most
// important line of a dataset than to draw it.
type keptSpark struct {
	spec    *chart.Spec
	notices []Notice
}

// isPlainSpark reports whether a request is for a sparkline and selects nothing.
func (c *Chart) isPlainSpark() bool {
	if c.Options.Type != chart.Spark {
		return false
	}
	plain := &Chart{DatasetID: c.DatasetID, Format: c.Format, IsPage: c.IsPage, sides: c.sides, Store: c.Store, Options: chart.DefaultOptions()}
	o := &plain.Options
	o.Type, o.Width, o.Height, o.Locale, o.Atlas = c.Options.Type, c.Options.Width, c.Options.Height, c.Options.Locale, c.Options.Atlas
	o.Title, o.Theme, o.Background, o.EmbedFonts = c.Options.Title, c.Options.Theme, c.Options.Background, c.Options.EmbedFonts
	return reflect.DeepEqual(c, plain)
}

// plainSpark returns the sparkline of a vintage in the size and colours of a request, with its title.
func plainSpark(ctx context.Context, v *store.Vintage, c *Chart) (*chart.Spec, []Notice, error) {
	place := v.Memo(sparkKey{c.Options.Locale}, func() any { return &atomic.Pointer[keptSpark]{} }).(*atomic.Pointer[keptSpark])
	kept := place.Load()
	if kept == nil {
		untitled := *c
		untitled.Options.Title = ""
		s, notices, err := selectedSpec(ctx, v, &untitled)
		if err != nil {
			return nil, nil, err
		}
		kept = &keptSpark{s, notices}
		place.Store(kept)
	}
	return kept.spec.Redrawn(&c.Options), kept.notices, nil
}
