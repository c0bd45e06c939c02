// Package agent offers the interface as tools to agents, by the Model Context Protocol.
//
// A tool reads the JSON interface like any other client, in the name of a [Caller], and
// turns the responses into a small table with everything that an agent must repeat: units,
// flags, the period of each value, the address, and the citation with licence and version.
// So tools select, count and refuse exactly what the interface does, and work in the process
// of the service, on a folder, or with a server elsewhere.
//
// agent.go holds the server, schema.go describes the parameters, read.go reads the interface,
// and there is a file for each tool. Their descriptions are all that an agent knows.
package agent

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Caller is on whose behalf tools are called. It is safe for concurrent use.
type Caller interface {
	// Admit counts the call of a tool. refund takes the count back if the tool fails by a
	// fault of the service. The error says that the caller's limit is used up, and what to do.
	Admit() (refund func(), err error)
	// Read writes the response to a request of the interface to w: to POST if there is a
	// body, else to GET. It stops at an error of w and returns it.
	Read(ctx context.Context, address string, body []byte, w io.Writer) (status int, err error)
}

// Options configure a [Server].
type Options struct {
	// CallerOf returns the caller of the request that a context belongs to.
	CallerOf func(context.Context) Caller
	// BaseURL is the public address of the interface, for links. If empty, links are
	// relative.
	BaseURL string
	// Version is the version of the program.
	Version string
	// Log receives faults of tools; nil: no log.
	Log *slog.Logger
	// Now is the clock; nil: time.Now.
	Now func() time.Time
}

// Server answers agents.
type Server struct {
	opts   Options
	server *mcp.Server
	inputs map[string]*jsonschema.Schema // of the tools, by name
}

// instructions tell an agent how the tools go together.
const instructions = `Official statistics: every number is as the statistical office published it, with unit, period, flags and version.
Usual way: search_datasets finds a dataset; get_data, get_latest or render_chart read it. describe_dataset lists the dimensions and values for filters, and is only needed to choose something else than the usual series: a dimension that you leave out has its usual value: the total where the office publishes one, else one value, which usual_values and notices name. Never take a part for a total; where no total is published, do not present a sum as one.
Areas are written as any code or name: DE, DEU, Germany. Always repeat the unit, the period and the citation.`

// New returns a server with all tools.
func New(o Options) *Server {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Server{opts: o, inputs: map[string]*jsonschema.Schema{}}
	s.server = mcp.NewServer(&mcp.Implementation{Name: "almanac", Title: "Almanac: official statistics", Version: cmp.Or(o.Version, "unknown")}, &mcp.ServerOptions{
		Instructions: instructions, Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) {
			c.TTLMs, c.CacheScope = int(listTTL.Milliseconds()), "public"
		},
	})
	s.server.AddReceivingMiddleware(s.readArguments)
	addTool(s, searchTool, (*call).searchDatasets)
	addTool(s, describeTool, (*call).describeDataset)
	addTool(s, dataTool, (*call).getData)
	addTool(s, latestTool, (*call).getLatest)
	addTool(s, compareTool, (*call).compareSources)
	addTool(s, chartTool, (*call).renderChart)
	addTool(s, areaTool, (*call).resolveArea)
	addTool(s, changesTool, (*call).listChanges)
	return s
}

// listTTL is how long an agent may keep the list of tools, which changes only with the
// program.
const listTTL = time.Hour

// Handler returns a handler of the messages of agents over HTTP, each of which has one
// response: there are no sessions.
func (s *Server) Handler() http.Handler {
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.server }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true,
		// Pages of other origins may read the interface anyway, and a proxy on this machine
		// passes on the name of the public host.
		DisableLocalhostProtection: true,
	})
}

// Serve answers the messages that it reads from in, one a line, until in or ctx ends. A line that is no message is
// answered with an error.
func (s *Server) Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	w := &whole{WriteCloser: out}
	err := s.server.Run(ctx, &mcp.IOTransport{Reader: newMessages(in, w), Writer: w})
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		return nil
	}
	return err
}

// call is one call of a tool.
type call struct {
	*Server
	ctx    context.Context
	caller Caller
	// images are the pictures of the result, before its text.
	images []mcp.Content
}

// addTool adds a tool that counts as one request.
func addTool[In, Out any](s *Server, t mcp.Tool, run func(*call, In) (*Out, error)) {
	isClosed := false
	t.Annotations = &mcp.ToolAnnotations{Title: t.Title, ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &isClosed}
	input := schemaOf[In]()
	t.InputSchema, t.OutputSchema = input, schemaOf[Out]()
	s.inputs[t.Name] = input
	mcp.AddTool(s.server, &t, func(ctx context.Context, _ *mcp.CallToolRequest, in In) (result *mcp.CallToolResult, out *Out, err error) {
		c := &call{Server: s, ctx: ctx, caller: s.opts.CallerOf(ctx)}
		refund, err := c.caller.Admit()
		if err != nil {
			return nil, nil, err
		}
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
			}
			if err == nil {
				return
			}
			e, ok := errors.AsType[*toolError](err)
			if !ok || !e.counts() {
				refund()
			}
			if !ok {
				s.opts.Log.ErrorContext(ctx, "a tool failed", "tool", t.Name, "error", err)
				err = fmt.Errorf("%s failed by a fault of the service, and was not counted; try again later", t.Name)
			}
		}()
		if out, err = run(c, in); err != nil {
			return nil, nil, err
		}
		return &mcp.CallToolResult{Content: append(c.images, &mcp.TextContent{Text: textOf(out)})}, out, nil
	})
}

// readArguments makes arguments fit the schema of their tool where they can, and adds the names of
// the parameters to the error for those that do not.
func (s *Server) readArguments(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		params, ok := req.GetParams().(*mcp.CallToolParamsRaw)
		if !ok || s.inputs[params.Name] == nil {
			return next(ctx, method, req)
		}
		input := s.inputs[params.Name]
		if kind := bytes.TrimSpace(params.Arguments); len(kind) > 0 && kind[0] != '{' && string(kind) != "null" {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "arguments is no object; parameters of " + params.Name + ": " + strings.Join(input.PropertyOrder, ", ")}
		}
		params.Arguments = normalise(params.Arguments, input)
		if text := outOfRange(params.Arguments, input); text != "" {
			return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
		}
		result, err := next(ctx, method, req)
		failed, ok := result.(*mcp.CallToolResult)
		if !ok || failed == nil || failed.GetError() == nil {
			return result, err
		}
		if text, ok := strings.CutPrefix(failed.GetError().Error(), "validating \"arguments\": validating root: "); ok {
			text += "; parameters of " + params.Name + ": " + strings.Join(input.PropertyOrder, ", ")
			failed.Content = []mcp.Content{&mcp.TextContent{Text: text}}
		}
		return failed, err
	}
}

// toolError is an error that the caller can do something about. It names the next call.
type toolError struct {
	message string
	status  int // of the response of the interface; 0: none
}

func (e *toolError) Error() string { return e.message }

// counts reports whether a call that ends with the error counts, as a response with the
// status does.
func (e *toolError) counts() bool {
	return e.status == 0 || e.status == http.StatusBadRequest || e.status == http.StatusNotFound
}

func errorf(format string, args ...any) error {
	return &toolError{message: fmt.Sprintf(format, args...)}
}
