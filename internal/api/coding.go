package api

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// coding is a content coding. The greatest of equally accepted ones is used.
type coding uint8

const (
	identity coding = iota
	gzipped
	zstandard
	codings
)

var codingNames = [codings][]string{{"identity"}, {"gzip"}, {"zstd"}}

func (c coding) header() []string { return codingNames[c] }

// worthCompressing is the least length of bodies to compress. Shorter ones fit a packet.
const worthCompressing = 1024

type acceptance struct {
	large coding // for bodies that are worth compressing
	small coding // for other bodies: identity, if allowed
	none  bool   // no supported coding is allowed
}

// parseAccept reads the lines of Accept-Encoding by RFC 9110. Without lines, or with an
// empty one, only identity is sent. Identity is allowed unless it is excluded, and
// preferred only if it is named.
func parseAccept(lines []string) acceptance {
	if len(lines) == 0 {
		return acceptance{}
	}
	const unnamed = -1
	weight := [codings]int{unnamed, unnamed, unnamed}
	others := unnamed
	for _, line := range lines {
		for item := range strings.SplitSeq(line, ",") {
			name, q, ok := parseItem(item)
			if !ok {
				continue
			}
			switch name {
			case "identity":
				weight[identity] = q
			case "gzip", "x-gzip":
				weight[gzipped] = q
			case "zstd":
				weight[zstandard] = q
			case "*":
				others = q
			}
		}
	}
	allowed := weight[identity] > 0 || weight[identity] == unnamed && others != 0
	for c := range weight {
		if weight[c] < 0 {
			weight[c] = max(others, 0)
		}
	}
	best := identity
	for c := gzipped; c < codings; c++ {
		if weight[c] > 0 && (weight[c] >= weight[best] || best == identity && !allowed) {
			best = c
		}
	}
	a := acceptance{large: best}
	if !allowed {
		a.small, a.none = best, best == identity
	}
	return a
}

// parseItem reads one item of Accept-Encoding; the weight is in thousandths.
func parseItem(item string) (name string, q int, ok bool) {
	name, params, has := strings.Cut(item, ";")
	name = strings.ToLower(strings.Trim(name, " \t"))
	if !has {
		return name, 1000, name != ""
	}
	value, ok := strings.CutPrefix(strings.ToLower(strings.Trim(params, " \t")), "q=")
	if !ok {
		return "", 0, false
	}
	f, err := strconv.ParseFloat(value, 64)
	if err != nil || !(f >= 0 && f <= 1) {
		return "", 0, false
	}
	return name, int(f*1000 + 0.5), true
}

type compressor interface {
	io.WriteCloser
	Flush() error
	Reset(io.Writer)
}

// compressors pools the compressors of each coding, since they are large.
var compressors = [codings]sync.Pool{
	gzipped: {New: func() any {
		z, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
		if err != nil {
			panic(err) // the level is a constant
		}
		return z
	}},
	zstandard: {New: func() any {
		// One goroutine and a small window, since many responses are written at once.
		z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(256<<10), zstd.WithLowerEncoderMem(true))
		if err != nil {
			panic(err) // the options are constants
		}
		return z
	}},
}

// open returns a compressor from the pool that writes to w; release returns it.
func (c coding) open(w io.Writer) compressor {
	z := compressors[c].Get().(compressor)
	z.Reset(w)
	return z
}

func (c coding) release(z compressor) {
	z.Reset(nil)
	compressors[c].Put(z)
}

func (c coding) compress(plain []byte) []byte {
	var out bytes.Buffer
	z := c.open(&out)
	defer c.release(z)
	_, err := z.Write(plain)
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		panic(err) // writing to memory does not fail
	}
	return out.Bytes()
}

// body is a rendered response in memory, compressed when a coding is first needed.
type body struct {
	plain      []byte
	compressed [codings]func() []byte
}

func newBody(plain []byte) *body {
	b := &body{plain: plain}
	for c := gzipped; c < codings; c++ {
		b.compressed[c] = sync.OnceValue(func() []byte { return c.compress(plain) })
	}
	return b
}

func (b *body) in(c coding) []byte {
	if c == identity {
		return b.plain
	}
	return b.compressed[c]()
}
