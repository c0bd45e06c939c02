package api_test

import (
	"context"
	"strings"
	"testing"

	"almanac/internal/agent"
	"almanac/internal/api"
)

// A message that cannot be answered has an error of JSON-RPC.
func TestMessagesWithErrors(t *testing.T) {
	agents := agent.New(agent.Options{CallerOf: func(ctx context.Context) agent.Caller { return api.AgentCallOf(ctx) }})
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t), Agents: agents.Handler()}))
	for _, test := range []struct {
		body   string
		status int
		want   []string
	}{
		{`{"jsonrpc": "2.0"`, 400, []string{`"id":null`, `"code":-32700`, "the body is not JSON"}},
		{`[]`, 400, []string{`"id":null`, `"code":-32600`}},
		{`{"id": 7, "method": "ping"}`, 400, []string{`"id":7`, `"code":-32600`}},
		{`{"jsonrpc": "2.0", "id": 7, "method": "nothing"}`, 200, []string{`"id":7`, `"code":-32601`, "there is no method"}},
		{`{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "nothing"}}`, 200, []string{`"id":7`, `"code":-32602`}},
		{`{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": [1]}`, 200, []string{`"id":7`, `"code":-32602`}},
		{`{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "get_latest", "arguments": "x"}}`, 200, []string{`"id":7`, `"code":-32602`, "arguments is no object; parameters of get_latest: dataset, "}},
	} {
		got := send(t, "POST", base+"/mcp", test.body)
		if got.StatusCode != test.status || got.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: status %d, %s; want %d", test.body, got.StatusCode, got.Header.Get("Content-Type"), test.status)
		}
		for _, want := range append(test.want, `"jsonrpc":"2.0"`) {
			if !strings.Contains(string(got.body), want) {
				t.Errorf("%s: %s; want %s", test.body, got.body, want)
			}
		}
	}
}
