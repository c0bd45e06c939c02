package archtest

// row lists the packages of this module that a package may import. A name that
// ends in /… means each of the packages below it.
type row struct {
	name string
	may  []string
}

// levels lists the packages from the bottom up. A package imports only what its
// row names, and no row names a package of its own level or above, so imports
// point down. A package without a row uses that of the nearest package above it
// in the tree; packages of one row may import each other. The packages of a row
// with /… may not: each imports what the row names and what is below itself.
var levels = [][]row{
	{
		{".", nil}, // texts of the project
		{"internal/totals", nil},
		{"internal/licence", nil},
		{"internal/multiples", nil},
		{"internal/pace", nil},
		{"internal/lazyregexp", nil},
		{"internal/trace", nil},
	},
	{
		{"internal/stat", nil},
		{"internal/geo", []string{"internal/totals"}},
		{"internal/sample", nil},
		{"internal/database", []string{"internal/trace"}},
		{"internal/secretfile", nil},
		{"internal/diskreserve", nil},
		{"internal/monitor", []string{"internal/trace"}},
	},
	{
		{"internal/defaults", []string{"internal/stat", "internal/geo", "internal/totals"}},
		{"internal/search/terms", []string{"internal/geo"}},
	},
	{{"internal/topics", []string{"internal/stat", "internal/search/terms"}}},
	// The words of charts, which units of derived values are written in, and the readers:
	// the contract, shared packages, and one package for each format.
	{
		{"internal/format", []string{"internal/stat"}},
		{"internal/chart/words", []string{"internal/stat"}},
	},
	{{"internal/format/text", []string{"internal/stat", "internal/format"}}},
	{{"internal/transform", []string{"internal/stat", "internal/chart/words"}}},
	{{"internal/format/csvlines", nil}},
	{{"internal/format/jsonscan", []string{"internal/stat", "internal/format", "internal/format/text"}}},
	{{"internal/format/office", []string{"internal/lazyregexp", "internal/stat", "internal/format", "internal/format/text"}}},
	{{"internal/format/assemble", []string{"internal/stat", "internal/format", "internal/format/text", "internal/format/office"}}},
	{
		{"internal/format/workbook", readerImports},
		{"internal/format/records", readerImports},
		{"internal/format/nested", readerImports},
		{"internal/format/table", append([]string{"internal/format/csvlines", "internal/multiples"}, readerImports...)},
	},
	{
		{"internal/format/xlsx", append([]string{"internal/format/workbook"}, readerImports...)},
		{"internal/format/xls", append([]string{"internal/format/workbook"}, readerImports...)},
		{"internal/format/ods", append([]string{"internal/format/workbook"}, readerImports...)},
		{"internal/format/parquet", append([]string{"internal/format/workbook"}, readerImports...)},
		{"internal/format/aligned", append([]string{"internal/format/table"}, readerImports...)},
	},
	{
		{"internal/format/crosstab", append([]string{"internal/lazyregexp", "internal/format/table", "internal/format/workbook", "internal/multiples"}, readerImports...)},
		{"internal/format/extract", append([]string{"internal/format/table"}, readerImports...)},
	},
	{{"internal/format/sdmx", readerImports}},
	{
		{"internal/format/…", append([]string{"internal/format/table", "internal/format/xlsx"}, readerImports...)},
		{"internal/format/plain", append([]string{
			"internal/format/table", "internal/format/crosstab", "internal/format/extract", "internal/format/records", "internal/format/nested", "internal/format/workbook", "internal/format/xlsx",
			"internal/format/xls", "internal/format/ods", "internal/format/parquet", "internal/format/aligned",
		}, readerImports...)},
		{"internal/format/sdmx/…", append([]string{"internal/format/sdmx", "internal/format/table"}, readerImports...)},
	},
	{
		{"internal/store", []string{"internal/trace", "internal/stat", "internal/defaults", "internal/database"}},
		{"internal/access", []string{"internal/stat", "internal/database", "internal/secretfile", "internal/pace"}},
		{"internal/people", []string{"internal/stat", "internal/database", "internal/secretfile"}},
		{"internal/mail", nil},
		{"internal/chart", []string{"internal/lazyregexp", "internal/stat", "internal/licence", "internal/multiples", "internal/totals", "internal/geo", "internal/defaults", "internal/chart/words", "internal/transform"}},
		{"internal/source/fetch", []string{"internal/stat"}},
		{"internal/source/replay", nil},
		{"internal/source/jsonstream", nil},
		{"internal/watch", []string{"internal/stat", "internal/database"}},
		{"internal/offer", []string{"internal/stat", "internal/database"}},
		{"internal/demand", []string{"internal/stat", "internal/database"}},
		{"internal/notice", []string{"internal/stat", "internal/database"}},
	},
	// The offices' servers: the contract, one package for each kind, and the table of offices.
	{
		{"internal/source", []string{"internal/stat", "internal/source/fetch"}},
		{"internal/source/replay/…", []string{"internal/source/replay"}},
	},
	{{"internal/source/plain", serverImports}},
	{{"internal/source/…", append([]string{"internal/source/plain", "internal/format", "internal/format/…"}, serverImports...)}},
	{{"internal/source/offices", append([]string{"internal/source/…"}, serverImports...)}},
	{{"internal/backup", []string{"internal/database", "internal/diskreserve", "internal/store", "internal/store/blob"}}},
	{{"internal/search/index", []string{"internal/search/terms"}}},
	{{"internal/search", []string{"internal/stat", "internal/geo", "internal/defaults", "internal/chart/caption", "internal/store", "internal/offer", "internal/topics", "internal/search/terms", "internal/search/index"}}},
	{{"internal/search/hits", []string{"internal/lazyregexp", "internal/totals", "internal/stat", "internal/geo", "internal/defaults", "internal/chart/caption", "internal/store", "internal/offer", "internal/topics", "internal/search"}}},
	{
		{"internal/importer", []string{"internal/stat", "internal/geo", "internal/format", "internal/format/…", "internal/store"}},
		{"internal/encode", []string{"internal/licence", "internal/stat", "internal/geo", "internal/defaults", "internal/store"}},
	},
	{{"internal/importprocess", []string{"internal/stat", "internal/importer", "internal/store"}}},
	{
		{"internal/request", []string{"internal/stat", "internal/geo", "internal/defaults", "internal/store", "internal/search/terms", "internal/transform", "internal/chart", "internal/chart/atlas", "internal/chart/caption", "internal/chart/words", "internal/encode"}},
	},
	{{"internal/encode/encodetest", []string{"internal/licence", "internal/stat", "internal/store", "internal/transform", "internal/chart/words", "internal/importer", "internal/encode", "internal/encode/json"}}},
	{{"internal/sdmxrest", []string{"internal/stat", "internal/format/office", "internal/store", "internal/topics", "internal/encode", "internal/encode/sdmx/…", "internal/encode/sdmx"}}},
	{
		{"internal/portal", []string{"internal/stat", "internal/pace", "internal/access", "internal/monitor", "internal/mail", "internal/people", "internal/people/provider", "internal/notice", "internal/store", "internal/chart", "internal/chart/colour", "internal/chart/caption", "internal/chart/words", "internal/request", "internal/encode/json"}}, // of the data it reads the interface as other clients do
		{"internal/agent", []string{"internal/stat", "internal/geo", "internal/defaults", "internal/chart/caption", "internal/search/terms"}}, // it reads the interface as other clients do
		{"internal/update", []string{"internal/trace", "internal/stat", "internal/source", "internal/source/fetch", "internal/source/offices", "internal/watch", "internal/offer", "internal/importer", "internal/importprocess", "internal/store"}},
		{"internal/api", []string{"internal/monitor", "internal/trace", "internal/licence", "internal/stat", "internal/geo", "internal/defaults", "internal/store", "internal/access", "internal/transform", "internal/chart", "internal/chart/atlas", "internal/chart/colour", "internal/chart/layout", "internal/chart/render", "internal/chart/embed", "internal/request", "internal/encode", "internal/encode/…", "internal/sdmxrest", "internal/search", "internal/search/hits", "internal/topics", "internal/watch", "internal/demand", "internal/offer", "internal/source/offices"}},
	},
	// Packages for tests, and the commands.
	{{"internal/stattest", []string{"internal/stat", "internal/store", "internal/format", "internal/format/…", "internal/importer"}}},
	{{"internal/stattest/postgres", []string{"internal/database", "internal/stattest"}}, {"internal/stattest/s3", []string{"internal/stattest"}}, {"internal/stattest/faultfs", nil}, {"internal/stattest/browser", []string{"internal/stattest"}}},
	{
		{"cmd/almanac", []string{".", "internal/…"}},
		{"bench", []string{"internal/stat", "internal/geo", "internal/format/…"}}, // it measures a binary
		{"gallery", []string{"internal/…"}},
		{"replay", []string{"internal/source", "internal/source/…"}},
		{"internal/source/sourcetest", []string{"internal/…"}},
		{"internal/archtest", nil},
	},
}

// readerImports lists the packages that every reader may use.
var readerImports = []string{"internal/stat", "internal/format", "internal/format/text", "internal/format/jsonscan", "internal/format/office", "internal/format/assemble"}

// serverImports lists the packages that every kind of server may use.
var serverImports = []string{"internal/stat", "internal/source", "internal/source/fetch", "internal/source/jsonstream"}

// restricted lists imports that few packages may use: the path, with /… also the
// paths below it, and the packages with all below them. Tests may use all.
var restricted = []struct {
	path     string
	packages []string
	why      string
}{
	{"database/sql", []string{"internal/store/catalog", "internal/access/register", "internal/people/register", "internal/watch", "internal/offer", "internal/demand", "internal/notice", "internal/database", "internal/stattest/postgres"}, "all SQL is in few packages, so that a second database needs only one more package"},
	{"modernc.org/sqlite/…", []string{"internal/database"}, "database files are opened in one place"},
	{"github.com/pressly/goose/…", []string{"internal/database", "internal/stattest/postgres"}, "database files are opened in one place"},
	{"github.com/parquet-go/parquet-go/…", []string{"internal/store", "internal/format/parquet", "internal/encode/parquet"}, "only the store knows the format of a version on disk"},
	{"go.opentelemetry.io/…", []string{"internal/trace"}, "what a span costs is decided in one place"},
	{"net/http", []string{"internal/trace", "internal/api", "internal/agent", "internal/portal", "internal/monitor", "internal/notice", "internal/people/provider", "internal/source", "internal/stattest/s3", "cmd/almanac", "bench", "replay"}, "the domain does not depend on HTTP"},
	{"github.com/alecthomas/kong", []string{"cmd/almanac"}, "only the command has flags"},
	{"github.com/schollz/progressbar/…", []string{"cmd/almanac"}, "only the command writes to terminals"},
	{"os/exec", []string{"internal/importprocess", "internal/stattest", "internal/chart/atlas/gen", "bench", "replay", "gallery", "clients"}, "the program starts no program but itself, for imports"},
	{"log", nil, "use the log/slog logger that the caller passes"},
	{"math/rand", nil, "use math/rand/v2 with a seed that the caller passes"},
}

// withoutIO lists the packages that only compute: callers pass readers, and they
// open nothing. They may not import ioImports.
var (
	withoutIO = []string{"internal/stat", "internal/geo", "internal/defaults", "internal/search/terms", "internal/search/index", "internal/topics", "internal/format", "internal/chart", "internal/request"}
	ioImports = []string{"os", "os/exec", "net", "syscall", "path/filepath"}
)

// vagueNames are package names that do not tell the purpose of a package.
var vagueNames = []string{"util", "utils", "common", "helper", "helpers", "model", "models", "types", "pkg", "misc", "shared", "base", "lib", "middleware", "config", "service", "services", "manager"}

// requiredNames are names that interfaces of libraries require.
var requiredNames = []string{"GetLatestVersion"}

// Limits of size: a file fits on a few screens, a function on one or two.
const (
	maxFileLines         = 450
	maxFunctionLines     = 60
	maxTestFunctionLines = 100
	maxParameters        = 5
	maxDependencies      = 45
	maxImportDepth       = 9 // the layout of bars, which share tables, stands on frame, chart, transform and words
)
