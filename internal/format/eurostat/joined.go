package eurostat

import (
	"bytes"
	"context"
	"io"
	"iter"
	"regexp"

	"almanac/internal/format"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Files of 2020 and before that were downloaded as CSV are tables with other signs: a
// semicolon between the parts of a key, and a comma between cells.
//
//	freq;iccs;unit;geo\TIME_PERIOD,2008 ,2009
//	A;ICCS0101;NR;AL,88 ,82

var joinedKey = regexp.MustCompile(`^[a-z0-9_]+(;[a-z0-9_]+)+\\(TIME_PERIOD|time|TIME)$`)

func recogniseJoined(_ string, head []byte) bool {
	head = bytes.TrimPrefix(head, text.ByteOrderMark)
	end := bytes.IndexByte(head, ',')
	return end > 0 && joinedKey.Match(head[:end])
}

// readJoined reads such a file as a table with the usual signs.
func readJoined(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	in.Data = usualSigns{in.Data}
	if again := in.Again; again != nil {
		in.Again = func() (io.ReadCloser, error) {
			file, err := again()
			if err != nil {
				return nil, err
			}
			return struct {
				io.Reader
				io.Closer
			}{usualSigns{file}, file}, nil
		}
	}
	return read(ctx, in)
}

// usualSigns replaces the signs of a joined file by those of tables. A file has no other
// commas or semicolons: its cells are codes, numbers and flags.
type usualSigns struct{ from io.Reader }

func (u usualSigns) Read(p []byte) (int, error) {
	n, err := u.from.Read(p)
	for i, b := range p[:n] {
		switch b {
		case ',':
			p[i] = '\t'
		case ';':
			p[i] = ','
		}
	}
	return n, err
}
