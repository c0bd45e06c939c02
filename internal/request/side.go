package request

import (
	"cmp"

	"almanac/internal/chart"
	"almanac/internal/stat"
)

// side is a width or height that one type of chart or more cannot have, as the caller wrote it.
type side struct{ name, digits string }

func (s side) Error() string { return "is outside the bounds" }

// check returns an error unless a type of chart may have the side.
func (s side) check(t chart.Type) error {
	least, most := chart.MinSide, chart.MaxSide
	if t == chart.Spark {
		least, most = chart.MinSparkSide, chart.MaxSparkSide
	}
	if n, ok := parseDecimal(s.digits); ok && n >= least && n <= most {
		return nil
	}
	return stat.Errorf(stat.Invalid, "%s must be between %d and %d pixels, not %.40s", s.name, least, most, s.digits)
}

func setSide(into *int, v any) error {
	digits := v.(string)
	n, ok := parseDecimal(digits)
	if ok {
		*into = n
	}
	if !ok || n < chart.MinSide || n > chart.MaxSparkSide {
		return side{digits: digits}
	}
	return nil
}

// checkSides returns an error if the type of the chart cannot have one of its sides.
func (c *Chart) checkSides() (err error) {
	for _, s := range c.sides {
		err = cmp.Or(err, s.check(c.Options.Type))
	}
	c.sides = nil
	return err
}

// sizeSpark replaces sizes that are not given by those of a sparkline.
func (c *Chart) sizeSpark() {
	if c.Options.Width == chart.DefaultWidth {
		c.Options.Width = chart.SparkWidth
	}
	if c.Options.Height == chart.DefaultHeight {
		c.Options.Height = chart.SparkHeight
	}
}
