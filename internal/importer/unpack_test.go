package importer_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/unicode"

	"almanac/internal/importer"
)

// births1 and births2 are tidy files of one dataset.
const (
	births1 = tidyHead + "sex,geo,TIME_PERIOD,OBS_VALUE\nT,DE,2022,738819\nT,FR,2022,725997\n"
	births2 = tidyHead + "sex,geo,TIME_PERIOD,OBS_VALUE\nT,DE,2023,692989\nF,DE,2023,337463\nT,FR,2022,725997\n"
)

// member is a file in an archive.
type member struct{ name, content string }

// zipped packs files into an archive.
func zipped(t *testing.T, members ...member) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, m := range members {
		w, err := z.Create(m.name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(m.content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// An archive is imported like one file. Members of the same dataset are joined; members
// without data are skipped with a note.
func TestArchive(t *testing.T) {
	s := openStore(t)
	got := mustImport(t, s, importer.Options{}, "births.zip", zipped(t,
		member{"read me.txt", "Births, by sex.\nSee the notes.\n"},
		member{"folder/b.csv", births2},
		member{"folder/a.csv", births1},
		member{"__MACOSX/a.csv", "\x00\x05"},
	))
	if n := got.Observations; got.Series != 3 || n.Read != 5 || n.Stored != 4 || n.Dropped != 1 {
		t.Errorf("%+v, want the observations of both members, one of them doubled", got)
	}
	var kinds []string
	for _, n := range got.Notes {
		kinds = append(kinds, fmt.Sprint(n.Kind, " ", n.Example))
	}
	if text := strings.Join(kinds, "; "); !strings.Contains(text, "not-read read me.txt") || !strings.Contains(text, "doubled line 8, column 11 of folder/a.csv") {
		t.Errorf("notes %s", text)
	}
	other := strings.Replace(births1, "#dataset,", "#dataset,another-", 1)
	path := filepath.Join(t.TempDir(), "two.zip")
	if err := os.WriteFile(path, []byte(zipped(t, member{"a.csv", births1}, member{"b.csv", other})), 0o644); err != nil {
		t.Fatal(err)
	}
	im, err := importer.New(s, importer.Options{Accept: true}) // of births only a half is in it
	if err != nil {
		t.Fatal(err)
	}
	outcomes := im.Import(t.Context(), path)
	if len(outcomes) != 2 || outcomes[0].Status != importer.Updated || outcomes[1].Status != importer.Created {
		t.Errorf("%+v, want an outcome for each of two datasets", outcomes)
	}
}

// Members may be in gzip, and text in UTF-16, also without a byte order mark.
func TestPackedAndWide(t *testing.T) {
	wide := func(order unicode.Endianness, mark unicode.BOMPolicy) string {
		text, err := unicode.UTF16(order, mark).NewEncoder().String("country;year;value\nGermany;2022;738819\nFrance;2022;725997\n")
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	for name, content := range map[string]string{
		"gzip in zip":   zipped(t, member{"births.csv.gz", gzipped(t, births1)}),
		"big endian":    wide(unicode.BigEndian, unicode.UseBOM),
		"no mark":       wide(unicode.LittleEndian, unicode.IgnoreBOM),
		"no mark, big":  wide(unicode.BigEndian, unicode.IgnoreBOM),
		"wide and gzip": gzipped(t, wide(unicode.LittleEndian, unicode.UseBOM)),
	} {
		got := mustImport(t, openStore(t), importer.Options{}, "births.csv", content)
		if got.Observations.Stored != 2 {
			t.Errorf("%s: %+v, want two values", name, got)
		}
	}
}

// An error in an archive names the member, and nothing of the archive is stored.
func TestBadArchives(t *testing.T) {
	whole := zipped(t, member{"a.csv", births1})
	many := make([]member, 1001)
	for i := range many {
		many[i] = member{fmt.Sprintf("%d.csv", i), ""}
	}
	bomb := member{"bomb.csv", tidyHead + "sex,geo,TIME_PERIOD,OBS_VALUE\n" + strings.Repeat("T,DE,2022,738819\n", 300_000)}
	encrypted := []byte(whole)
	at := bytes.Index(encrypted, []byte("PK\x01\x02"))
	encrypted[at+8] |= 1
	cases := []struct{ name, content, wantError string }{
		{"cut off", whole[:len(whole)-30], "damaged or truncated"},
		{"no members", zipped(t), "contains no files"},
		{"too many members", zipped(t, many...), "1001 members"},
		{"a zip bomb", zipped(t, bomb), `bomb\.csv:\d+: .*more than 100 times`},
		{"a member with an error", zipped(t, member{"a.csv", births1}, member{"b.csv", births2 + "T,DE,2022,many\n"}), `b\.csv.*many`},
		{"members that contradict each other", zipped(t, member{"a.csv", births1}, member{"b.csv", strings.Replace(births2, "725997", "725998", 1)}), `conflicts with the value 725997 at line 8, column \d+ of a\.csv`},
		{"members with different structures", zipped(t, member{"a.csv", births1}, member{"b.csv", strings.ReplaceAll(births2, "sex,", "age,")}), "different structures"},
		{"an archive in the archive", zipped(t, member{"a.zip", whole}), `a\.zip:1:1: a zip archive is packed again: unpack the file`},
		{"gzip in gzip", gzipped(t, gzipped(t, births1)), "packed twice"},
		{"a data member of unknown format", zipped(t, member{"a.csv", births1}, member{"b.csv", "Country,Year,Value\nDE,2019,1\x00\n"}), `b\.csv:1:1: .*unknown file format: `},
		{"encrypted", string(encrypted), "encrypted"},
		{"overlapping members", overlapping(t), "overlap"},
		{"no data", zipped(t, member{"a.txt", "hello"}), "holds no data"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := openStore(t)
			got := importText(t, s, importer.Options{}, "births.zip", c.content)
			if got.Status != importer.Refused || !regexp.MustCompile(c.wantError).MatchString(got.Error) {
				t.Errorf("%s: %s; want status refused with the error %q", got.Status, got.Error, c.wantError)
			}
			if n := len(s.Catalog().Entries); n != 0 {
				t.Errorf("the catalogue has %d datasets, want none", n)
			}
		})
	}
}

// overlapping returns an archive of two members that share their bytes, as in a zip bomb:
// the second entry of the directory points to the first member.
func overlapping(t *testing.T) string {
	b := []byte(zipped(t, member{"a.csv", births1}, member{"b.csv", births1}))
	second := bytes.LastIndex(b, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(b[second+42:], 0)
	return string(b)
}

// A pipe is imported like a file, although it can be read only once.
func TestPipe(t *testing.T) {
	s := openStore(t)
	im, err := importer.New(s, importer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		w.WriteString(births1)
		w.Close()
	}()
	got := im.Import(t.Context(), fmt.Sprintf("/dev/fd/%d", r.Fd()))
	if len(got) != 1 || got[0].Status != importer.Created {
		t.Errorf("%+v, want the dataset of the pipe", got)
	}
}

// An interrupted import does not wait for a pipe that nothing writes to.
func TestPipeWithoutWriter(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	im, err := importer.New(openStore(t), importer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	got := im.Import(ctx, fmt.Sprintf("/dev/fd/%d", r.Fd()))
	if len(got) != 1 || !strings.Contains(got[0].Error, "interrupted") {
		t.Errorf("%+v, want one outcome that says interrupted", got)
	}
}

// Text in UTF-16, as spreadsheets save it, is read like any other: plain, compressed, or in
// an archive.
func TestUTF16(t *testing.T) {
	var b strings.Builder
	b.WriteString("\xff\xfe")
	for _, r := range births {
		b.Write([]byte{byte(r), byte(r >> 8)})
	}
	want := mustImport(t, openStore(t), importer.Options{}, "births.tsv", births)
	for name, content := range map[string]string{
		"births.tsv": b.String(), "births.tsv.gz": gzipped(t, b.String()), "births.zip": zipped(t, member{"births.tsv", b.String()}),
	} {
		got := mustImport(t, openStore(t), importer.Options{}, name, content)
		if got.Format != want.Format || got.Observations != want.Observations || got.Code != want.Code {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

// The geography of each member is found by its own codes. A member without values is skipped
// with a note.
func TestGeographyOfMembers(t *testing.T) {
	s := openStore(t)
	im, err := importer.New(s, importer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	table := func(dim string) string {
		return "#almanac-tidy,1\n#source,local,Local\n#dataset," + strings.ToLower(dim) + "\n#dimension," + dim + "\n" +
			dim + ",TIME_PERIOD,OBS_VALUE\nDE,2022,1\nFR,2022,2\n"
	}
	path := filepath.Join(t.TempDir(), "two.zip")
	archive := zipped(t, member{"r.csv", table("REPORTING")}, member{"q.csv", table("LAND")})
	if err := os.WriteFile(path, []byte(archive), 0o644); err != nil {
		t.Fatal(err)
	}
	got := im.Import(t.Context(), path)
	if len(got) != 2 {
		t.Fatalf("%+v, want two datasets", got)
	}
	for i, dim := range []string{"REPORTING", "LAND"} {
		if got[i].Status != importer.Created || noteOf(got[i], importer.NoteGeographyByCodes) != dim {
			t.Errorf("%+v, want the geography %s", got[i], dim)
		}
	}
}
