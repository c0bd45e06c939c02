package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
)

// limits are the requests a day of each tier.
type limits struct {
	anonymous, essential, pro limit
}

// limit is a number of requests a day, or unlimited.
type limit int

const unlimited limit = -1

// defaultLimits are those of the interface, section 8, form A.
var defaultLimits = limits{anonymous: 3, essential: 100, pro: 5000}

// UnmarshalText reads "anonymous=3,pro=unlimited"; tiers that are not named
// keep their defaults.
func (l *limits) UnmarshalText(text []byte) error {
	*l = defaultLimits
	tiers := map[string]*limit{"anonymous": &l.anonymous, "essential": &l.essential, "pro": &l.pro}
	if strings.TrimSpace(string(text)) == "" {
		return nil
	}
	for part := range strings.SplitSeq(string(text), ",") {
		name, number, ok := strings.Cut(part, "=")
		name, number = strings.TrimSpace(name), strings.TrimSpace(number)
		if !ok {
			return fmt.Errorf("%q is not tier=number, as in anonymous=3,essential=100,pro=unlimited", part)
		}
		tier, known := tiers[name]
		if !known {
			return fmt.Errorf("%q is no tier, or is named twice: the tiers are anonymous, essential and pro", name)
		}
		delete(tiers, name)
		if number == "unlimited" {
			*tier = unlimited
			continue
		}
		n, err := strconv.ParseUint(number, 10, 31) // digits alone: no sign
		if err != nil {
			return fmt.Errorf("%s=%q is no limit: it takes a whole number of requests a day, or unlimited", name, number)
		}
		*tier = limit(n)
	}
	return nil
}

func (l limit) String() string {
	if l == unlimited {
		return "unlimited"
	}
	return strconv.Itoa(int(l))
}

// size is a number of bytes, written as 512MiB, 2GB or 1000000.
type size int64

// UnmarshalText reads a size.
func (s *size) UnmarshalText(text []byte) error {
	n, err := humanize.ParseBytes(string(text))
	if err != nil || n > 1<<62 {
		return fmt.Errorf("%q is no size: it is written as 512MiB, 2GB or 1000000", text)
	}
	*s = size(n)
	return nil
}

// moment is a time of update as a person writes it.
type moment struct{ time.Time }

var momentLayouts = []string{
	time.DateOnly, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05-0700",
	"2006-01-02T15:04:05", "2006-01-02T15:04", time.DateTime, "2006-01-02 15:04",
}

// UnmarshalText reads a date or a time of ISO 8601; without an offset it is
// UTC.
func (m *moment) UnmarshalText(text []byte) error {
	written := strings.TrimSpace(string(text))
	for _, layout := range momentLayouts {
		if t, err := time.Parse(layout, written); err == nil {
			m.Time = t
			return nil
		}
	}
	return fmt.Errorf("%q is no time: it is written as 2025-07-04, 2025-07-04T11:00:00Z or 2025-07-04T11:00:00+02:00", text)
}

// decimal is the sign between the units and the tenths.
type decimal string

// UnmarshalText takes "." or ",".
func (d *decimal) UnmarshalText(text []byte) error {
	if s := string(text); s != "." && s != "," {
		return errors.New(`the decimal sign is "." or ","`)
	}
	*d = decimal(text)
	return nil
}
