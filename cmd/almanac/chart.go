package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"almanac/internal/chart"
	"almanac/internal/chart/render"
	"almanac/internal/request"
	"almanac/internal/store"
)

// chartCmd is `almanac chart`: the fields of a chart request as flags, with their
// names in the request's JSON. What is not given stays as the interface has it.
type chartCmd struct {
	Data    string `json:"-" required:"" type:"folder" placeholder:"DIR" help:"Folder of the store."`
	Dataset string `json:"-" required:"" placeholder:"ID" help:"ID of the dataset."`
	Type    string `json:"chartType" required:"" placeholder:"TYPE" help:"line, bar, horizontal-bar or map."`
	Out     string `json:"-" required:"" placeholder:"FILE" help:"Where the picture goes; its ending .png, .jpg or .svg says the format. A dash: standard output, with --format."`

	DimensionsQuery    *string  `json:"dimensions_query,omitempty" placeholder:"QUERY" help:"Which data, as the query string of the data endpoint: dim1=…&country=Germany&period_from=2000."`
	SelectedDimensions jsonText `json:"selectedDimensions,omitempty" placeholder:"JSON" help:"Which data, as the endpoint has it: {\"country\": [\"Germany\"]}."`
	Country            []string `json:"-" sep:"none" placeholder:"LABEL" help:"Only this area; may be repeated."`
	Period             *string  `json:"period,omitempty" placeholder:"PERIOD" help:"The period of a map or of bars; the latest if not given."`
	SeriesColors       jsonText `json:"seriesColors,omitempty" placeholder:"JSON" help:"Colours by series: {\"Germany\": \"#12436d\"}."`
	CustomLegendLabels jsonText `json:"customLegendLabels,omitempty" placeholder:"JSON" help:"Names by series: {\"Germany\": \"DE\"}."`
	CustomTitle        *string  `json:"customTitle,omitempty" placeholder:"TEXT" help:"The title in place of the dataset's name."`
	Width              *int     `json:"width,omitempty" placeholder:"PIXELS" help:"Width of the picture, 100 to 4096 (1200)."`
	Height             *int     `json:"height,omitempty" placeholder:"PIXELS" help:"Height of the picture, 100 to 4096 (675)."`
	IncludeTitle       *bool    `json:"includeTitle,omitempty" negatable:"" help:"Whether there is a title (yes)."`
	IncludeSource      *bool    `json:"includeSource,omitempty" negatable:"" help:"Whether the source is named (yes)."`
	IncludeDate        *bool    `json:"includeDate,omitempty" negatable:"" help:"Whether the title of a map has the period (yes)."`
	HighlightLatest    *bool    `json:"highlightLatest,omitempty" negatable:"" help:"Whether the latest point stands out in red (no)."`
	ShowValues         *bool    `json:"showValues,omitempty" negatable:"" help:"Whether values are written into a map (no)."`
	ShowBorders        *bool    `json:"showBorders,omitempty" negatable:"" help:"Whether a map has borders (yes)."`
	ShowLegend         *bool    `json:"showLegend,omitempty" negatable:"" help:"Whether there is a legend (yes)."`
	MapLocation        *string  `json:"mapLocation,omitempty" placeholder:"REGION" help:"europe, asia, africa, north-america, south-america or oceania."`
	AdditionalText     *string  `json:"additionalText,omitempty" placeholder:"TEXT" help:"A text on the left side of a map."`
	MapTransform       jsonText `json:"mapTransform,omitempty" placeholder:"JSON" help:"Moves and enlarges a map: {\"x\": 0, \"y\": 40, \"scale\": 1.5}."`
	Format             *string  `json:"-" placeholder:"FORMAT" help:"png, jpeg or svg, where the file's ending does not say it."`
}

// Run draws one chart into a file.
func (c *chartCmd) Run(ctx context.Context, open *closers, out streams) error {
	format, err := c.format()
	if err != nil {
		return usageError{err}
	}
	body, err := c.body()
	if err != nil {
		return usageError{err}
	}
	asked, err := request.ReadChart(body)
	if err != nil {
		return usageError{err}
	}
	if asked.Data.Followed {
		return usageError{errors.New("followed=true needs the key of an organisation, which this command has no flag for; leave it out")}
	}
	id, err := strconv.Atoi(asked.DatasetID)
	if err != nil {
		return usageError{fmt.Errorf("--dataset %s is no ID of a dataset; almanac dataset list shows them", c.Dataset)}
	}
	s, err := openStore(ctx, open, c.Data)
	if err != nil {
		return err
	}
	spec, err := c.spec(ctx, s, id, asked, out.stderr)
	if err != nil {
		return err
	}
	var picture bytes.Buffer
	if err := render.Write(&picture, chart.Layout(spec), format); err != nil {
		return fmt.Errorf("drawing: %w", err)
	}
	if c.Out == "-" {
		_, err := out.stdout.Write(picture.Bytes())
		return err
	}
	if err := writeWhole(c.Out, picture.Bytes()); err != nil {
		return fmt.Errorf("writing the picture: %w", err)
	}
	fmt.Fprintln(out.stdout, spec.Alt())
	return nil
}

// spec makes what is drawn and tells of values that were not found.
func (c *chartCmd) spec(ctx context.Context, s *store.Store, id int, asked *request.Chart, stderr io.Writer) (*chart.Spec, error) {
	v, err := s.Vintage(ctx, id)
	if err != nil {
		return nil, err
	}
	spec, notices, err := request.Spec(ctx, v, asked)
	if err != nil {
		return nil, err
	}
	for _, n := range notices {
		near := ""
		if len(n.Nearest) > 0 {
			near = "; near it: " + strings.Join(n.Nearest, ", ")
		}
		fmt.Fprintf(stderr, "almanac: %s %q: %s%s\n", n.Parameter, n.Value, n.Message, near)
	}
	return spec, nil
}

// The formats of pictures, by the value of --format and by the file's ending.
var (
	formatsByName   = map[string]render.Format{"png": render.FormatPNG, "json": render.FormatPNG, "jpeg": render.FormatJPEG, "svg": render.FormatSVG}
	formatsByEnding = map[string]render.Format{".png": render.FormatPNG, ".jpg": render.FormatJPEG, ".jpeg": render.FormatJPEG, ".svg": render.FormatSVG}
)

// format is that of the file's ending, else of --format.
func (c *chartCmd) format() (render.Format, error) {
	var given render.Format
	if c.Format != nil {
		if given = formatsByName[*c.Format]; given == "" {
			return "", fmt.Errorf("--format is %q; right are png, jpeg and svg", *c.Format)
		}
	}
	ending := formatsByEnding[strings.ToLower(filepath.Ext(c.Out))]
	switch {
	case ending == "" && given == "":
		return "", fmt.Errorf("--out %s does not end in .png, .jpg or .svg; with another name --format says the format", c.Out)
	case ending == "":
		return given, nil
	case given != "" && given != ending:
		return "", fmt.Errorf("--format %s does not go with --out %s", *c.Format, c.Out)
	}
	return ending, nil
}

// body is the chart request that the flags stand for.
func (c *chartCmd) body() ([]byte, error) {
	if strings.Trim(c.Dataset, "0123456789") != "" || c.Dataset == "" {
		return nil, fmt.Errorf("--dataset is %q; right is the ID of a dataset: almanac dataset list shows them", c.Dataset)
	}
	fields := *c
	if c.Country != nil {
		if c.SelectedDimensions != nil {
			return nil, errors.New("--country and --selected-dimensions both say which data; give one of them")
		}
		only, err := json.Marshal(map[string][]string{"country": c.Country})
		if err != nil {
			return nil, err
		}
		fields.SelectedDimensions = only
	}
	return json.Marshal(struct {
		DatasetID json.Number `json:"datasetId"`
		chartCmd
	}{json.Number(c.Dataset), fields})
}

// jsonText is a flag that takes JSON.
type jsonText []byte

// UnmarshalText takes any JSON; what it may be is the request's affair.
func (j *jsonText) UnmarshalText(text []byte) error {
	if !json.Valid(text) {
		return fmt.Errorf("%.60q is no JSON; right is an object {…}, in quotes for the shell; --help has an example", text)
	}
	*j = bytes.Clone(text)
	return nil
}

// MarshalJSON writes it as it is.
func (j jsonText) MarshalJSON() ([]byte, error) { return j, nil }

// writeWhole writes a file so that it is never there by half. What is there and
// is no regular file, as a device or a pipe, is written into.
func writeWhole(name string, content []byte) error {
	mode := fs.FileMode(0o644)
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	switch info, err := os.Stat(name); {
	case err != nil: // most likely it is not there yet
	case info.IsDir():
		return fmt.Errorf("%s is a folder", name)
	case !info.Mode().IsRegular():
		return os.WriteFile(name, content, mode)
	default:
		mode = info.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".almanac-*")
	if err != nil {
		return fmt.Errorf("%s: %w", name, cause(err))
	}
	defer os.Remove(f.Name())
	if _, err := f.Write(content); err != nil {
		f.Close()
		return fmt.Errorf("%s: %w", name, cause(err))
	}
	if err := errors.Join(f.Chmod(mode), f.Close()); err != nil {
		return fmt.Errorf("%s: %w", name, cause(err))
	}
	if err := os.Rename(f.Name(), name); err != nil {
		return fmt.Errorf("%s: %w", name, cause(err))
	}
	return nil
}

// cause is an error about a file without the file's name, which is a temporary
// one that says nothing to people.
func cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}
