package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"almanac/internal/format"
	"almanac/internal/format/jsonstat"
	"almanac/internal/format/px"
	"almanac/internal/format/sdmx/sdmxcsv"
	"almanac/internal/format/sdmx/sdmxml"
)

// runRead is the role "read": it reads a file once, as ours or with a library,
// and prints what it took.
func runRead(ctx context.Context, args []string, stdout io.Writer) error {
	if len(args) != 2 {
		return errors.New("read FILE READER")
	}
	read := map[string]func(string) (int, error){
		"ours":          func(path string) (int, error) { return readOurs(ctx, path) },
		"encoding/xml":  readXML,
		"encoding/csv":  readCSV,
		"encoding/json": readJSON,
	}[args[1]]
	if read == nil {
		return fmt.Errorf("there is no reader %q", args[1])
	}
	begin, err := cpuOfSelf()
	if err != nil {
		return err
	}
	var r reading
	if r.Cells, err = read(args[0]); err != nil {
		return err
	}
	end, err := cpuOfSelf()
	if err != nil {
		return err
	}
	r.CPU = end - begin
	if r.Peak, err = memoryOf(strconv.Itoa(os.Getpid()), "VmHWM"); err != nil {
		return err
	}
	return json.NewEncoder(stdout).Encode(r)
}

// cpuOfSelf is the time that this process has run, user and system.
func cpuOfSelf() (time.Duration, error) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, err
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), nil
}

// readOurs reads a file with the format that recognises it, and adds the
// values up.
func readOurs(ctx context.Context, path string) (cells int, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	head := make([]byte, 64<<10)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	in := format.Input{Name: filepath.Base(path), Data: f, Again: func() (io.ReadCloser, error) { return os.Open(path) }}
	for _, formats := range [][]format.Format{sdmxml.Formats(), sdmxcsv.Formats(), px.Formats(), jsonstat.Formats()} {
		for _, as := range formats {
			if as.Read == nil || !as.Recognise(in.Name, head[:n]) {
				continue
			}
			for t, err := range as.Read(ctx, in) {
				if err != nil {
					return 0, err
				}
				sum := 0.0
				for o, err := range t.Observations {
					if err != nil {
						return 0, err
					}
					if !math.IsNaN(o.Value) {
						sum += o.Value
					}
					cells++
				}
			}
			return cells, nil
		}
	}
	return 0, fmt.Errorf("no format recognises %s", path)
}

// readXML takes an XML file apart and counts its elements.
func readXML(path string) (elements int, err error) {
	return withFile(path, func(f io.Reader) (int, error) {
		for d := xml.NewDecoder(f); ; {
			token, err := d.RawToken()
			if errors.Is(err, io.EOF) {
				return elements, nil
			}
			if err != nil {
				return 0, err
			}
			if _, ok := token.(xml.StartElement); ok {
				elements++
			}
		}
	})
}

// readCSV takes a CSV file apart and counts its records.
func readCSV(path string) (records int, err error) {
	return withFile(path, func(f io.Reader) (int, error) {
		r := csv.NewReader(f)
		r.ReuseRecord = true
		for {
			_, err := r.Read()
			if errors.Is(err, io.EOF) {
				return records, nil
			}
			if err != nil {
				return 0, err
			}
			records++
		}
	})
}

// readJSON takes a JSON-stat file apart and counts its values.
func readJSON(path string) (int, error) {
	return withFile(path, func(f io.Reader) (int, error) {
		var b bytes.Buffer
		if _, err := b.ReadFrom(f); err != nil {
			return 0, err
		}
		var cube struct{ Value []*float64 }
		err := json.Unmarshal(b.Bytes(), &cube)
		return len(cube.Value), err
	})
}

func withFile(path string, read func(io.Reader) (int, error)) (int, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return read(f)
}
