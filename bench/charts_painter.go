package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"almanac/internal/chart"
	"almanac/internal/chart/ink"
)

// order is what a painter is told, a line of JSON: to draw for so long, or once
// into a file.
type order struct {
	Kind string `json:"kind"`
	MS   int64  `json:"ms,omitempty"`
	File string `json:"file,omitempty"`
}

// answer is what a painter says.
type answer struct {
	MS    []float64 `json:"ms,omitempty"` // of each picture
	Bytes int       `json:"bytes"`        // of the last one
	Error string    `json:"error,omitempty"`
}

// painter is a process that draws to order: this program in the role "paint",
// or a library's in the folder peers.
type painter struct {
	*process
	in  io.WriteCloser
	out *bufio.Reader
}

// startPainter runs a command in a folder.
func startPainter(ctx context.Context, dir string, command []string) (*painter, error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = dir
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 20 * time.Second
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &painter{&process{cmd: cmd}, in, bufio.NewReader(out)}, nil
}

// obey sends an order and waits for its answer.
func (p *painter) obey(o order) (answer, error) {
	if err := json.NewEncoder(p.in).Encode(o); err != nil {
		return answer{}, err
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return answer{}, fmt.Errorf("%s ended: %w", p.cmd, err)
	}
	var a answer
	if err := json.Unmarshal(line, &a); err != nil {
		return a, fmt.Errorf("%s says %.300q: %w", p.cmd, line, err)
	}
	if a.Error != "" {
		return a, errors.New(a.Error)
	}
	return a, nil
}

func (p *painter) contender(name string) contender {
	return contender{p.process, name, func(_ context.Context, kind string, span time.Duration) (answer, error) {
		return p.obey(order{Kind: kind, MS: span.Milliseconds()})
	}}
}

// runPaint is the role "paint": it draws the specs of a folder as the server
// does, or encodes finished pictures of them again.
func runPaint(args []string, stdin io.Reader, stdout io.Writer) error {
	if len(args) != 2 || args[1] != drawnHere && args[1] != encoder {
		return fmt.Errorf("usage: bench paint DIR %q|%q", drawnHere, encoder)
	}
	work := map[string]func(io.Writer) error{}
	for _, kind := range chartKinds {
		spec, err := readSpec(args[0], kind.name)
		if err != nil {
			return err
		}
		work[kind.name] = func(w io.Writer) error { return ink.PNG(w, chart.Layout(spec)) }
		if args[1] == encoder {
			if work[kind.name], err = encoding(spec); err != nil {
				return err
			}
		}
	}
	orders, answers := json.NewDecoder(stdin), json.NewEncoder(stdout)
	for {
		var o order
		if err := orders.Decode(&o); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		if err := answers.Encode(paint(work[o.Kind], o)); err != nil {
			return err
		}
	}
}

// encoding returns what encodes the finished picture of a spec with image/png,
// at the level that takes least time.
func encoding(spec *chart.Spec) (func(io.Writer) error, error) {
	var b bytes.Buffer
	if err := ink.PNG(&b, chart.Layout(spec)); err != nil {
		return nil, err
	}
	picture, err := png.Decode(&b)
	if err != nil {
		return nil, err
	}
	if _, ok := picture.(*image.Paletted); !ok {
		return nil, fmt.Errorf("the picture has no palette: it is a %T", picture)
	}
	e := png.Encoder{CompressionLevel: png.BestSpeed}
	return func(w io.Writer) error { return e.Encode(w, picture) }, nil
}

// paint carries out one order.
func paint(work func(io.Writer) error, o order) answer {
	if work == nil {
		return answer{Error: fmt.Sprintf("there is no chart %q", o.Kind)}
	}
	var a answer
	var picture bytes.Buffer
	end := time.Now().Add(time.Duration(o.MS) * time.Millisecond)
	for len(a.MS) < 3 || time.Now().Before(end) {
		picture.Reset()
		begin := time.Now()
		if err := work(&picture); err != nil {
			return answer{Error: err.Error()}
		}
		a.MS = append(a.MS, float64(time.Since(begin))/1e6)
	}
	a.Bytes = picture.Len()
	if o.File != "" {
		if err := os.WriteFile(o.File, picture.Bytes(), 0o644); err != nil {
			return answer{Error: err.Error()}
		}
	}
	return a
}
