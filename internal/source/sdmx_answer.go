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
type sdmxTooBig struct{ said string }

func (e *sdmxTooBig) Error() string {
	if e.said == "" {
		return "the office refused the response as too large"
	}
	return "the office returned the message: " + e.said
}

// sdmxSaid is what a response says, as far as it matters here.
type sdmxSaid struct {
	observations int // lower bound; -1: not counted
	tooBig       bool
	failed       bool // it is an error message
	text         string
	ending       string // file extension of its format
}

// sdmxCode classifies the codes of SDMX error messages and footers. The standard's own
// codes begin at 100; some offices write HTTP statuses.
func sdmxCode(code string) (nothing, tooBig, failed bool) {
	switch code {
	case "100", "404":
		nothing = true
	case "130", "413", "510":
		tooBig = true
	default:
		failed = true
	}
	return nothing, tooBig, failed
}

// sdmxBigWords matches how offices say that a response would be too large if the status
// does not say it. sdmxOftenWords matches messages about too many requests, which are
// similar. Compiling them takes a tenth of the start of a command.
var (
	sdmxBigWords = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)too[ _](big|large|many (observations|rows|cells|series|values|records|data))|(exceed|more than|maximum|max|over|limit)[^.<]{0,60}(observation|row|cell|series|values|record|entries|size|data ?points|extraction|results)` +
			`|(size|observations|rows|cells|series|records|results|extraction|response)[^.<]{0,60}(exceed|limit|maximum|truncated)|truncated|asynchronous|will be (available|delivered|provided) (at|under|later)`)
	})
	sdmxOftenWords = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)too many (requests|queries|calls|downloads)|rate.?limit|quota|(requests|queries|calls|downloads)[^.<]{0,40}(per|an|a) (second|minute|hour|day)`)
	})
)

func sdmxSaysTooBig(text string) bool {
	return sdmxBigWords().MatchString(text) && !sdmxOftenWords().MatchString(text)
}

// sdmxRefusal classifies an HTTP error: too large, no data, or any other error.
func sdmxRefusal(err error) (sdmxSaid, error) {
	var failure *fetch.Error
	if !errors.As(err, &failure) {
		return sdmxSaid{}, err
	}
	code, text := sdmxErrorOf(failure.Body)
	nothing, tooBig, _ := sdmxCode(code)
	answered := failure.Status >= 400 && failure.Status != http.StatusTooManyRequests
	switch {
	case failure.Reason == fetch.Missing, answered && nothing:
		return sdmxSaid{observations: 0}, nil
	case failure.Reason == fetch.TooBig, answered && (tooBig || sdmxSaysTooBig(text)):
		return sdmxSaid{tooBig: true, text: text, observations: -1}, nil
	}
	return sdmxSaid{}, err
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

// sdmxNotAcceptable reports whether the office does not support the requested media
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

// sdmxLook reads a response: its format, whether it contains data, how many
// observations, and its footer.
func sdmxLook(path string, answer fetch.Answer) (sdmxSaid, error) {
	head := bytes.TrimLeft(bytes.TrimPrefix(answer.Head, []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case len(head) == 0:
		return sdmxSaid{}, nil
	case head[0] == '<':
		return sdmxLookXML(path, head)
	case bytes.HasPrefix(head, []byte("PK")):
		return sdmxSaid{observations: -1, ending: ".zip"}, nil
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return sdmxSaid{observations: -1, ending: ".gz"}, nil
	case head[0] == '{' || head[0] == '[':
		said := sdmxSaid{observations: -1, ending: ".json"}
		if answer.Size < int64(len(answer.Head))+1 && sdmxSaysTooBig(string(head)) {
			said.tooBig, said.text = true, strings.TrimSpace(string(head))
		}
		return said, nil
	}
	lines, err := sdmxLines(path)
	said := sdmxSaid{observations: max(lines-1, 0), ending: ".csv"}
	first, _, _ := strings.Cut(string(head), "\n")
	if lines <= 3 && !strings.ContainsAny(first, ",;\t") || lines <= 3 && sdmxSaysTooBig(first) {
		said.text = strings.TrimSpace(first)
		said.tooBig = sdmxSaysTooBig(first)
		said.failed = !said.tooBig
	}
	return said, err
}

var (
	sdmxErrorRoot  = regexp.MustCompile(`^(?s:<\?.*?\?>\s*|<!--.*?-->\s*)*<(?:[\w.-]+:)?Error[\s>]`)
	sdmxFooter     = regexp.MustCompile(`(?s)<(?:[\w.-]+:)?Footer[\s>].*`)
	sdmxFooterCode = regexp.MustCompile(`<(?:[\w.-]+:)?Message\b[^>]*\bcode=["'](\d+)["']`)
	sdmxTags       = regexp.MustCompile(`<[^>]*>`)
)

// sdmxTail is how much of the end of a message is searched for a footer.
const sdmxTail = 64 << 10

// sdmxLookXML reads an XML message.
func sdmxLookXML(path string, head []byte) (sdmxSaid, error) {
	said := sdmxSaid{ending: ".xml"}
	if sdmxErrorRoot.Match(head) {
		code, text := sdmxErrorOf(head)
		said.text = text
		nothing, tooBig, failed := sdmxCode(code)
		said.tooBig = tooBig || sdmxSaysTooBig(text)
		said.failed = failed && !said.tooBig && !nothing
		return said, nil
	}
	n, err := sdmxObservations(path)
	if err != nil {
		return said, err
	}
	said.observations = n
	tail, err := sdmxEnd(path)
	if err != nil {
		return said, err
	}
	footer := sdmxFooter.FindString(tail)
	if footer == "" {
		return said, nil
	}
	said.text = strings.Join(strings.Fields(sdmxTags.ReplaceAllString(footer, " ")), " ")
	said.tooBig = sdmxSaysTooBig(said.text)
	for _, match := range sdmxFooterCode.FindAllStringSubmatch(footer, -1) {
		nothing, tooBig, failed := sdmxCode(match[1])
		said.tooBig = said.tooBig || tooBig
		// A footer after data is a remark.
		said.failed = said.failed || failed && !nothing && n == 0
	}
	said.failed = said.failed && !said.tooBig
	return said, nil
}

// sdmxEnd returns the end of a file.
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

// sdmxLines counts the lines of a file.
func sdmxLines(path string) (int, error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	n, last, buffer := 0, byte('\n'), make([]byte, 256<<10)
	for {
		got, err := file.Read(buffer)
		if got > 0 {
			n += bytes.Count(buffer[:got], []byte("\n"))
			last = buffer[got-1]
		}
		if err != nil && err != io.EOF {
			return n, err
		}
		if err == io.EOF {
			break
		}
	}
	if last != '\n' {
		n++
	}
	return n, nil
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
