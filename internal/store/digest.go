package store

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"almanac/internal/stat"
)

// digestOf returns the SHA-256 of what makes two vintages differ: structure, labels,
// metadata and observations, but not the ID or the source's time of update.
func digestOf(d *stat.Dataset, o *observations) (string, error) {
	same := *d
	same.ID, same.Updated = 0, time.Time{}
	structure, err := json.Marshal(&same)
	if err != nil {
		return "", fmt.Errorf("writing the structure: %w", err)
	}
	h := sha256.New()
	h.Write(structure)
	w := digester{bufio.NewWriterSize(h, 64<<10)}
	for _, p := range o.periods {
		w.number(uint32(p.StartDay()))
		w.number(uint32(p.Frequency()))
	}
	if err := w.addSeries(o); err != nil {
		return "", err
	}
	for c, err := range o.segments() {
		if err != nil {
			return "", err
		}
		w.addObservations(c)
	}
	w.Flush()
	return hex.EncodeToString(h.Sum(nil)), nil
}

type digester struct{ *bufio.Writer }

func (w digester) number(v uint32) { w.Write(binary.LittleEndian.AppendUint32(w.AvailableBuffer(), v)) }

func (w digester) text(kind, s string) {
	w.number(uint32(len(kind) + len(s)))
	w.WriteString(kind)
	w.WriteString(s)
}

// addSeries adds the key, the unit and the number of observations of each series.
func (w digester) addSeries(o *observations) error {
	var open []int32 // key and unit of the series that may continue
	openUnit, count := "", 0
	end := func() {
		if count == 0 {
			return
		}
		for _, code := range open[:len(open)-1] {
			w.number(uint32(code))
		}
		if len(o.units) > 1 {
			w.text("", openUnit)
		}
		w.number(uint32(count))
	}
	key := []int32{}
	for c, err := range o.segments() {
		if err != nil {
			return err
		}
		for s := range int32(c.seriesCount()) {
			key = key[:0]
			for _, codes := range c.keys {
				key = append(key, codes[s])
			}
			unit := int32(0)
			if c.unit != nil {
				unit = c.unit[s]
			}
			key = append(key, unit)
			if count == 0 || !slices.Equal(key, open) {
				end()
				open, openUnit, count = append(open[:0], key...), c.unitOf(s), 0
			}
			count += int(c.start[s+1] - c.start[s])
		}
	}
	end()
	return nil
}

func (w digester) addObservations(c *columns) {
	for i := range int32(len(c.value)) {
		w.number(uint32(c.period[i]))
		w.Write(binary.LittleEndian.AppendUint64(w.AvailableBuffer(), canonicalBits(c.value[i])))
		if f := c.flagsOf(i); f != "" {
			w.text("f", string(f))
		}
		if n := c.noteOf(i); n != "" {
			w.text("n", n)
		}
	}
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
