package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"almanac/internal/access"
)

// folder says where a command works and how it answers.
type folder struct {
	Data string `required:"" type:"folder" placeholder:"DIR" help:"Folder of the store."`
	JSON bool   `name:"json" help:"Print one JSON object a line."`
}

// human is where text for people goes.
func (f *folder) human(out streams) io.Writer {
	if f.JSON {
		return out.stderr
	}
	return out.stdout
}

// withAccess runs do on the register of callers, which is made if it is not
// there.
func (f *folder) withAccess(ctx context.Context, do func(*access.Access) error) error {
	// Limits are the server's: no command counts requests.
	a, err := access.Open(ctx, access.Options{Dir: f.Data, Limits: access.DefaultLimits})
	if err != nil {
		return err
	}
	err = do(a)
	if closing := a.Close(); err == nil && closing != nil {
		err = fmt.Errorf("closing the register of accounts: %w", closing)
	}
	return err
}

// withCallers runs do on a register that must be there: whoever looks for keys
// in a folder without any has mistaken the folder, and nothing is to be made
// in it.
func (f *folder) withCallers(ctx context.Context, do func(*access.Access) error) error {
	if !access.Exists(f.Data) {
		return fmt.Errorf("there are no accounts in %s: almanac key create %s --account NAME makes one and its key", f.Data, flagText("--data", f.Data))
	}
	return f.withAccess(ctx, do)
}

// printList prints items as one JSON object a line, or as a table whose lines
// have the heading's columns, parted by tabs.
func printList[T any](f *folder, out streams, heading string, items []T, line func(T) string) error {
	if f.JSON {
		for _, item := range items {
			if err := writeJSON(out.stdout, item); err != nil {
				return err
			}
		}
		return nil
	}
	table := tabwriter.NewWriter(out.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, heading)
	for _, item := range items {
		fmt.Fprintln(table, line(item))
	}
	return table.Flush()
}

// printMade tells of something that was made or changed: in a sentence, and
// as JSON if that is asked for.
func printMade(f *folder, out streams, made any, sentence string) error {
	fmt.Fprintln(f.human(out), sentence)
	if !f.JSON {
		return nil
	}
	return writeJSON(out.stdout, made)
}
