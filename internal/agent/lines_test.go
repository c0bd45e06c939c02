package agent

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
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
			out := &whole{WriteCloser: nopWriteCloser{&answers}, isOver: true}
			got, err := io.ReadAll(newMessages(io.NopCloser(strings.NewReader(tc.in)), out))
			if err != nil || string(got) != tc.want {
				t.Errorf("messages are %q, %v; want %q", got, err, tc.want)
			}
			if !strings.Contains(answers.String(), tc.answer) || (tc.answer == "") != (answers.Len() == 0) {
				t.Errorf("the answers are %q, want %s", answers.String(), tc.answer)
			}
		})
	}
}

// slow is a caller whose requests take long.
type slow struct{}

func (slow) Admit() (func(), error) { return func() {}, nil }

func (slow) Read(ctx context.Context, _ string, _ []byte, w io.Writer) (int, error) {
	select {
	case <-ctx.Done():
		return 0, ctx.Err()
	case <-time.After(time.Minute):
	}
	_, err := io.WriteString(w, "{}")
	return 200, err
}

// TestAnswersAtTheEnd checks that everything that was read is answered if the input ends right after it.
func TestAnswersAtTheEnd(t *testing.T) {
	const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`
	for _, c := range []struct{ in, want string }{
		{`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search_datasets","arguments":{"query":"x"}}}
{"jsonrpc":"2.0","id":3,"method":"foo"}
{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"nope","arguments":{}}}`, `"id":1,"result" "id":2,"result" "id":3,"error" -32601 "id":4,"error" -32602`},
		{`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search_datasets","arguments":{"query":"x"}}}
{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}
`, `"id":2,`},
		{`[{"jsonrpc":"2.0","id":2,"method":"ping"},{"jsonrpc":"2.0","id":3,"method":"ping"}]`, `"id":2, "id":3,`},
		{`{"jsonrpc":"2.0","id":2,"method":"ping"}
garbage`, `"id":2, -32700`},
	} {
		synctest.Test(t, func(t *testing.T) {
			var out bytes.Buffer
			s := New(Options{CallerOf: func(context.Context) Caller { return slow{} }})
			if err := s.Serve(t.Context(), io.NopCloser(strings.NewReader(initialize+c.in)), nopWriteCloser{&out}); err != nil {
				t.Errorf("%s\nends with %v", c.in, err)
			}
			for _, want := range strings.Fields(c.want) {
				if !strings.Contains(out.String(), want) {
					t.Errorf("%s\nis answered with\n%swithout %s", c.in, out.String(), want)
				}
			}
		})
	}
}
