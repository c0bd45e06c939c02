package source

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"

	"almanac/internal/format/sdmx/structure"
	"almanac/internal/source/fetch"
)

// sdmxTooBig reports that the response to a request would be too large.
type sdmxTooBig struct{ message string }

func (e *sdmxTooBig) Error() string {
	if e.message == "" {
		return "the office refused the response as too large"
	}
	return "the office returned the message: " + e.message
}

// sdmxSummary describes a response.
type sdmxSummary struct {
	observations int // lower bound; -1: not counted
	tooBig       bool
	failed       bool // the response is an error message
	text         string
	extension    string // file extension of its format
}

// sdmxClassify classifies the codes of SDMX error messages and footers. The standard's own
// codes begin at 100; some offices use HTTP statuses instead.
func sdmxClassify(code string) (noData, tooBig, failed bool) {
	switch code {
	case "100", "404":
		noData = true
	case "130", "413", "510":
		tooBig = true
	default:
		failed = true
	}
	return noData, tooBig, failed
}

// sdmxTooBigWords matches messages of offices about a response that would be too large, for
// offices whose status does not show it. sdmxRateWords matches messages about too many
// requests, which are similar. They are compiled when needed, because that would take a
// tenth of the start of a command.
var (
	sdmxTooBigWords = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)too[ _](big|large|many (observations|rows|cells|series|values|records|data))|(exceed|more than|maximum|max|over|limit)[^.<]{0,60}(observation|row|cell|series|values|record|entries|size|data ?points|extraction|results)` +
			`|(size|observations|rows|cells|series|records|results|extraction|response)[^.<]{0,60}(exceed|limit|maximum|truncated)|truncated|asynchronous|will be (available|delivered|provided) (at|under|later)`)
	})
	sdmxRateWords = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)too many (requests|queries|calls|downloads)|rate.?limit|quota|(requests|queries|calls|downloads)[^.<]{0,40}(per|an|a) (second|minute|hour|day)`)
	})
)

func sdmxIsTooBig(text string) bool {
	return sdmxTooBigWords().MatchString(text) && !sdmxRateWords().MatchString(text)
}

// sdmxRefusal classifies an HTTP error: too large, no data, or any other error, which it
// returns.
func sdmxRefusal(err error) (sdmxSummary, error) {
	var failure *fetch.Error
	if !errors.As(err, &failure) {
		return sdmxSummary{}, err
	}
	code, text := sdmxErrorOf(failure.Body)
	noData, tooBig, _ := sdmxClassify(code)
	isRefused := failure.Status >= 400 && failure.Status != http.StatusTooManyRequests
	switch {
	case failure.Reason == fetch.Missing, failure.Reason == fetch.Empty, isRefused && noData:
		return sdmxSummary{observations: 0}, nil
	case failure.Reason == fetch.TooBig, isRefused && (tooBig || sdmxIsTooBig(text)):
		return sdmxSummary{tooBig: true, text: text, observations: -1}, nil
	}
	return sdmxSummary{}, err
}

// sdmxErrorOf reads the beginning of an error's body: an SDMX message or text.
func sdmxErrorOf(body []byte) (code, text string) {
	if bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))), []byte("<")) {
		answer := structure.ReadError(bytes.NewReader(body))
		if code = answer.Code; answer.Text != "" {
			return code, answer.Text
		}
	}
	return code, strings.Join(strings.Fields(string(body)), " ")
}

// sdmxNotAcceptable reports whether the server does not support the requested media
// type.
func sdmxNotAcceptable(err error) bool {
	var failure *fetch.Error
	if !errors.As(err, &failure) {
		return false
	}
	switch failure.Status {
	case http.StatusNotAcceptable, http.StatusUnsupportedMediaType, http.StatusNotImplemented:
		return true
	}
	return false
}

// sdmxSummarize reads a response: its format, the number of its observations, and its
// footer.
func sdmxSummarize(path string, answer fetch.Answer) (sdmxSummary, error) {
	head := bytes.TrimLeft(bytes.TrimPrefix(answer.Head, []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case len(head) == 0:
		return sdmxSummary{}, nil
	case head[0] == '<':
		return sdmxSummarizeXML(path, head)
	case bytes.HasPrefix(head, []byte("PK")):
		return sdmxSummary{observations: -1, extension: ".zip"}, nil
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return sdmxSummary{observations: -1, extension: ".gz"}, nil
	case head[0] == '{' || head[0] == '[':
		summary := sdmxSummary{observations: -1, extension: ".json"}
		if answer.Size <= int64(len(answer.Head)) && !bytes.Contains(head, []byte(`"dataSets"`)) {
			summary.text = fetch.MessageIn(head)
			summary.tooBig = sdmxIsTooBig(string(head))
			summary.failed = !summary.tooBig
		}
		return summary, nil
	}
	lines, err := CountLines(path)
	summary := sdmxSummary{observations: max(lines-1, 0), extension: ".csv"}
	first, _, _ := strings.Cut(string(head), "\n")
	if lines <= 3 && !strings.ContainsAny(first, ",;\t") || lines <= 3 && sdmxIsTooBig(first) {
		summary.text = strings.TrimSpace(first)
		summary.tooBig = sdmxIsTooBig(first)
		summary.failed = !summary.tooBig
	}
	return summary, err
}

var (
	sdmxErrorRoot  = regexp.MustCompile(`^(?s:<\?.*?\?>\s*|<!--.*?-->\s*)*<(?:[\w.-]+:)?Error[\s>]`)
	sdmxFooter     = regexp.MustCompile(`(?s)<(?:[\w.-]+:)?Footer[\s>].*`)
	sdmxFooterCode = regexp.MustCompile(`<(?:[\w.-]+:)?Message\b[^>]*\bcode=["'](\d+)["']`)
	sdmxTags       = regexp.MustCompile(`<[^>]*>`)
)

// sdmxTail is the number of bytes at the end of a message that are searched for a footer.
const sdmxTail = 64 << 10

// sdmxSummarizeXML reads an XML message.
func sdmxSummarizeXML(path string, head []byte) (sdmxSummary, error) {
	summary := sdmxSummary{extension: ".xml"}
	if sdmxErrorRoot.Match(head) {
		code, text := sdmxErrorOf(head)
		summary.text = text
		noData, tooBig, failed := sdmxClassify(code)
		summary.tooBig = tooBig || sdmxIsTooBig(text)
		summary.failed = failed && !summary.tooBig && !noData
		return summary, nil
	}
	n, err := sdmxObservations(path)
	if err != nil {
		return summary, err
	}
	summary.observations = n
	tail, err := sdmxEnd(path)
	if err != nil {
		return summary, err
	}
	footer := sdmxFooter.FindString(tail)
	if footer == "" {
		return summary, nil
	}
	summary.text = strings.Join(strings.Fields(sdmxTags.ReplaceAllString(footer, " ")), " ")
	summary.tooBig = sdmxIsTooBig(summary.text)
	for _, match := range sdmxFooterCode.FindAllStringSubmatch(footer, -1) {
		noData, tooBig, failed := sdmxClassify(match[1])
		summary.tooBig = summary.tooBig || tooBig
		// A footer after data is only a remark.
		summary.failed = summary.failed || failed && !noData && n == 0
	}
	summary.failed = summary.failed && !summary.tooBig
	return summary, nil
}

// sdmxEnd returns the last sdmxTail bytes of a file.
func sdmxEnd(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	if _, err := file.Seek(max(info.Size()-sdmxTail, 0), io.SeekStart); err != nil {
		return "", err
	}
	tail, err := io.ReadAll(file)
	return string(tail), err
}

// sdmxObservations counts the Obs elements of a message.
func sdmxObservations(path string) (int, error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, 256<<10)
	for n := 0; ; {
		piece, err := in.ReadSlice('>')
		tag := piece[bytes.LastIndexByte(piece, '<')+1:]
		name := tag[:len(tag)-len(bytes.TrimLeftFunc(tag, func(r rune) bool { return !strings.ContainsRune(" \t\r\n/>", r) }))]
		if string(name[bytes.IndexByte(name, ':')+1:]) == "Obs" && len(tag) < len(piece) {
			n++
		}
		if err == io.EOF {
			return n, nil
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return n, err
		}
	}
}

// sdmxDataSet matches the start tag of the first data set, after the header.
var sdmxDataSet = regexp.MustCompile(`<(?:[\w.-]+:)?DataSet[\s>][^>]*>?`)

// sdmxDigest returns the SHA-256 of a message after the start tag of its first data set,
// which may contain the time of the response.
func sdmxDigest(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, sdmxTail)
	head, err := in.Peek(sdmxTail)
	if err != nil && err != io.EOF {
		return "", err
	}
	if at := sdmxDataSet.FindIndex(head); at != nil {
		_, _ = in.Discard(at[1])
	}
	digest := sha256.New()
	if _, err := io.Copy(digest, in); err != nil {
		return "", err
	}
	return hex.EncodeToString(digest.Sum(nil)), nil
}

func (s *sdmx) pause() time.Duration { return time.Duration(s.Pause) }
