// Command almanac turns the files of statistical offices into one JSON
// service. It has flags and wiring; what is done stands in the packages below
// internal.
//
// Every flag is also an environment variable: --base-url is ALMANAC_BASE_URL.
// With --json the machine's answer alone goes to standard output and what is
// for people to standard error. The exit code is 0 if it was done, 1 if
// something was refused or failed, 2 for wrong usage.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"almanac/internal/access"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	forgetEmptyVariables()
	// Libraries that log by themselves, such as net/http of a server's bad manners,
	// would write into tables and between lines of JSON.
	slog.SetDefault(slog.New(slog.DiscardHandler))
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// forgetEmptyVariables makes a variable that is set to nothing one that is not
// set, since files of settings often list all of them.
func forgetEmptyVariables() {
	for _, variable := range os.Environ() {
		if name, ok := strings.CutSuffix(variable, "="); ok && strings.HasPrefix(name, "ALMANAC_") {
			os.Unsetenv(name)
		}
	}
}

// commands are all commands, with their flags as kong reads them.
type commands struct {
	Serve        serveCmd         `cmd:"" help:"Serve the datasets of a store over HTTP."`
	Import       importCmd        `cmd:"" help:"Bring files of statistical offices into a store."`
	Inspect      inspectCmd       `cmd:"" help:"Show what an import of files would make of them, without storing anything."`
	Dataset      datasetCmd       `cmd:"" help:"Look at datasets and look after them."`
	Source       sourceCmd        `cmd:"" help:"Look at the offices whose servers are known, and at what they offer."`
	Watch        watchCmd         `cmd:"" help:"Say what is to be kept up to date with the offices."`
	Sync         syncCmd          `cmd:"" help:"Bring what is watched up to date, and show what was done."`
	Organisation organisationCmd  `cmd:"" help:"Make and list organisations."`
	Account      accountCmd       `cmd:"" help:"Make and list accounts, and set their tiers."`
	Key          keyCmd           `cmd:"" help:"Make, list, revoke and rotate keys."`
	Usage        usageCmd         `cmd:"" help:"List how many requests were counted, by day and account."`
	Chart        chartCmd         `cmd:"" help:"Draw a chart of a dataset into a file."`
	Version      kong.VersionFlag `help:"Print the version and leave." env:"-"`
}

// streams are where a command writes.
type streams struct {
	stdout io.Writer
	stderr io.Writer
}

// The exit codes.
const (
	exitDone   = 0
	exitFailed = 1 // refused or failed
	exitUsage  = 2
)

// usageError is a flag whose value cannot be used, found out after parsing.
type usageError struct{ error }

// errReported ends a command whose failure has been told already.
var errReported = errors.New("the failure has been reported")

// run is the program without what only the operating system has; it returns
// the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var cli commands
	var open closers
	left := -1 // the code with which --help and --version leave
	parser, err := kong.New(&cli,
		kong.Name("almanac"),
		kong.Description("Almanac turns the files of statistical offices into one JSON service."),
		kong.DefaultEnvars("ALMANAC"),
		kong.Vars{"version": versionText()},
		kong.NamedMapper("folder", kong.MapperFunc(decodeFolder)),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Writers(stdout, stderr),
		kong.Exit(func(code int) { left = code }),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(streams{stdout, stderr}, &open),
	)
	if err != nil {
		fmt.Fprintf(stderr, "almanac: %v\n", err)
		return exitFailed
	}
	command, err := parser.Parse(args)
	switch {
	case left >= 0:
		return left
	case err != nil:
		tellError(stderr, fmt.Errorf("%w (almanac --help shows the commands, almanac COMMAND --help its flags)", err))
		return exitUsage
	}
	err = command.Run()
	if closing := open.close(); err == nil {
		err = closing
	}
	switch {
	case err == nil:
		return exitDone
	case !errors.Is(err, errReported):
		tellError(stderr, err)
	}
	if _, usage := errors.AsType[usageError](err); usage {
		return exitUsage
	}
	return exitFailed
}

// tellError prints an error. It may repeat what was given on the command line,
// and a key must not be seen in what people copy into a report.
func tellError(w io.Writer, err error) {
	fmt.Fprintf(w, "almanac: %s\n", access.Redact(err.Error()))
}
