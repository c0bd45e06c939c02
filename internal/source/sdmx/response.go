package sdmx

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

	"almanac/internal/format/sdmx/structure"
	"almanac/internal/source"
	"almanac/internal/source/fetch"
)

// tooBigError reports that the response to a request would be too large.
type tooBigError struct{ message string }

func (e *tooBigError) Error() string {
	if e.message == "" {
		return "the office refused the response as too large"
	}
	return "the office returned the message: " + e.message
}

// responseSummary describes a response.
type responseSummary struct {
	observations int // lower bound; -1: not counted
	tooBig       bool
	failed       bool // the response is an error message
	text         string
	extension    string // file extension of its format
}

// classify classifies the codes of SDMX error messages and footers. The standard's own
// codes begin at 100; some offices use HTTP statuses instead.
func classify(code string) (noData, tooBig, failed bool) {
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

// tooBigWords matches messages of offices about a response that would be too large, for
// offices whose status does not show it. rateWords matches messages about too many
// requests, which are similar. They are compiled when needed, because that would take a
// tenth of the start of a command.
var (
	tooBigWords = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)too[ _](big|large|many (observations|rows|cells|series|values|records|data))|(exceed|more than|maximum|max|over|limit)[^.<]{0,60}(observation|row|cell|series|values|record|entries|size|data ?points|extraction|results)` +
			`|(size|observations|rows|cells|series|records|results|extraction|response)[^.<]{0,60}(exceed|limit|maximum|truncated)|truncated|asynchronous|will be (available|delivered|provided) (at|under|later)`)
	})
	rateWords = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)too many (requests|queries|calls|downloads)|rate.?limit|quota|(requests|queries|calls|downloads)[^.<]{0,40}(per|an|a) (second|minute|hour|day)`)
	})
)

func isTooBig(text string) bool {
	return tooBigWords().MatchString(text) && !rateWords().MatchString(text)
}

// refusalOf classifies an HTTP error: too large, no data, or any other error, which it
// returns.
func refusalOf(err error) (responseSummary, error) {
	var failure *fetch.Error
	if !errors.As(err, &failure) {
		return responseSummary{}, err
	}
	code, text := errorOf(failure.Body)
	noData, tooBig, _ := classify(code)
	isRefused := failure.Status >= 400 && failure.Status != http.StatusTooManyRequests
	switch {
	case failure.Reason == fetch.Missing, failure.Reason == fetch.Empty, isRefused && noData:
		return responseSummary{observations: 0}, nil
	case failure.Reason == fetch.TooBig, isRefused && (tooBig || isTooBig(text)):
		return responseSummary{tooBig: true, text: text, observations: -1}, nil
	}
	return responseSummary{}, err
}

// errorOf reads the beginning of an error's body: an SDMX message or text.
func errorOf(body []byte) (code, text string) {
	if bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))), []byte("<")) {
		answer := structure.ReadError(bytes.NewReader(body))
		if code = answer.Code; answer.Text != "" {
			return code, answer.Text
		}
	}
	return code, strings.Join(strings.Fields(string(body)), " ")
}

// isNotAcceptable reports whether the server does not support the requested media
// type.
func isNotAcceptable(err error) bool {
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

// summarize reads a response: its format, the number of its observations, and its
// footer.
func summarize(path string, answer fetch.Answer) (responseSummary, error) {
	head := bytes.TrimLeft(bytes.TrimPrefix(answer.Head, []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case len(head) == 0:
		return responseSummary{}, nil
	case head[0] == '<':
		return summarizeXML(path, head)
	case bytes.HasPrefix(head, []byte("PK")):
		return responseSummary{observations: -1, extension: ".zip"}, nil
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return responseSummary{observations: -1, extension: ".gz"}, nil
	case head[0] == '{' || head[0] == '[':
		summary := responseSummary{observations: -1, extension: ".json"}
		if answer.Size <= int64(len(answer.Head)) && !bytes.Contains(head, []byte(`"dataSets"`)) {
			summary.text = fetch.MessageIn(head)
			summary.tooBig = isTooBig(string(head))
			summary.failed = !summary.tooBig
		}
		return summary, nil
	}
	lines, err := source.CountLines(path)
	summary := responseSummary{observations: max(lines-1, 0), extension: ".csv"}
	first, _, _ := strings.Cut(string(head), "\n")
	if lines <= 3 && !strings.ContainsAny(first, ",;\t") || lines <= 3 && isTooBig(first) {
		summary.text = strings.TrimSpace(first)
		summary.tooBig = isTooBig(first)
		summary.failed = !summary.tooBig
	}
	return summary, err
}

var (
	errorRoot     = regexp.MustCompile(`^(?s:<\?.*?\?>\s*|<!--.*?-->\s*)*<(?:[\w.-]+:)?Error[\s>]`)
	footerPattern = regexp.MustCompile(`(?s)<(?:[\w.-]+:)?Footer[\s>].*`)
	footerCode    = regexp.MustCompile(`<(?:[\w.-]+:)?Message\b[^>]*\bcode=["'](\d+)["']`)
	tagPattern    = regexp.MustCompile(`<[^>]*>`)
)

// tailBytes is the number of bytes at the end of a message that are searched for a footer.
const tailBytes = 64 << 10

// summarizeXML reads an XML message.
func summarizeXML(path string, head []byte) (responseSummary, error) {
	summary := responseSummary{extension: ".xml"}
	if errorRoot.Match(head) {
		code, text := errorOf(head)
		summary.text = text
		noData, tooBig, failed := classify(code)
		summary.tooBig = tooBig || isTooBig(text)
		summary.failed = failed && !summary.tooBig && !noData
		return summary, nil
	}
	n, err := countObservations(path)
	if err != nil {
		return summary, err
	}
	summary.observations = n
	tail, err := readEnd(path)
	if err != nil {
		return summary, err
	}
	footer := footerPattern.FindString(tail)
	if footer == "" {
		return summary, nil
	}
	summary.text = strings.Join(strings.Fields(tagPattern.ReplaceAllString(footer, " ")), " ")
	summary.tooBig = isTooBig(summary.text)
	for _, match := range footerCode.FindAllStringSubmatch(footer, -1) {
		noData, tooBig, failed := classify(match[1])
		summary.tooBig = summary.tooBig || tooBig
		// A footer after data is only a remark.
		summary.failed = summary.failed || failed && !noData && n == 0
	}
	summary.failed = summary.failed && !summary.tooBig
	return summary, nil
}

// readEnd returns the last tailBytes bytes of a file.
func readEnd(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	if _, err := file.Seek(max(info.Size()-tailBytes, 0), io.SeekStart); err != nil {
		return "", err
	}
	tail, err := io.ReadAll(file)
	return string(tail), err
}

// countObservations counts the Obs elements of a message.
func countObservations(path string) (int, error) {
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

// dataSetPattern matches the start tag of the first data set, after the header.
var dataSetPattern = regexp.MustCompile(`<(?:[\w.-]+:)?DataSet[\s>][^>]*>?`)

// digestOf returns the SHA-256 of a message after the start tag of its first data set,
// which may contain the time of the response.
func digestOf(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, tailBytes)
	head, err := in.Peek(tailBytes)
	if err != nil && err != io.EOF {
		return "", err
	}
	if at := dataSetPattern.FindIndex(head); at != nil {
		_, _ = in.Discard(at[1])
	}
	digest := sha256.New()
	if _, err := io.Copy(digest, in); err != nil {
		return "", err
	}
	return hex.EncodeToString(digest.Sum(nil)), nil
}
