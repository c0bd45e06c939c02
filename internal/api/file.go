package api

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"almanac/internal/access"
	"almanac/internal/encode"
	jsonform "almanac/internal/encode/json"
	"almanac/internal/licence"
	"almanac/internal/request"
	"almanac/internal/stat"
	"almanac/internal/store"
	"almanac/internal/transform"
)

// writeForm writes a table in a form, as package encode describes.
type writeForm = func(io.Writer, *encode.Table, encode.Options) error

// file replies with a part of a dataset in a form. The query runs when send calls encode.
func (x *exchange) file(f *form) (*reply, error) {
	p, o, invalid := f.bind(x.r.URL.RawQuery)
	if invalid == nil && !p.Flags && x.r.URL.Query().Has("flags") {
		invalid = stat.Errorf(stat.Invalid, "parameter flags must be true or left out: %s of data always has flags", f.name)
	}
	p.Flags, p.Codes = true, true
	sel, err := x.selected(&p, invalid)
	if err != nil {
		return nil, err
	}
	x.describeFile(sel.vintage, sel.notices)
	o.ISOPeriods = p.ISOPeriods
	// The bytes may contain the address, so equal queries of different addresses are different.
	address := x.fileAddress(sel, f)
	t := sel.tag(fmt.Sprintf("%s %v %s", f.extension, o, address))
	if p.DryRun {
		x.w.Header()["Content-Disposition"] = []string{"inline"}
		return &reply{tag: tagOf(append(t[:], "dry run"...)), modified: sel.modified(), encode: func(s *stream) error { return x.writeFileSize(s, sel, f, o) }}, nil
	}
	x.w.Header()["Content-Disposition"] = []string{attachment(sel.vintage, shapeOf(o)+f.extension)}
	write := func(s *stream) error {
		derived, err := x.selectFile(sel)
		if err != nil {
			return err
		}
		return f.write(&streamWriter{s}, x.table(sel, derived, address), o)
	}
	return &reply{tag: t, modified: sel.modified(), contentType: f.header(), encode: write, isKept: sel.isWhole(), inRanges: x.route.inRanges, isPacked: f.isPacked}, nil
}

// selectFile returns what a selection selects, of which no block is read yet. The header X-Notice gets all
// notices that the response in JSON has. Derived values are derived twice, because only then it is known
// before the first byte how many are left out.
func (x *exchange) selectFile(sel *selection) (*transform.Derived, error) {
	derived, err := sel.derive.Select(x.r.Context(), sel.vintage, sel.query)
	if err != nil {
		return nil, err
	}
	if sel.derive.IsZero() {
		blocks := derived.Blocks
		derived.Blocks = func(yield func(*stat.Block, error) bool) {
			isEmpty := true
			for b, err := range blocks {
				if isEmpty = false; !yield(b, err) {
					return
				}
			}
			if isEmpty { // nothing is sent yet
				x.w.Header()["X-Notice"] = noticeHeaders(sel.allNotices(derived, true))
			}
		}
		return derived, nil
	}
	isEmpty := true
	for _, err := range derived.Blocks {
		if err != nil {
			return nil, err
		}
		isEmpty = false
	}
	x.w.Header()["X-Notice"] = noticeHeaders(sel.allNotices(derived, isEmpty))
	return sel.derive.Select(x.r.Context(), sel.vintage, sel.query)
}

// describeFile sets the headers that say what not every form has a place for: where the metadata
// and the licence are, and notices.
func (x *exchange) describeFile(v *store.Vintage, notices []request.Notice) {
	h := x.w.Header()
	h["Link"] = []string{"<" + x.api.opts.BaseURL + "/api/datasets/" + strconv.Itoa(v.Dataset.ID) + `/meta>; rel="describedby"`}
	if l, _ := licence.For(jsonform.LicenceOf(v)); l.Terms() != "" {
		h["Link"] = append(h["Link"], "<"+l.Terms()+`>; rel="license"`)
	}
	h["X-Notice"] = noticeHeaders(notices)
}

// maxNoticeBytes bounds the notices in headers, since programs and proxies refuse headers of more than
// a few kilobytes.
const maxNoticeBytes = 2000

// noticeHeaders returns the values of the header X-Notice: the first notices, in quotes, and how many
// others there are. Of none it is nil.
func noticeHeaders(notices []request.Notice) (values []string) {
	bytes := 0
	for i, n := range notices {
		text := strconv.QuoteToASCII(access.Redact(encode.Notice(n).String()))
		if bytes += len(text); bytes > maxNoticeBytes {
			return append(values, fmt.Sprintf(`"%d more notices are in the response as JSON"`, len(notices)-i))
		}
		values = append(values, text)
	}
	return values
}

// table returns what a form writes of a selection that can be read again at an address.
func (x *exchange) table(sel *selection, derived *transform.Derived, address string) *encode.Table {
	l, _ := licence.For(jsonform.LicenceOf(sel.vintage))
	return &encode.Table{
		Vintage: sel.vintage, Extract: derived.Extract, Transform: sel.derive.Identity(), Licence: l,
		Address: address, Versions: x.api.opts.BaseURL + "/api/datasets/" + strconv.Itoa(sel.vintage.Dataset.ID) + "/versions",
		Again: func() (iter.Seq2[*stat.Block, error], error) {
			again, err := sel.derive.Select(x.r.Context(), sel.vintage, sel.query)
			if err != nil {
				return nil, err
			}
			return again.Extract.Blocks, nil
		},
		Notices: func(isEmpty bool) []encode.Notice {
			var notices []encode.Notice
			for _, n := range sel.allNotices(derived, isEmpty) {
				n.Value, n.Message = access.Redact(n.Value), access.Redact(n.Message)
				notices = append(notices, encode.Notice(n))
			}
			return notices
		},
	}
}

// maxAddress is the length in bytes of the longest address of a file that is stated: servers and proxies refuse longer
// ones. Selections of POST may have one.
const maxAddress = 8000

// fileAddress returns where the file of a selection in a form can be read again with the same bytes, without
// headers and after other versions were published; empty if the address were too long.
func (x *exchange) fileAddress(sel *selection, f *form) string {
	path := x.r.URL.EscapedPath()
	if strings.HasSuffix(path, "/data") {
		path += "." + f.extension
	}
	memory := make([]byte, 0, len(x.api.opts.BaseURL)+len(path)+len(x.r.URL.RawQuery)+100) // mostly enough
	address := append(append(append(memory, x.api.opts.BaseURL...), path...), '?')
	for pair := range strings.SplitSeq(x.r.URL.RawQuery, "&") {
		if name, _, _ := strings.Cut(pair, "="); pair != "" && name != "version" && name != "as_of" && name != "dry_run" {
			address = append(append(address, pair...), '&')
		}
	}
	v := sel.vintage
	if sel.params.Lang == "" && v.Languages() != nil && v.Dataset.Language != "" { // Accept-Language has chosen it
		address = append(append(append(address, "lang="...), v.Dataset.Language...), '&')
	}
	if by := sel.derive.Population; by != nil && !by.AsOf.IsZero() && sel.params.Version == "" {
		address = append(address, "as_of="+by.AsOf.UTC().Format(time.RFC3339Nano)...)
	} else {
		address = append(append(address, "version="...), v.Version...)
	}
	if len(address) > maxAddress {
		return ""
	}
	return access.Redact(string(address))
}

// shapeOf returns what the name of a file has before its extension, so that files of one dataset in several shapes do not have one name.
func shapeOf(o encode.Options) string {
	if o.Wide == "" {
		return ""
	}
	return "wide-" + string(o.Wide) + "."
}

// attachment returns the header Content-Disposition of a file: its name in ASCII, and with all letters
// of the office and the code (RFC 6266) if that is another one.
func attachment(v *store.Vintage, extension string) string {
	d := v.Dataset
	inASCII := func(r rune) bool { return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
	inAny := func(r rune) bool { return unicode.In(r, unicode.Letter, unicode.Mark, unicode.Digit) }
	source, plain := fileName(d.Source.ID, inASCII), cmp.Or(fileName(d.Code, inASCII), strconv.Itoa(d.ID))
	if source != "" {
		plain = source + "-" + plain
	}
	header := `attachment; filename="` + plain + "." + extension + `"`
	full := fileName(d.Source.ID, inAny) + "-" + fileName(d.Code, inAny)
	if fileName(d.Code, inAny) != "" && full != plain {
		header += "; filename*=UTF-8''" + url.PathEscape(full+"."+extension)
	}
	return header
}

// fileName returns the code of a dataset with one hyphen in place of the characters between
// those of names; empty if it has none of these.
func fileName(code string, isKept func(rune) bool) string {
	var name []rune
	for _, r := range code {
		switch {
		case isKept(r), r == '_', r == '.':
			name = append(name, r)
		case len(name) > 0 && name[len(name)-1] != '-':
			name = append(name, '-')
		}
	}
	text := strings.Trim(string(name), "-.")
	if !strings.ContainsFunc(text, isKept) {
		return ""
	}
	return text
}

// streamWriter sends what a form writes: whole chunks as they are, without copying them to the
// buffer of the stream.
type streamWriter struct{ *stream }

func (w *streamWriter) Write(bytes []byte) (int, error) {
	if len(w.Buf) == 0 && len(bytes) >= jsonform.ChunkSize {
		defer func(own []byte) { w.Buf = own }(w.Buf)
		w.Buf = bytes
		return len(bytes), w.Flush()
	}
	w.Buf = append(w.Buf, bytes...)
	return len(bytes), w.Flush()
}
