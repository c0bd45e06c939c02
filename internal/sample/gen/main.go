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
	"errors"
	"fmt"
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
	{"data/gapminder.json", "70630efd862153116c1518a098a5a3bc4ca8c9f037306f86fba282a2720909b9", "gapminder.tidy.csv", gapminder},
	{"data/us-employment.csv", "0fa5366929bf738ac420509b84ed120155f740b0fa9c265ca309dad4057d1b1b", "us_employment.tidy.csv", usEmployment},
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return errors.New("usage: gen PACKAGE-FOLDER OUTPUT-FOLDER")
	}
	for _, in := range inputs {
		data, err := os.ReadFile(filepath.Join(args[0], in.file))
		if err != nil {
			return fmt.Errorf("reading the package vega-datasets: %w", err)
		}
		if fmt.Sprintf("%x", sha256.Sum256(data)) != in.sha256 {
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
		if err := os.WriteFile(filepath.Join(args[1], in.output), out.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}
