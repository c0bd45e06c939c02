package store

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"math"
	"slices"
	"time"

	"almanac/internal/stat"
)

// digestOf returns the SHA-256 of what makes two vintages differ: structure, labels,
// metadata and observations, but not the ID, the source's times of updates, or the name of the
// language of the labels.
func digestOf(d *stat.Dataset, o *observations) (string, error) {
	same := *d
	same.ID, same.Updated, same.NextUpdate, same.Language = 0, time.Time{}, time.Time{}, ""
	structure, err := json.Marshal(&same)
	if err != nil {
		return "", fmt.Errorf("writing the structure: %w", err)
	}
	h := sha256.New()
	h.Write(structure)
	w := digester{Hash: h}
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
	w.flush()
	return hex.EncodeToString(h.Sum(nil)), nil
}

// digester buffers what is hashed. Each series and observation is followed by mayFlush.
type digester struct {
	hash.Hash
	buffer []byte
}

func (w *digester) number(v uint32) { w.buffer = binary.LittleEndian.AppendUint32(w.buffer, v) }

func (w *digester) text(kind, s string) {
	w.number(uint32(len(kind) + len(s)))
	w.buffer = append(append(w.buffer, kind...), s...)
}

func (w *digester) mayFlush() {
	if len(w.buffer) >= 32<<10 {
		w.flush()
	}
}

func (w *digester) flush() {
	w.Write(w.buffer)
	w.buffer = w.buffer[:0]
}

// addSeries adds the key, the unit and the number of observations of each series.
func (w *digester) addSeries(o *observations) error {
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
		w.mayFlush()
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

func (w *digester) addObservations(c *columns) {
	for i := range int32(len(c.value)) {
		w.number(uint32(c.period[i]))
		w.buffer = binary.LittleEndian.AppendUint64(w.buffer, canonicalBits(c.value[i]))
		if f := c.flagsOf(i); f != "" {
			w.text("f", string(f))
		}
		if n := c.noteOf(i); n != "" {
			w.text("n", n)
		}
		w.mayFlush()
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
