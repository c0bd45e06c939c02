package clients

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const inspector = "node_modules/.bin/mcp-inspector"

// inspected is what the inspector prints for a call of a tool or a list of tools.
type inspected struct {
	Tools []struct{ Name string }
	tabled
}

// tabled is the result of a tool that reads values.
type tabled struct {
	IsError           bool
	StructuredContent struct {
		Total int `json:"total_rows"`
		Rows  [][]any
	}
}

// TestInspector lists and calls tools with the inspector of the Model Context Protocol, at a
// server and with the command, and its strict check finds nothing in the schemas.
func TestInspector(t *testing.T) {
	s := serve(t)
	for name, target := range map[string][]string{
		"server":  {s.url + "/mcp", "--transport", "http"},
		"command": {s.almanac, "mcp", "--data", s.data},
		"relay":   {s.almanac, "mcp", "-e", "ALMANAC_SERVER=" + s.url}, // --server would be the inspector's own
	} {
		t.Run(name, func(t *testing.T) {
			inspect := func(args ...string) (found inspected) {
				printed := run(t, inspector, append(append([]string{"--cli"}, target...), args...)...)
				if err := json.Unmarshal([]byte(printed), &found); err != nil {
					t.Fatalf("%v in %.500s", err, printed)
				}
				return found
			}
			if list := inspect("--method", "tools/list", "--strict"); len(list.Tools) != 8 {
				t.Errorf("%d tools, want 8", len(list.Tools))
			}
			got := inspect("--method", "tools/call", "--tool-name", "get_latest", "--tool-arg", "dataset=eurostat:une_rt_a", "--tool-arg", `areas=["DE","FR"]`)
			if got.IsError || got.StructuredContent.Total != 2 {
				t.Errorf("%+v, want two values", got)
			}
		})
	}
}

// TestAgent calls a tool with the library's own client, at a server and with the command.
func TestAgent(t *testing.T) {
	s := serve(t)
	for name, transport := range map[string]mcp.Transport{
		"server":  &mcp.StreamableClientTransport{Endpoint: s.url + "/mcp"},
		"command": &mcp.CommandTransport{Command: exec.Command(s.almanac, "mcp", "--data", s.data)},
	} {
		t.Run(name, func(t *testing.T) {
			client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
			session, err := client.Connect(t.Context(), transport, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer session.Close()
			if !strings.Contains(session.InitializeResult().Instructions, "search_datasets") {
				t.Errorf("instructions %q", session.InitializeResult().Instructions)
			}
			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "render_chart", Arguments: map[string]any{"dataset": "eurostat:une_rt_a", "type": "bar", "areas": []string{"DE", "FR"}}})
			if err != nil || result.IsError || len(result.Content) != 2 {
				t.Fatalf("%v %+v", err, result)
			}
			picture, ok := result.Content[0].(*mcp.ImageContent)
			if !ok || picture.MIMEType != "image/png" || !strings.HasPrefix(string(picture.Data), "\x89PNG") {
				t.Errorf("the first content is no picture: %T", result.Content[0])
			}
		})
	}
}
