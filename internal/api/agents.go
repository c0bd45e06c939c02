package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"almanac/internal/access"
	"almanac/internal/stat"
)

// agentsPath is the address of the MCP server.
const agentsPath = "/mcp"

// maxAgentMessage is the largest message to /mcp.
const maxAgentMessage = 256 << 10

// AgentCall is a request to /mcp. In the name of its caller, tools are counted and the
// interface is read. It is safe for concurrent use.
type AgentCall struct {
	api        *API
	caller     access.Caller
	uncounted  bool
	isOperator bool
	isAside    bool // its requests say nothing of what callers look for

	mu     sync.Mutex
	ticket access.Ticket // of the last tool
}

type agentCallKey struct{}

// AgentCallOf returns the request to /mcp that a context belongs to, nil if there is none.
func AgentCallOf(ctx context.Context) *AgentCall {
	c, _ := ctx.Value(agentCallKey{}).(*AgentCall)
	return c
}

// LocalCall returns a call of a program on this machine, whose tools are not counted.
func (a *API) LocalCall() *AgentCall { return &AgentCall{api: a, uncounted: true} }

// CallOf returns a call in the name of a caller, which is not counted.
func (a *API) CallOf(caller access.Caller) *AgentCall {
	return &AgentCall{api: a, caller: caller, uncounted: true}
}

// OperatorCall returns a call of an operator, which is not counted. To it, a list of revisions has the update in quarantine as
// the version "quarantine".
func (a *API) OperatorCall() *AgentCall { return &AgentCall{api: a, uncounted: true, isOperator: true} }

// AsideCall is like LocalCall, for requests that say nothing of what callers look for, such as those of words that are still
// being typed. They are no demand (package demand), and searches wait less for values.
func (a *API) AsideCall() *AgentCall { return &AgentCall{api: a, uncounted: true, isAside: true} }

// Admit counts the call of a tool. refund takes back the count of one that failed by a fault
// of the service. The error says that the limit is used up, or that counting fails.
func (c *AgentCall) Admit() (refund func(), err error) {
	if c.uncounted {
		return func() {}, nil
	}
	ticket, err := c.api.opts.Access.Admit(c.caller)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if ticket.Used >= c.ticket.Used {
		c.ticket = ticket
	}
	if !ticket.Admitted {
		x := exchange{api: c.api, caller: c.caller, ticket: ticket}
		return nil, &refusal{http.StatusTooManyRequests, x.usedUpMessage()}
	}
	return ticket.Refund, nil
}

// Read writes the response to a request of the interface to w: to POST if there is a body,
// else to GET. The request does not count. The error is that of w, or of ctx.
func (c *AgentCall) Read(ctx context.Context, address string, body []byte, w io.Writer) (status int, err error) {
	method := http.MethodGet
	if body != nil {
		method = http.MethodPost
	}
	return c.Send(ctx, method, address, body, w)
}

// Value returns the Go value from which the response to GET is written: a [request.Left] for an availability, a [chart.Spec] for
// the description of a chart. So who asks in this process reads it without JSON. A response that is an error is written to w.
func (c *AgentCall) Value(ctx context.Context, address string, w io.Writer) (value any, status int, err error) {
	inside := c.writer(w)
	inside.wantsValue = true
	status, err = c.send(ctx, http.MethodGet, address, nil, inside)
	return inside.value, status, err
}

// Send is like Read, for any method.
func (c *AgentCall) Send(ctx context.Context, method, address string, body []byte, w io.Writer) (status int, err error) {
	return c.send(ctx, method, address, body, c.writer(w))
}

func (c *AgentCall) writer(w io.Writer) *insideWriter {
	return &insideWriter{caller: c.caller, isAside: c.isAside, isOperator: c.isOperator, to: w, header: http.Header{}, status: http.StatusOK}
}

func (c *AgentCall) send(ctx context.Context, method, address string, body []byte, inside *insideWriter) (status int, err error) {
	r, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return 0, stat.Errorf(stat.Invalid, "invalid address %.200q", address)
	}
	r.RequestURI = address
	defer func() {
		if p := recover(); p != nil {
			if p != http.ErrAbortHandler {
				panic(p)
			}
			err = errors.Join(inside.failed, ctx.Err())
			if err == nil {
				err = errors.New("the response broke off; try again")
			}
		}
		status = inside.status
	}()
	c.api.ServeHTTP(inside, r)
	return inside.status, inside.failed
}

// insideWriter is the response to a request that a tool makes for a caller who is known and
// counted.
type insideWriter struct {
	caller     access.Caller
	isAside    bool
	isOperator bool
	to         io.Writer
	header     http.Header
	status     int
	failed     error // of to
	wantsValue bool  // see [AgentCall.Value]
	value      any
}

func (w *insideWriter) Header() http.Header    { return w.header }
func (w *insideWriter) WriteHeader(status int) { w.status = status }
func (w *insideWriter) FlushError() error      { return nil } // http.ResponseController asks for it

func (w *insideWriter) Write(text []byte) (n int, err error) {
	n, w.failed = w.to.Write(text)
	return n, w.failed
}

// wantsValue reports whether the reply may be a Go value: see [AgentCall.Value].
func (x *exchange) wantsValue() bool {
	w, ok := x.w.(*insideWriter)
	return ok && w.wantsValue
}

// mcp replies to a message of an agent. The count is that of the tools it calls.
func (x *exchange) mcp() (*reply, error) {
	if x.api.opts.Agents == nil {
		return nil, stat.Errorf(stat.Unavailable, "this process does not answer agents")
	}
	message, err := x.readJSON(maxAgentMessage)
	if err != nil {
		return nil, err
	}
	call := &AgentCall{api: x.api, caller: x.caller}
	r := x.r.Clone(context.WithValue(x.r.Context(), agentCallKey{}, call))
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(message)), int64(len(message))
	// One message has one response, which is never streamed, whatever the agent accepts.
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	response := &agentResponse{header: http.Header{}, status: http.StatusOK}
	x.api.opts.Agents.ServeHTTP(response, r)
	call.mu.Lock()
	x.ticket = call.ticket
	call.mu.Unlock()
	if x.ticket.Limit != 0 && !x.ticket.Admitted {
		x.setLimitHeaders(&x.ticket.Standing, x.api.policies[x.ticket.Tier])
	}
	kind := response.header.Get("Content-Type")
	if response.status >= http.StatusBadRequest && !strings.HasPrefix(kind, "application/json") {
		return x.refuseMessage(message, response.status, strings.TrimSpace(response.body.String()))
	}
	if response.body.Len() == 0 {
		return &reply{status: response.status}, nil // after a notification
	}
	return &reply{status: response.status, body: newBody(response.body.Bytes()), cacheControl: privateNoStore}, nil
}

// notHandled is how the MCP server begins to say that it does not have a method.
const notHandled = "JSON RPC not handled"

// Errors of JSON-RPC 2.0.
const (
	codeParseError     = -32700
	codeInvalidRequest = -32600
	codeMethodNotFound = -32601
)

// refuseMessage replies to a message that the MCP server refuses with a status and a text. JSON-RPC has errors for a method
// that there is not, for a text that is not JSON, and for JSON that is no message.
func (x *exchange) refuseMessage(message []byte, status int, text string) (*reply, error) {
	var call struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	isCall := json.Unmarshal(message, &call) == nil && call.ID != nil
	code := codeInvalidRequest
	switch {
	case isCall && strings.HasPrefix(text, notHandled):
		code, status = codeMethodNotFound, http.StatusOK
		text = fmt.Sprintf("there is no method %.100q; tools/list lists the tools, and tools/call calls one", call.Method)
	case status != http.StatusBadRequest:
		return nil, &refusal{status, text}
	case !json.Valid(message):
		code, text = codeParseError, "the body is not JSON; a message is one object of JSON-RPC 2.0"
	}
	answer, err := json.Marshal(object{"jsonrpc": "2.0", "id": call.ID, "error": object{"code": code, "message": text}})
	if err != nil {
		return nil, err
	}
	if status != http.StatusOK {
		x.w.Header()["X-Request-Id"] = []string{x.api.newRequestID()}
	}
	return &reply{status: status, body: newBody(answer), cacheControl: privateNoStore}, nil
}

// agentResponse is the response of the MCP server before it is sent.
type agentResponse struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *agentResponse) Header() http.Header                { return w.header }
func (w *agentResponse) WriteHeader(status int)             { w.status = status }
func (w *agentResponse) Write(text []byte) (n int, _ error) { return w.body.Write(text) }
func (w *agentResponse) FlushError() error                  { return nil }
