package sdmx

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/source/jsonstream"
	"almanac/internal/stat"
)

// cubesVersion is the dialect of Statistics Canada. A JSON list contains the cubes with the
// time of their last release. Each cube has an archive of SDMX-ML messages with the
// structure. Its address must be requested.
const cubesVersion = "cubes"

// cubes is a server of cubes.
type cubes struct {
	source.Office
	client *fetch.Client
}

// Contents yields the cubes.
func (s *cubes) Contents(ctx context.Context, _ source.Filter) iter.Seq2[source.Entry, error] {
	return source.Entries(func(add func(source.Entry) error) error {
		address := cmp.Or(s.Office.Contents, s.Address+"/getAllCubesListLite")
		request := s.Request(address)
		request.Accept = "application/json"
		return source.ReadList(ctx, s.client, request, func(list io.Reader, _ string) error {
			return stat.Wrap(readCubes(ctx, list, add), "%s", address)
		})
	})
}

// cube is a cube in the list.
type cube struct {
	ProductID   json.Number     `json:"productId"`
	Title       string          `json:"cubeTitleEn"`
	French      string          `json:"cubeTitleFr"`
	First       string          `json:"cubeStartDate"`
	Last        string          `json:"cubeEndDate"`
	Frequency   int             `json:"frequencyCode"`
	ReleaseTime string          `json:"releaseTime"`
	Subjects    json.RawMessage `json:"subjectCode"` // strings, rarely null
}

// cubeFrequencies are the codes of SDMX for those of the office. Those for data that are
// published occasionally have none.
var cubeFrequencies = map[int]string{
	1: "D", 2: "W", 4: "W2", 6: "M", 7: "M2", 9: "Q", 11: "S", 12: "A", 13: "A2", 14: "A3", 15: "A4", 16: "A5", 17: "A10",
}

// readCubes reads the cubes of a list.
func readCubes(ctx context.Context, r io.Reader, add func(source.Entry) error) error {
	in, n := jsonstream.New(r), 0
	err := in.List(func() error {
		var c cube
		if err := errors.Join(ctx.Err(), in.Decode(&c)); err != nil {
			return err
		}
		if n++; n > maxFlows {
			return fmt.Errorf("no end after %d cubes", n)
		}
		e := source.Entry{
			Code: c.ProductID.String(), Title: strings.Join(strings.Fields(c.Title), " "), Updated: source.ParseTime(c.ReleaseTime),
			Language: "en", Frequency: cubeFrequencies[c.Frequency], First: c.First, Last: c.Last,
			Others: []source.Text{{Language: "fr", Title: strings.Join(strings.Fields(c.French), " ")}},
		}
		if json.Unmarshal(c.Subjects, &e.Folders) != nil {
			e.Folders = nil
		}
		if !cubePattern.MatchString(e.Code) {
			return nil
		}
		return add(e)
	})
	if err == nil {
		err = in.End()
	}
	if err != nil && !errors.Is(err, source.ErrStop) {
		err = stat.Errorf(stat.Unavailable, "invalid list of cubes: %v", err)
	}
	return err
}

var cubePattern = regexp.MustCompile(`^[0-9]{8}$`)

// Fetch saves the archive of a cube.
func (s *cubes) Fetch(ctx context.Context, r source.Request) (*source.Download, error) {
	if !cubePattern.MatchString(r.Code) {
		return nil, stat.Errorf(stat.Invalid, "invalid code %q of a dataset of %s: must be eight digits, as in 34100158", r.Code, s.Name)
	}
	var location struct {
		Status string          `json:"status"`
		Object json.RawMessage `json:"object"`
	}
	request := s.Request(s.Address + "/getFullTableDownloadSDMX/" + r.Code)
	if _, err := source.ReadJSON(ctx, s.client, request, 1<<20, &location); err != nil {
		return nil, s.noCube(r.Code, err)
	}
	var address string
	if err := json.Unmarshal(location.Object, &address); err != nil || location.Status != "SUCCESS" {
		return nil, stat.Errorf(stat.NotFound, "%s has no dataset %s: it returned the status %s", s.Name, r.Code, location.Status)
	}
	path := filepath.Join(r.Folder, r.Code+".zip")
	request = s.Request(address)
	request.Known = r.Known.Answers[address]
	answer, err := s.client.Save(ctx, request, path)
	if err != nil {
		return nil, s.noCube(r.Code, err)
	}
	d := &source.Download{
		Unchanged: answer.NotModified, Source: s.Name, SourceURL: s.Website, Updated: r.ListedUpdated(),
		State: source.State{Updated: source.StorableTime(r.ListedUpdated(), s.client.Now(), source.LastMidnight), Answers: map[string]fetch.Validators{address: answer.Validators}},
	}
	if answer.NotModified {
		d.State.Updated = r.UnchangedTime(d.Updated, s.client.Now(), source.LastMidnight)
		keepIfZero(d.State.Answers, r.Known.Answers, address)
		return d, nil
	}
	d.Data = []string{path}
	return d, nil
}

// noCube returns the error for an unknown cube, or err unchanged. The office answers 406
// to a number that it does not have.
func (s *cubes) noCube(code string, err error) error {
	var failure *fetch.Error
	if errors.As(err, &failure) && (failure.Reason == fetch.Missing || failure.Status == http.StatusNotAcceptable) {
		return s.NoDataset(code, err)
	}
	return err
}
