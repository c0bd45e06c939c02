package main

import (
	"bytes"
	"cmp"
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
	"almanac/internal/chart/embed"
	"almanac/internal/chart/layout"
	"almanac/internal/chart/render"
	"almanac/internal/request"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// chartCmd is `almanac chart`. Its flags are the fields of a chart request; a
// flag that is not given keeps the default of the request.
type chartCmd struct {
	Data     string `json:"-" required:"" type:"folder" placeholder:"DIR" help:"Folder of the store."`
	services `json:"-"`
	Dataset  int    `json:"datasetId" required:"" placeholder:"ID" help:"ID of the dataset, as dataset list shows it."`
	Type     string `json:"chartType" required:"" placeholder:"TYPE" help:"line, bar, horizontal-bar, map, area, small-multiples, dumbbell or spark."`
	Out      string `json:"-" required:"" placeholder:"FILE" help:"File to write; its extension .png, .jpg, .svg or .html sets the format. A dash writes to standard output and needs --format."`

	Borders string `json:"-" type:"folder" placeholder:"DIR" help:"Folder of GeoJSON and TopoJSON files with the outlines of regions, for maps of them."`

	DimensionsQuery    *string  `json:"dimensions_query,omitempty" placeholder:"QUERY" help:"Data to draw, as a query string of the data endpoint: dim1=…&country=Germany&period_from=2000."`
	SelectedDimensions jsonText `json:"selectedDimensions,omitempty" placeholder:"JSON" help:"Data to draw, as JSON of the chart endpoint: {\"country\": [\"Germany\"]}."`
	Country            []string `json:"-" sep:"none" placeholder:"LABEL" help:"Draw only this area; may be repeated."`
	Within             []string `json:"-" sep:"none" placeholder:"LABEL" help:"Draw only this area and its parts; may be repeated."`
	Period             *string  `json:"period,omitempty" placeholder:"PERIOD" help:"The period of a map or of bars; default: the latest."`
	LatestMode         *string  `json:"latest_mode,omitempty" placeholder:"MODE" help:"Which period is the latest: observed, last or area (default: observed)."`
	S                  []string `json:"s,omitempty" sep:"none" placeholder:"ID:QUERY" help:"Draw another dataset in the same line chart, 14:dim2=Total; may be repeated."`
	SeriesColors       jsonText `json:"seriesColors,omitempty" placeholder:"JSON" help:"Colours by series: {\"Germany\": \"#12436d\"}."`
	CustomLegendLabels jsonText `json:"customLegendLabels,omitempty" placeholder:"JSON" help:"Legend labels by series: {\"Germany\": \"DE\"}."`
	Lang               *string  `json:"lang,omitempty" placeholder:"LANGUAGE" help:"Language of the dataset's texts, such as fr, and of the chart's own words if it has them (default: those of everybody)."`
	Locale             *string  `json:"locale,omitempty" placeholder:"LANGUAGE" help:"Language of the chart's own words: en, de, fr, es, it, ar or ja (default: en)."`
	Theme              *string  `json:"theme,omitempty" placeholder:"THEME" help:"Colours: light, dark or print (default: on white)."`
	Background         *string  `json:"background,omitempty" placeholder:"COLOUR" help:"Colour of the ground, or transparent."`
	Font               *string  `json:"font,omitempty" placeholder:"embed" help:"embed: put the glyphs into the SVG."`
	Embed              *string  `json:"embed,omitempty" placeholder:"html" help:"html: write a page that shows the values next to the pointer."`
	Transform          *string  `json:"transform,omitempty" placeholder:"KIND" help:"Draw derived values: index:2015, change, percent, percent-year or per-capita."`
	Stack              *string  `json:"stack,omitempty" placeholder:"KIND" help:"Put bars and areas of several series on one another: normal or percent."`
	CustomTitle        *string  `json:"customTitle,omitempty" placeholder:"TEXT" help:"Title to use instead of the dataset's name."`
	Width              *int     `json:"width,omitempty" placeholder:"PIXELS" help:"Width of the picture, 100 to 4096 (default: 1200)."`
	Height             *int     `json:"height,omitempty" placeholder:"PIXELS" help:"Height of the picture, 100 to 4096 (default: 675)."`
	IncludeTitle       *bool    `json:"includeTitle,omitempty" negatable:"" help:"Draw the title (default: yes)."`
	IncludeSource      *bool    `json:"includeSource,omitempty" negatable:"" help:"Name the source (default: yes)."`
	IncludeDate        *bool    `json:"includeDate,omitempty" negatable:"" help:"Add the period to the title of a map (default: yes)."`
	HighlightLatest    *bool    `json:"highlightLatest,omitempty" negatable:"" help:"Highlight the latest point in red (default: no)."`
	ShowValues         *bool    `json:"showValues,omitempty" negatable:"" help:"Write values on a map (default: no)."`
	ShowBands          *bool    `json:"showBands,omitempty" negatable:"" help:"Shade between the lower and upper bounds of up to three lines (default: yes)."`
	Curve              *string  `json:"curve,omitempty" placeholder:"CURVE" help:"Lines between values: smooth, straight or step (default: smooth)."`
	Scale              *string  `json:"scale,omitempty" placeholder:"SCALE" help:"Value axis of lines: linear or log (default: linear)."`
	ReferenceLines     jsonText `json:"referenceLines,omitempty" placeholder:"JSON" help:"Horizontal lines in a line chart: {\"2\": \"Target\"}."`
	ShadedSpans        jsonText `json:"shadedSpans,omitempty" placeholder:"JSON" help:"Shaded parts of the time: {\"2008..2009\": \"Recession\"}."`
	DateNotes          jsonText `json:"dateNotes,omitempty" placeholder:"JSON" help:"Notes at dates in a line chart: {\"2004\": \"Ten new members\"}."`
	ShowBorders        *bool    `json:"showBorders,omitempty" negatable:"" help:"Draw borders on a map (default: yes)."`
	ShowLegend         *bool    `json:"showLegend,omitempty" negatable:"" help:"Draw the legend (default: yes)."`
	MapLocation        *string  `json:"mapLocation,omitempty" placeholder:"REGION" help:"europe, asia, africa, north-america, south-america or oceania."`
	AdditionalText     *string  `json:"additionalText,omitempty" placeholder:"TEXT" help:"Text on the left side of a map."`
	MapTransform       jsonText `json:"mapTransform,omitempty" placeholder:"JSON" help:"Move and scale a map: {\"x\": 0, \"y\": 40, \"scale\": 1.5}."`
	Version            *string  `json:"version,omitempty" name:"data-version" placeholder:"NUMBER" help:"This version of the dataset, such as 1.3 (default: the current one)."`
	AsOf               *string  `json:"asOf,omitempty" placeholder:"TIME" help:"The version that was current at this date or time."`
	Format             *string  `json:"-" placeholder:"FORMAT" help:"png, jpeg or svg; needed if the file has no such extension."`
}

func (c *chartCmd) Run(ctx context.Context, atExit *cleanups, out streams) error {
	format, err := c.format()
	if err != nil {
		return usageError{err}
	}
	body, err := c.body()
	if err != nil {
		return usageError{err}
	}
	chartRequest, err := request.ReadChart(body)
	if err != nil {
		return usageError{err}
	}
	if chartRequest.Options.Atlas, err = readBorders(c.Borders, io.Discard); err != nil {
		return err
	}
	if chartRequest.Data.Followed {
		return usageError{errors.New("followed=true needs the key of an organisation, and this command has no flag for a key; remove it")}
	}
	s, err := openStore(ctx, atExit, c.in(c.Data))
	if err != nil {
		return err
	}
	spec, err := c.spec(ctx, s, chartRequest, out.stderr)
	if err != nil {
		return err
	}
	var picture bytes.Buffer
	if chartRequest.IsPage {
		err = embed.Page(&picture, layout.Layout(spec))
	} else {
		err = render.Write(&picture, layout.Layout(spec), format)
	}
	if err != nil {
		return fmt.Errorf("drawing: %w", err)
	}
	if c.Out == "-" {
		_, err := out.stdout.Write(picture.Bytes())
		return err
	}
	if err := writeAtomic(c.Out, picture.Bytes()); err != nil {
		reason := cmp.Or(errors.Unwrap(err), err) // without the name of the temporary file
		return fmt.Errorf("writing the picture: %s: %w", c.Out, reason)
	}
	fmt.Fprintln(out.stdout, spec.Alt())
	return nil
}

// spec returns the chart to draw and prints the values that were not found.
func (c *chartCmd) spec(ctx context.Context, s *store.Store, chartRequest *request.Chart, stderr io.Writer) (*chart.Spec, error) {
	lang := chartRequest.Data.Lang
	open := func(id string, e request.Edition) (l request.Localised, err error) {
		n, err := strconv.Atoi(id)
		if err != nil {
			return l, err
		}
		at, err := e.At()
		if err != nil {
			return l, usageError{err}
		}
		v, err := s.VintageAt(ctx, n, at)
		if err != nil {
			return l, err
		}
		if l, err = request.Localise(ctx, v, lang, ""); stat.KindOf(err) == stat.Invalid {
			err = usageError{err}
		}
		return l, err
	}
	v, err := open(strconv.Itoa(c.Dataset), chartRequest.Data.Edition)
	if err != nil {
		return nil, err
	}
	openOther := func(id string, e request.Edition) (*store.Vintage, error) {
		other, err := open(id, e)
		return other.Vintage, err
	}
	if err := chartRequest.OpenOthers(openOther); err != nil {
		return nil, err
	}
	chartRequest.UseLanguage(v)
	chartRequest.Store = s
	spec, notices, err := request.Spec(ctx, v.Vintage, chartRequest)
	if err != nil {
		return nil, err
	}
	for _, n := range append(notices, v.Notices...) {
		near := ""
		if len(n.Nearest) > 0 {
			near = "; did you mean: " + strings.Join(n.Nearest, ", ")
		}
		fmt.Fprintf(stderr, "almanac: %s %q: %s%s\n", n.Parameter, n.Value, n.Message, near)
	}
	return spec, nil
}

// The picture formats by the value of --format and by file extension.
var (
	formatsByName      = map[string]render.Format{"png": render.FormatPNG, "json": render.FormatPNG, "jpeg": render.FormatJPEG, "svg": render.FormatSVG}
	formatsByExtension = map[string]render.Format{".png": render.FormatPNG, ".jpg": render.FormatJPEG, ".jpeg": render.FormatJPEG, ".svg": render.FormatSVG}
)

// format returns the format of the file extension, or else of --format. A page, with --embed or
// in a file that ends in .html, has none.
func (c *chartCmd) format() (render.Format, error) {
	if isPage := strings.EqualFold(filepath.Ext(c.Out), ".html"); isPage || c.Embed != nil {
		switch {
		case c.Format != nil:
			return "", fmt.Errorf("--format %s contradicts a page: it is HTML", *c.Format)
		case c.Embed == nil:
			html := "html"
			c.Embed = &html
		case !isPage && c.Out != "-":
			return "", fmt.Errorf("--embed writes a page, but --out %s does not end in .html", c.Out)
		}
		return "", nil
	}
	var given render.Format
	if c.Format != nil {
		if given = formatsByName[*c.Format]; given == "" {
			return "", fmt.Errorf("--format must be png, jpeg or svg, not %q", *c.Format)
		}
	}
	extension := formatsByExtension[strings.ToLower(filepath.Ext(c.Out))]
	switch {
	case extension == "" && given == "":
		return "", fmt.Errorf("--out %s does not end in .png, .jpg, .svg or .html; use such a name or state --format", c.Out)
	case extension == "":
		return given, nil
	case given != "" && given != extension:
		return "", fmt.Errorf("--format %s contradicts the extension of --out %s", *c.Format, c.Out)
	}
	return extension, nil
}

type areaChoice struct {
	Country []string `json:"country,omitempty"`
	Within  []string `json:"within,omitempty"`
}

func (c *chartCmd) body() ([]byte, error) {
	fields := *c
	if c.Country != nil || c.Within != nil {
		if c.SelectedDimensions != nil {
			return nil, errors.New("--country or --within and --selected-dimensions cannot be used together: both select the data")
		}
		only, err := json.Marshal(areaChoice{c.Country, c.Within})
		if err != nil {
			return nil, err
		}
		fields.SelectedDimensions = only
	}
	return json.Marshal(fields)
}

type jsonText []byte

// UnmarshalText accepts any valid JSON; the request checks its content.
func (j *jsonText) UnmarshalText(text []byte) error {
	if !json.Valid(text) {
		return fmt.Errorf("invalid JSON %.60q; use an object {…} in shell quotes, as in the example in --help", text)
	}
	*j = bytes.Clone(text)
	return nil
}

func (j jsonText) MarshalJSON() ([]byte, error) { return j, nil }

// writeAtomic replaces a file in one step, so that no reader sees half of it.
// An existing device or pipe is written to directly.
func writeAtomic(name string, content []byte) error {
	mode := fs.FileMode(0o644)
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	switch info, err := os.Stat(name); {
	case err != nil: // most likely the file does not exist yet
	case info.IsDir():
		return errors.New("it is a folder")
	case !info.Mode().IsRegular():
		return os.WriteFile(name, content, mode)
	default:
		mode = info.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".almanac-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(content)
	if err = cmp.Or(err, f.Chmod(mode)); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
