package importer

import (
	"archive/zip"
	"cmp"
	"compress/flate"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	kflate "github.com/klauspost/compress/flate"

	"almanac/internal/stat"
)

// Limits for an archive. Real packages have about a dozen members.
const (
	maxMembers = 1000
	maxMember  = 512 << 20 // bytes of one unpacked member
	maxArchive = 1 << 30   // bytes of all unpacked members, as declared
)

// openArchive lists the members of a zip archive. isArchive is false if the zip
// file is a workbook.
func openArchive(raw rawFile) (members []content, isArchive bool, err error) {
	z, err := zip.NewReader(raw.at, raw.size)
	if err != nil {
		return nil, true, stat.BadFile(start, "the zip archive is damaged or truncated: %v", err)
	}
	z.RegisterDecompressor(zip.Deflate, func(r io.Reader) io.ReadCloser { return kflate.NewReader(r) })
	if slices.ContainsFunc(z.File, func(m *zip.File) bool { return m.Name == "xl/workbook.xml" }) {
		return nil, false, nil
	}
	if err := checkArchive(z.File); err != nil {
		return nil, true, err
	}
	for _, m := range z.File {
		if m.FileInfo().IsDir() || strings.HasPrefix(path.Base(m.Name), ".") || strings.HasPrefix(m.Name, "__MACOSX/") {
			continue
		}
		c := content{name: path.Base(m.Name), member: m.Name}
		c.open = func() (io.ReadCloser, error) { return openMember(m) }
		if err := c.readHead(); err != nil {
			return nil, true, inMember(m.Name, err)
		}
		members = append(members, c)
	}
	if len(members) == 0 {
		return nil, true, stat.BadFile(start, "the zip archive contains no files")
	}
	return members, true, nil
}

// checkArchive refuses archives that are encrypted, malformed or zip bombs.
func checkArchive(files []*zip.File) error {
	if len(files) > maxMembers {
		return stat.BadFile(start, "the zip archive has %d members; at most %d are read: unpack it and import the files in it", len(files), maxMembers)
	}
	var total uint64
	type span struct{ first, end int64 }
	var spans []span
	for _, m := range files {
		if m.Flags&1 != 0 {
			return stat.BadFile(start, "%s in the zip archive is encrypted: unpack it and import the files in it", m.Name)
		}
		if !m.Mode().IsRegular() && !m.Mode().IsDir() {
			return stat.BadFile(start, "%s in the zip archive is a link or a device, not a file", m.Name)
		}
		if total += m.UncompressedSize64; total > maxArchive || m.UncompressedSize64 > maxArchive {
			return stat.BadFile(start, "the zip archive unpacks to more than %d MiB: unpack it and import the files in it", maxArchive>>20)
		}
		first, err := m.DataOffset()
		if err != nil {
			return stat.BadFile(start, "the zip archive is damaged at %s: %v", m.Name, err)
		}
		spans = append(spans, span{first, first + int64(m.CompressedSize64)})
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.first, b.first) })
	for i := 1; i < len(spans); i++ {
		if spans[i].first < spans[i-1].end {
			return stat.BadFile(start, "members of the zip archive overlap, which a valid archive never has")
		}
	}
	return nil
}

func openMember(m *zip.File) (io.ReadCloser, error) {
	r, err := m.Open()
	if err != nil {
		return nil, zipError(err)
	}
	return readCloser{&bounded{Reader: r, explain: zipError, packed: int64(m.CompressedSize64), most: maxMember}, r}, nil
}

func zipError(err error) error {
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, zip.ErrAlgorithm):
		return errors.New("the compression method is not supported: unpack the archive and import the files in it")
	case errors.Is(err, zip.ErrChecksum), errors.Is(err, zip.ErrFormat), errors.As(err, &corrupt), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the zip archive is damaged: " + err.Error())
	}
	return err
}

// inMember adds the name of an archive's member to an error.
func inMember(member string, err error) error {
	var at *stat.FileError
	if errors.As(err, &at) && at.File == "" {
		at.File = member
	}
	return err
}
