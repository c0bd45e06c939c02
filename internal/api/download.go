package api

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"almanac/internal/access"
	"almanac/internal/request"
	"almanac/internal/store"
)

// datasetFile replies with the Parquet file in which a version of a dataset is stored.
func (x *exchange) datasetFile() (*reply, error) {
	p, err := bind[request.Stored](x)
	if err != nil {
		return nil, err
	}
	v, err := x.vintage(p.Edition)
	if err != nil {
		return nil, err
	}
	if err := checkBulk(v, true); err != nil {
		return nil, err
	}
	if p.DryRun {
		return x.storedSize(v, insteadNotice(v, p.Edition))
	}
	file, err := v.File()
	if err != nil {
		return nil, err
	}
	x.describeFile(v, insteadNotice(v, p.Edition))
	x.w.Header()["Content-Disposition"] = []string{attachment(v, "dataset.parquet")}
	return &reply{contentType: []string{parquetForm.mediaType}, tag: tag(file.Digest[:]), modified: baseOf(v).modified, download: file}, nil
}

// storedSize replies with the size of the file in which a version is stored. It does not read the values.
func (x *exchange) storedSize(v *store.Vintage, notices []request.Notice) (*reply, error) {
	length, rows, err := v.FileSize()
	if err != nil {
		return nil, err
	}
	x.describeFile(v, notices)
	x.w.Header()["Content-Disposition"] = []string{"inline"}
	base := baseOf(v)
	n := size{series: v.Series, rows: rows, observations: v.Observations, bytes: length, isExact: true}
	rest := appendNotices(append([]byte(`,"meta":`), base.meta.plain...), notices)
	return &reply{tag: base.tag("size of the file", notices...), modified: base.modified, body: newBody(n.appendTo(nil, rest))}, nil
}

// sendDownload sends a file or the ranges of it that the caller asks for, without a content
// coding, so that the kernel can copy it to the connection.
func (x *exchange) sendDownload(rep *reply) error {
	file := rep.download
	defer file.Close()
	h, etag := x.w.Header(), rep.tag.etag(identity)
	h["Etag"] = []string{etag}
	h["Cache-Control"] = x.revalidate()
	h["Last-Modified"] = rep.modified.header
	if notModified(x.r.Header, etag, rep.modified.at) {
		x.begin(http.StatusNotModified)
		return nil
	}
	if err := x.admit(); err != nil {
		return err
	}
	delete(h, "Vary") // the bytes are the same for everybody who may have them
	h["Repr-Digest"] = []string{"sha-256=:" + base64.StdEncoding.EncodeToString(file.Digest[:]) + ":"}
	err := x.sendRanges(rep, file.Reader(), file.Size)
	if err != nil {
		delete(h, "Repr-Digest")
	}
	return err
}

// sendRanges sends the ranges of a file that the caller asks for, or all of it.
func (x *exchange) sendRanges(rep *reply, file io.ReadSeeker, size int64) error {
	h := x.w.Header()
	h["Etag"] = []string{rep.tag.etag(identity)}
	h["Content-Type"] = rep.mediaType()
	w := &downloadWriter{exchange: x}
	http.ServeContent(w, x.r, "", x.dateOf(rep), file)
	if w.refused != 0 {
		delete(h, "X-Content-Type-Options") // of the error in plain text
	}
	switch w.refused {
	case 0:
		x.api.downloads.begin(x.downloadKey(), x.api.opts.Now())
		return nil
	case http.StatusPreconditionFailed:
		return &refusal{w.refused, "the file is another one than If-Match or If-Unmodified-Since demands"}
	}
	return &refusal{w.refused, fmt.Sprintf("the header Range must ask for bytes that the file has, such as bytes=0-99; it has %d bytes", size)}
}

// downloadWriter settles the count when the status is known. It leaves the body of errors to
// fail.
type downloadWriter struct {
	*exchange
	refused int // the status of an error
}

func (w *downloadWriter) Header() http.Header { return w.w.Header() }

// WriteHeader begins the response, unless the status is an error.
func (w *downloadWriter) WriteHeader(status int) {
	if status >= http.StatusBadRequest {
		w.refused = status
		return
	}
	w.begin(status)
}

// Write writes a part of the file.
func (w *downloadWriter) Write(bytes []byte) (int, error) {
	if w.refused != 0 {
		return len(bytes), nil
	}
	return w.w.Write(bytes)
}

// ReadFrom lets the connection copy from the file in the kernel.
func (w *downloadWriter) ReadFrom(file io.Reader) (int64, error) { return io.Copy(w.w, file) }

// downloads remembers who has begun to read which file. Programs such as DuckDB read a file in
// many small requests for ranges of it, of which only the first counts against the limit.
type downloads struct {
	mu    sync.Mutex
	begun map[downloadKey]time.Time
}

type downloadKey struct {
	caller  access.Caller
	address string
}

// continuedFor is how long requests for ranges of a file belong to the download that a counted
// request began.
const continuedFor = time.Hour

// maxDownloads bounds the memory for downloads to some megabytes. If there are more, all are
// forgotten, and their next requests count again.
const maxDownloads = 10_000

func (d *downloads) begin(key downloadKey, now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if now.Sub(d.begun[key]) < continuedFor {
		return
	}
	if d.begun == nil || len(d.begun) >= maxDownloads {
		d.begun = map[downloadKey]time.Time{}
	}
	d.begun[key] = now
}

func (d *downloads) isBegun(key downloadKey, now time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return now.Sub(d.begun[key]) < continuedFor
}

func (x *exchange) downloadKey() downloadKey {
	if x.link != nil {
		return downloadKey{x.caller, "link " + x.link.ID} // the request is one for the selection later
	}
	return downloadKey{x.caller, x.r.URL.Path + "?" + x.r.URL.RawQuery}
}

// continuesDownload reports whether a request reads a range of a file of which the caller has
// begun to read. It does not count.
func (x *exchange) continuesDownload() bool {
	return x.route.inRanges && x.r.Header["Range"] != nil && x.api.downloads.isBegun(x.downloadKey(), x.api.opts.Now())
}
