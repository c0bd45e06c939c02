package store

import (
	"context"
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
	"almanac/internal/store/blob"
)

// What a chart was drawn from is stored as one compressed file under its digest, so
// that the URL of a picture stays valid. It is deleted with its dataset only.

// chartCoder returns an encoder and a decoder, which are safe for concurrent use.
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

func chartKey(digest string) string { return digest[:2] + "/" + digest + chartEnding }

const chartEnding = ".json.zst"

// KeepChart stores a text, which is JSON with the dataset's ID as Dataset, under its
// hexadecimal digest. It replaces only a damaged chart, because equal digests mean
// equal texts. The error is [stat.Unavailable] if the disk is full.
func (s *Store) KeepChart(digest string, text []byte) error {
	if _, err := s.readChart(digest, blob.Original); err == nil {
		return nil
	} else if stat.KindOf(err) == stat.Unavailable {
		return err
	} else if stat.KindOf(err) != stat.NotFound {
		if err := s.charts.Delete(chartKey(digest)); err != nil {
			return keepError(digest, err)
		}
	}
	enc, _ := chartCoder()
	staged, err := s.charts.Stage(func(w io.Writer) error {
		_, err := w.Write(enc.EncodeAll(text, nil))
		return err
	})
	if err == nil {
		if err = staged.SaveAs(chartKey(digest)); err != nil {
			staged.Discard()
		}
	}
	return keepError(digest, err)
}

// keepError returns the error of KeepChart. A full disk is not an internal error.
func keepError(digest string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return &stat.Error{Kind: stat.Unavailable, Message: "the chart cannot be stored because the disk is full; try again later", Err: err}
	}
	return fmt.Errorf("storing chart %s: %w", digest, err)
}

// Chart returns the text stored under a digest. The error is [stat.NotFound] if
// there is none.
func (s *Store) Chart(digest string) ([]byte, error) { return s.readChart(digest, blob.Whole) }

func (s *Store) readChart(digest string, use blob.Use) ([]byte, error) {
	b, err := s.charts.Open(context.Background(), chartKey(digest), use)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, stat.Errorf(stat.NotFound, "there is no chart %s", digest)
	}
	var text []byte
	if err == nil {
		defer b.Close()
		if text, err = io.ReadAll(b.Reader()); err == nil {
			_, dec := chartCoder()
			text, err = dec.DecodeAll(text, nil)
		}
	}
	return text, stat.Wrap(err, "reading chart %s", digest)
}

func (s *Store) deleteCharts(id int) error {
	keys, err := s.charts.List("")
	if err != nil {
		return fmt.Errorf("listing the charts: %w", err)
	}
	for _, key := range keys {
		digest := strings.TrimSuffix(path.Base(key), chartEnding)
		text, err := s.Chart(digest)
		if err != nil {
			continue // unreadable, so never served
		}
		var of struct{ Dataset int } // the only field that the store reads
		if json.Unmarshal(text, &of) == nil && of.Dataset == id {
			if err := s.charts.Delete(key); err != nil {
				return fmt.Errorf("removing chart %s: %w", digest, err)
			}
		}
	}
	return nil
}
