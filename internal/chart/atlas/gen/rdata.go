package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
)

// rValue is an R object: a vector or a list, with its attributes.
type rValue struct {
	Ints       []int // logical values and integers
	Reals      []float64
	Texts      []string
	Items      []*rValue
	Attributes map[string]*rValue
}

// loadR reads an object from the data of an installed R package: Rdata.rdx, an index, and
// Rdata.rdb, whose parts the program xz unpacks.
func loadR(folder, name string) (*rValue, error) {
	packed, err := os.ReadFile(folder + "/Rdata.rdx")
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	index, err := readR(z)
	if err != nil {
		return nil, fmt.Errorf("read Rdata.rdx: %w", err)
	}
	variables := index.item("variables")
	if variables == nil || variables.item(name) == nil {
		return nil, fmt.Errorf("%s has no object %s", folder, name)
	}
	at := variables.item(name).Ints // position and length
	data, err := os.ReadFile(folder + "/Rdata.rdb")
	if err != nil {
		return nil, err
	}
	const header = 5 // the unpacked length and the letter Z
	unpack := exec.Command("xz", "--format=raw", "--lzma2=dict=64MiB", "--decompress", "--stdout")
	unpack.Stdin = bytes.NewReader(data[at[0]+header : at[0]+at[1]])
	body, err := unpack.Output()
	if err != nil {
		return nil, fmt.Errorf("unpack %s with xz: %w", name, err)
	}
	return readR(bytes.NewReader(body))
}

// item returns the item of a list with a name, nil if there is none.
func (v *rValue) item(name string) *rValue {
	if names := v.Attributes["names"]; names != nil {
		for i, n := range names.Texts {
			if n == name {
				return v.Items[i]
			}
		}
	}
	return nil
}

// Types of R's serialization format, as the chapter "Serialization Formats" of R Internals
// lists them.
const (
	rSymbol, rPairs, rCharacters                = 1, 2, 9
	rLogicals, rIntegers, rReals, rTexts, rList = 10, 13, 14, 16, 19
	rNil, rReference                            = 254, 255

	hasAttributes, hasName = 0x200, 0x400
)

// rReader reads R's binary format "X".
type rReader struct {
	in      io.Reader
	symbols []string
	err     error
}

func readR(in io.Reader) (*rValue, error) {
	r := &rReader{in: in}
	if format := string(r.bytes(2)); format != "X\n" {
		return nil, fmt.Errorf("the format is %q, want X", format)
	}
	version := r.int()
	r.int()
	r.int() // versions of R that wrote it and that can read it
	if version == 3 {
		r.bytes(r.int()) // the encoding of texts
	}
	v := r.value()
	return v, r.err
}

func (r *rReader) bytes(n int) []byte {
	b := make([]byte, max(n, 0))
	if _, err := io.ReadFull(r.in, b); err != nil {
		r.err = errors.Join(r.err, err)
	}
	return b
}

func (r *rReader) int() int { return int(int32(binary.BigEndian.Uint32(r.bytes(4)))) }

// value reads an object. Symbols and characters become a text; the missing text is empty.
func (r *rReader) value() *rValue {
	flags := r.int()
	v := &rValue{}
	if r.err != nil {
		return v
	}
	switch flags & 0xff {
	case rNil:
		return v
	case rSymbol:
		v.Texts = r.value().Texts
		r.symbols = append(r.symbols, v.Texts[0])
		return v
	case rReference:
		v.Texts = []string{r.symbols[flags>>8-1]}
		return v
	case rCharacters:
		v.Texts = []string{string(r.bytes(r.int()))}
		return v
	case rPairs:
		return r.pairs(flags)
	case rLogicals, rIntegers:
		for range r.int() {
			v.Ints = append(v.Ints, r.int())
		}
	case rReals:
		for data := r.bytes(8 * r.int()); len(data) > 0; data = data[8:] {
			v.Reals = append(v.Reals, math.Float64frombits(binary.BigEndian.Uint64(data)))
		}
	case rTexts:
		for range r.int() {
			v.Texts = append(v.Texts, r.value().Texts[0])
		}
	case rList:
		for range r.int() {
			v.Items = append(v.Items, r.value())
		}
	default:
		r.err = errors.Join(r.err, fmt.Errorf("unsupported type %d", flags&0xff))
	}
	if flags&hasAttributes != 0 {
		v.Attributes = r.value().Attributes
	}
	return v
}

// pairs reads a list of names and values.
func (r *rReader) pairs(flags int) *rValue {
	v := &rValue{Attributes: map[string]*rValue{}}
	for r.err == nil && flags&0xff == rPairs {
		if flags&hasAttributes != 0 {
			r.value() // of the list itself
		}
		name := ""
		if flags&hasName != 0 {
			name = r.value().Texts[0]
		}
		v.Attributes[name] = r.value()
		flags = r.int()
	}
	return v
}
