// Command almanac turns the files of statistical offices into one JSON
// service. It contains the flags and the wiring; the work is done by the
// packages below internal.
//
// Every flag is also an environment variable: --base-url is ALMANAC_BASE_URL.
// With --json only JSON goes to standard output, and text for people goes to
// standard error. The exit code is 0 for success, 1 if something was refused,
// quarantined or failed, and 2 for wrong usage.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"almanac/internal/access"
	"almanac/internal/store"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	unsetEmptyVariables()
	store.LimitMemory(os.Getenv("GOMEMLIMIT"))
	// Libraries such as net/http log by themselves, which would end up between
	// the rows of a table or the lines of JSON.
	slog.SetDefault(slog.New(slog.DiscardHandler))
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// commands lists all commands with their flags as kong reads them.
type commands struct {
	Serve        serveCmd         `cmd:"" help:"Serve the datasets of a store over HTTP."`
	Import       importCmd        `cmd:"" help:"Import files of statistical offices into a store."`
	Inspect      inspectCmd       `cmd:"" help:"Show how files would be imported, without storing anything."`
	Dataset      datasetCmd       `cmd:"" help:"Show and manage datasets."`
	Check        checkCmd         `cmd:"" help:"Read the files of all versions and report those that are damaged."`
	Backup       backupCmd        `cmd:"" help:"Copy a data directory, also while servers use it."`
	Restore      restoreBackupCmd `cmd:"" help:"Restore a backup into an empty data directory."`
	Search       searchCmd        `cmd:"" help:"Find datasets of a store, and of what offices offer."`
	Source       sourceCmd        `cmd:"" help:"Show the known offices and the datasets they offer."`
	Watch        watchCmd         `cmd:"" help:"Manage the datasets that are kept up to date."`
	Sync         syncCmd          `cmd:"" help:"Update watched datasets and show the log of updates."`
	Organisation organisationCmd  `cmd:"" help:"Create and list organisations."`
	Account      accountCmd       `cmd:"" help:"Create and list accounts, and set their tiers."`
	Key          keyCmd           `cmd:"" help:"Create, list, revoke and rotate keys."`
	Link         linkCmd          `cmd:"" help:"Create, list and revoke addresses of data that are read without a key."`
	Webhook      webhookCmd       `cmd:"" help:"Manage the addresses that are told of changes in what organisations follow."`
	Usage        usageCmd         `cmd:"" help:"List the number of requests by day and account, or what was asked for."`
	Chart        chartCmd         `cmd:"" help:"Draw a chart of a dataset into a file."`
	Migrate      migrateCmd       `cmd:"" help:"Copy an installation to another place: to PostgreSQL, an S3 store, or back into a folder."`
	Views        viewsCmd         `cmd:"" help:"Print SQL that makes the datasets of a store views of a database."`
	MCP          mcpCmd           `cmd:"" name:"mcp" help:"Answer an agent (Model Context Protocol) on standard input and output."`
	Version      kong.VersionFlag `help:"Print the version and exit." env:"-"`
}

// The exit codes.
const (
	exitDone   = 0
	exitFailed = 1 // refused or failed
	exitUsage  = 2
)

// usageError is an invalid flag value that was found after parsing.
type usageError struct{ error }

// errReported ends a command whose failure has already been printed.
var errReported = errors.New("the failure has been reported")

// run runs the program with the given arguments and streams and returns the
// exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var cli commands
	var atExit cleanups
	exitCode := -1 // set by --help and --version
	parser, err := kong.New(&cli,
		kong.Name("almanac"),
		kong.Description("Almanac turns the files of statistical offices into one JSON service."),
		kong.DefaultEnvars("ALMANAC"),
		kong.Vars{"version": versionText()},
		kong.NamedMapper("folder", kong.MapperFunc(decodeFolder)),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Writers(stdout, stderr),
		kong.Exit(func(code int) { exitCode = code }),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(streams{stdout, stderr}, &atExit),
	)
	if err != nil {
		fmt.Fprintf(stderr, "almanac: %v\n", err)
		return exitFailed
	}
	command, err := parser.Parse(args)
	if exitCode >= 0 {
		return exitCode
	}
	if err := checkVariables(parser.Model); err != nil {
		printError(stderr, err)
		return exitUsage
	}
	if err != nil {
		printError(stderr, fmt.Errorf("%w (almanac --help shows the commands, almanac COMMAND --help its flags)", err))
		return exitUsage
	}
	err = command.Run()
	if closeErr := atExit.run(); err == nil {
		err = closeErr
	}
	switch {
	case err == nil:
		return exitDone
	case !errors.Is(err, errReported):
		printError(stderr, err)
	}
	if _, usage := errors.AsType[usageError](err); usage {
		return exitUsage
	}
	return exitFailed
}

// printError prints an error without secrets: the error may repeat arguments,
// and people copy it into reports.
func printError(w io.Writer, err error) {
	fmt.Fprintf(w, "almanac: %s\n", access.Redact(err.Error()))
}
