package agent

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// maxResponse is the largest response of the interface that a tool reads. It has more than
// a hundred thousand observations, of which an agent could read a few hundred.
const maxResponse = 16 << 20

// errTooLarge is the error of a response that is larger.
var errTooLarge = errors.New("the response is too large for a tool")

// bounded is a buffer of at most maxResponse bytes.
type bounded struct{ bytes.Buffer }

func (b *bounded) Write(text []byte) (int, error) {
	if b.Len()+len(text) > maxResponse {
		return 0, errTooLarge
	}
	return b.Buffer.Write(text)
}

// refused is an error response of the interface to a request that the caller can correct.
type refused struct {
	status  int
	message string
}

func (e *refused) Error() string { return e.message }

// get reads the response to GET into a struct. The error is a [refused] for the statuses
// below 500 and 503.
func (c *call) get(into any, path string, query url.Values) error {
	address := path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	return c.read(into, address, nil)
}

func (c *call) read(into any, address string, body []byte) error {
	var text bounded
	status, err := c.caller.Read(c.ctx, address, body, &text)
	if errors.Is(err, errTooLarge) {
		return errTooLarge
	}
	if err != nil {
		return fmt.Errorf("reading %s: %w", address, err)
	}
	if status == http.StatusOK {
		if err := json.Unmarshal(text.Bytes(), into); err != nil {
			return fmt.Errorf("reading %s: %w", address, err)
		}
		return nil
	}
	var failure struct {
		StatusMessage string `json:"statusMessage"`
	}
	if json.Unmarshal(text.Bytes(), &failure) != nil || failure.StatusMessage == "" || status >= http.StatusInternalServerError && status != http.StatusServiceUnavailable {
		return fmt.Errorf("reading %s: status %d %.200s", address, status, text.Bytes())
	}
	return &refused{status, inToolWords(failure.StatusMessage)}
}

// fieldsOfTools are the names that parameters of the interface have in tools, if they are others.
var fieldsOfTools = map[string]string{"country": "areas", "q": "query", "updated_since": "since", "latest_mode": "mode"}

// parameterInText matches a parameter of the interface with another name in tools, before its value in a message.
var parameterInText = regexp.MustCompile(`\b(country|updated_since|latest_mode)=`)

// inToolWords returns a message of the interface on a parameter with the name that the parameter has in tools.
func inToolWords(message string) string {
	rest, ok := strings.CutPrefix(message, "parameter ")
	name, rest, isNamed := strings.Cut(rest, " ")
	if !ok || !isNamed {
		return message
	}
	return cmp.Or(fieldsOfTools[name], name) + " " + rest
}

// advise turns a refusal of the interface into an error that names the next call. Other
// errors stay as they are.
func advise(err error, format string, args ...any) error {
	r, ok := errors.AsType[*refused](err)
	if !ok {
		return err
	}
	text := strings.TrimSuffix(r.message, "; /api/areas lists all areas") + "; " + fmt.Sprintf(format, args...)
	return &toolError{text, r.status}
}

// datasetPath returns the address of a dataset, without the base.
func datasetPath(ref string) string { return "/api/datasets/" + url.PathEscape(ref) }

// adviseDataset is [advise] for a request about a dataset.
func adviseDataset(err error, ref string) error {
	r, ok := errors.AsType[*refused](err)
	if !ok {
		return err
	}
	if strings.HasPrefix(r.message, "there is no dataset") || strings.HasPrefix(r.message, "a dataset id") {
		words := strings.NewReplacer("_", " ", "-", " ", ".", " ").Replace(ref)
		if _, code, ok := strings.Cut(words, ":"); ok {
			words = code
		}
		return errorf("there is no dataset %q here; call search_datasets with {\"query\": %q} to find the right one", ref, words)
	}
	if r.status == http.StatusForbidden || r.status == http.StatusServiceUnavailable { // says itself what to do
		return &toolError{r.message, r.status}
	}
	if strings.Contains(r.message, "no version") {
		return advise(err, "call list_changes with {\"dataset\": %q} for its versions", ref)
	}
	return advise(err, "call describe_dataset with {\"dataset\": %q} for its dimensions and values", ref)
}

// link returns the public address of a request.
func (s *Server) link(path string, query url.Values) string {
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return s.opts.BaseURL + path
}

// notice is something that a response reports.
type notice struct {
	Parameter string   `json:"parameter"`
	Value     string   `json:"value"`
	Message   string   `json:"message"`
	Nearest   []string `json:"nearest"`
}

// sentences returns the messages of notices with the nearest values.
func sentences(notices []notice) (texts []string) {
	for _, n := range notices {
		text := parameterInText.ReplaceAllStringFunc(n.Message, func(named string) string {
			return fieldsOfTools[strings.TrimSuffix(named, "=")] + "="
		})
		if len(n.Nearest) > 0 && !strings.Contains(strings.ReplaceAll(text, strconv.Quote(n.Value), ""), n.Nearest[0]) {
			text += "; nearest: " + strings.Join(n.Nearest, ", ")
		}
		texts = append(texts, text)
	}
	return texts
}
