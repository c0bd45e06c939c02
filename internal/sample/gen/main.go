// Gen creates the sample datasets. It is not needed to build or run the program; it
// documents where every number of the samples comes from.
//
//	npm pack vega-datasets@3.2.1
//	tar xzf vega-datasets-3.2.1.tgz
//	go run ./internal/sample/gen package internal/sample
//
// Its arguments are the folder of the unpacked package and the output folder. It
// rejects any other version of the package.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"almanac/internal/format/tidy"
	"almanac/internal/stat"
)

// input is a file of the package and its conversion.
type input struct {
	file, sha256 string
	output       string
	convert      func(data []byte) (*stat.Dataset, []stat.Observation, error)
}

var inputs = []input{
	{
		file:    "data/gapminder.json",
		sha256:  "70630efd862153116c1518a098a5a3bc4ca8c9f037306f86fba282a2720909b9",
		output:  "gapminder.tidy.csv",
		convert: gapminder,
	},
	{
		file:    "data/us-employment.csv",
		sha256:  "0fa5366929bf738ac420509b84ed120155f740b0fa9c265ca309dad4057d1b1b",
		output:  "us_employment.tidy.csv",
		convert: usEmployment,
	},
}

func main() {
	os.Exit(run(os.Args[1:], os.Stderr))
}

func run(args []string, stderr io.Writer) int {
	if len(args) != 2 {
		fmt.Fprintln(stderr, "usage: gen PACKAGE-FOLDER OUTPUT-FOLDER")
		return 2
	}
	for _, in := range inputs {
		if err := in.make(args[0], args[1]); err != nil {
			fmt.Fprintln(stderr, err)
			return 1
		}
	}
	return 0
}

// make converts a file of the package in folder from to a file in folder to.
func (in input) make(from, to string) error {
	data, err := os.ReadFile(filepath.Join(from, in.file))
	if err != nil {
		return fmt.Errorf("reading the package vega-datasets: %w", err)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != in.sha256 {
		return fmt.Errorf("%s is not the file of vega-datasets 3.2.1", in.file)
	}
	dataset, observations, err := in.convert(data)
	if err != nil {
		return fmt.Errorf("%s: %w", in.file, err)
	}
	var out bytes.Buffer
	if err := tidy.Write(&out, dataset, observations); err != nil {
		return fmt.Errorf("%s: %w", in.output, err)
	}
	return os.WriteFile(filepath.Join(to, in.output), out.Bytes(), 0o644)
}
