package agent

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

type nopWriteCloser struct{ io.Writer }

func (nopWriteCloser) Close() error { return nil }

func TestMessages(t *testing.T) {
	const call = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for _, tc := range []struct{ name, in, want, answer string }{
		{"messages", call + "\n" + call + "\r\n", call + "\n" + call + "\n", ""},
		{"the last line without its end", call, call + "\n", ""},
		{"empty lines", "\n\n" + call + "\n", call + "\n", ""},
		{"no JSON", "garbage\n" + call + "\n", call + "\n", `"code":-32700`},
		{"a line that is cut", call[:10] + "\n" + call + "\n", call + "\n", `"code":-32700`},
		{"no message", "{\"a\":1}\n42\n" + call + "\n", call + "\n", `"code":-32600`},
		{"too long", `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", maxLine) + "\"}\n" + call + "\n", call + "\n", "too long"},
		{"nothing", "", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var answers bytes.Buffer
			got, err := io.ReadAll(newMessages(io.NopCloser(strings.NewReader(tc.in)), &whole{WriteCloser: nopWriteCloser{&answers}}))
			if err != nil || string(got) != tc.want {
				t.Errorf("messages are %q, %v; want %q", got, err, tc.want)
			}
			if !strings.Contains(answers.String(), tc.answer) || (tc.answer == "") != (answers.Len() == 0) {
				t.Errorf("the answers are %q, want %s", answers.String(), tc.answer)
			}
		})
	}
}
