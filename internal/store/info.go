package store

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"almanac/internal/stat"
)

// vintageInfo is what a vintage file stores about its vintage.
type vintageInfo struct {
	stat.Vintage
	Seq        int           `json:"seq"`
	LastUpdate time.Time     `json:"last_update"`
	Oldest     stat.Period   `json:"oldest_period,omitzero"`
	Newest     stat.Period   `json:"latest_period,omitzero"`
	Periods    []stat.Period `json:"periods"`
	Latest     *latestInfo   `json:"latest,omitempty"`
	Parts      int           `json:"parts,omitempty"` // number of parts of the imported file; 0 if unknown
	Held       *heldInfo     `json:"held,omitempty"`  // only of a vintage in quarantine
}

// latestInfo is the [stat.Latest] of the default series, with codes for positions.
type latestInfo struct {
	Key    []string    `json:"key"`
	Period stat.Period `json:"period"`
	Areas  []string    `json:"areas"`
	Values []float64   `json:"values"`
}

// describe sets what is derived from the contents.
func (info *vintageInfo) describe(v contents, imported time.Time) {
	d, c := v.Dataset, v.columns
	info.Imported, info.LastUpdate = imported, d.Updated
	if d.Updated.IsZero() {
		info.LastUpdate = imported.Truncate(time.Second)
	}
	info.Periods = c.periods
	info.Series = c.seriesCount()
	info.Observations = c.values()
	oldest, newest := int32(math.MaxInt32), int32(-1)
	for i, v := range c.value {
		if !math.IsNaN(v) {
			oldest, newest = min(oldest, c.period[i]), max(newest, c.period[i])
		}
	}
	if newest >= 0 {
		info.Oldest, info.Newest = c.periods[oldest], c.periods[newest]
	}
	axes := d.Axes()
	latest := c.latestOf(axes, nil, info.Newest)
	if latest == nil {
		return
	}
	l := &latestInfo{Period: latest.Period, Values: latest.Values}
	for axis, code := range latest.Key {
		l.Key = append(l.Key, axes[axis].Codes[code].ID)
	}
	for _, area := range latest.Areas {
		l.Areas = append(l.Areas, d.Geography.Codes[area].ID)
	}
	info.Latest = l
}

// digestOf returns the SHA-256 of all that makes two vintages differ: structure,
// labels, metadata, observations, flags and notes, but not the ID or the source's
// time of update.
func digestOf(d *stat.Dataset, c *columns) (string, error) {
	same := *d
	same.ID, same.Updated = 0, time.Time{}
	structure, err := json.Marshal(&same)
	if err != nil {
		return "", fmt.Errorf("writing the structure: %w", err)
	}
	h := sha256.New()
	h.Write(structure)
	w := bufio.NewWriterSize(h, 64<<10)
	number := func(v uint32) { w.Write(binary.LittleEndian.AppendUint32(w.AvailableBuffer(), v)) }
	text := func(s string) {
		number(uint32(len(s)))
		w.WriteString(s)
	}
	for _, p := range c.periods {
		number(uint32(p.StartDay()))
		number(uint32(p.Frequency()))
	}
	for s := range int32(c.seriesCount()) {
		for _, key := range c.keys {
			number(uint32(key[s]))
		}
		if c.unit != nil {
			text(c.unitOf(s))
		}
		number(uint32(c.start[s+1] - c.start[s]))
	}
	for i := range int32(len(c.value)) {
		number(uint32(c.period[i]))
		w.Write(binary.LittleEndian.AppendUint64(w.AvailableBuffer(), canonicalBits(c.value[i])))
		if f := c.flagsOf(i); f != "" {
			text("f" + string(f))
		}
		if n := c.noteOf(i); n != "" {
			text("n" + n)
		}
	}
	w.Flush()
	return hex.EncodeToString(h.Sum(nil)), nil
}

// canonicalBits returns the bits of a value, with one NaN and no -0.
func canonicalBits(v float64) uint64 {
	switch {
	case math.IsNaN(v):
		return 0x7FF8000000000001
	case v == 0:
		return 0
	}
	return math.Float64bits(v)
}

// nextVersion returns the version after version: 2.0 follows 1.9.
func nextVersion(version string) (string, error) {
	if version == "" {
		return "1.0", nil
	}
	var major, minor int
	if _, err := fmt.Sscanf(version, "%d.%d", &major, &minor); err != nil {
		return "", fmt.Errorf("reading version %q: %w", version, err)
	}
	if minor++; minor > 9 {
		major, minor = major+1, 0
	}
	return fmt.Sprintf("%d.%d", major, minor), nil
}
