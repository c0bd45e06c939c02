package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"sync"
	"syscall"

	"github.com/klauspost/compress/zstd"

	"almanac/internal/stat"
)

// What charts were drawn from is kept beside the vintages, one file a chart
// under its digest, compressed. It is small, never changes and does not go when
// a vintage is pruned, so that the address of a picture stays good. It goes with
// its dataset, because numbers are removed for a reason.

// chartCoder compresses and decompresses whole texts; both are safe for
// concurrent use.
var chartCoder = sync.OnceValues(func() (*zstd.Encoder, *zstd.Decoder) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err) // the options are constants
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0))
	if err != nil {
		panic(err)
	}
	return enc, dec
})

// chartKey is where the chart with a digest is kept.
func chartKey(digest string) string { return digest[:2] + "/" + digest + chartEnding }

const chartEnding = ".json.zst"

// KeepChart keeps a text, JSON with the dataset's ID as Dataset, under its digest, a few hexadecimal digits. One that
// is there already stays as it is: equal digests mean equal texts. One that was
// damaged on the disk is replaced. The error is [stat.Unavailable] if the disk is
// full.
func (s *Store) KeepChart(digest string, text []byte) error {
	if _, err := s.Chart(digest); err == nil {
		return nil
	} else if stat.KindOf(err) != stat.NotFound {
		if err := s.charts.Delete(chartKey(digest)); err != nil {
			return notKept(digest, err)
		}
	}
	enc, _ := chartCoder()
	staged, err := s.charts.Stage(func(w io.Writer) error {
		_, err := w.Write(enc.EncodeAll(text, nil))
		return err
	})
	if err == nil {
		if err = staged.Commit(chartKey(digest)); err != nil {
			staged.Discard()
		}
	}
	return notKept(digest, err)
}

// notKept is the error of KeepChart for one of writing: a full disk is no
// failure of ours.
func notKept(digest string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return &stat.Error{Kind: stat.Unavailable, Message: "the chart cannot be kept now, because there is no room on the disk; try again later", Err: err}
	}
	return fmt.Errorf("keeping chart %s: %w", digest, err)
}

// Chart returns the text that was kept under a digest. The error is
// [stat.NotFound] if there is none.
func (s *Store) Chart(digest string) ([]byte, error) {
	b, err := s.charts.Open(chartKey(digest))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, stat.Errorf(stat.NotFound, "there is no chart %s", digest)
	}
	if err != nil {
		return nil, fmt.Errorf("opening chart %s: %w", digest, err)
	}
	defer b.Close()
	packed, err := io.ReadAll(b)
	if err != nil {
		return nil, fmt.Errorf("reading chart %s: %w", digest, err)
	}
	_, dec := chartCoder()
	text, err := dec.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("unpacking chart %s: %w", digest, err)
	}
	return text, nil
}

// forgetCharts deletes what the charts of a dataset were drawn from.
func (s *Store) forgetCharts(id int) error {
	keys, err := s.charts.List("")
	if err != nil {
		return fmt.Errorf("listing the charts: %w", err)
	}
	for _, key := range keys {
		digest := strings.TrimSuffix(path.Base(key), chartEnding)
		text, err := s.Chart(digest)
		if err != nil {
			continue // not readable, and so never served
		}
		var of struct{ Dataset int } // the one thing of a chart that the store knows
		if json.Unmarshal(text, &of) == nil && of.Dataset == id {
			if err := s.charts.Delete(key); err != nil {
				return fmt.Errorf("removing chart %s: %w", digest, err)
			}
		}
	}
	return nil
}
