package archtest

// row is what a package may import of ours. A name that ends in /… stands for
// each of the packages below it.
type row struct {
	name string
	may  []string
}

// levels are the packages from the bottom up. A package imports what its row
// names, and no row names a package of its own level or of one above; so imports
// point down. A package without a row has that of the nearest package above it
// in the tree, and the packages of one row may import one another. The packages
// of a row /… may not: each imports what the row names and what stands below
// itself.
var levels = [][]row{
	{
		{"internal/stat", nil},
		{"internal/geo", nil},
		{"internal/sample", nil},
		{"internal/sqlitefile", nil},
	},
	// The readers: the contract, what they share, and one package a format.
	{{"internal/format", []string{"internal/stat"}}},
	{{"internal/format/text", []string{"internal/stat", "internal/format"}}},
	{{"internal/format/jsonscan", []string{"internal/stat", "internal/format", "internal/format/text"}}},
	{{"internal/format/office", []string{"internal/stat", "internal/format", "internal/format/text"}}},
	{{"internal/format/assemble", []string{"internal/stat", "internal/format", "internal/format/text", "internal/format/office"}}},
	{{"internal/format/xlsx", readerImports}},
	{{"internal/format/table", append([]string{"internal/format/xlsx"}, readerImports...)}},
	{{"internal/format/sdmx", readerImports}},
	{
		{"internal/format/…", append([]string{"internal/format/table", "internal/format/xlsx"}, readerImports...)},
		{"internal/format/sdmx/…", append([]string{"internal/format/sdmx"}, readerImports...)},
	},
	{
		{"internal/store", []string{"internal/stat", "internal/sqlitefile"}},
		{"internal/access", []string{"internal/stat", "internal/sqlitefile"}},
		{"internal/chart", []string{"internal/stat", "internal/geo"}},
		{"internal/source", []string{"internal/stat", "internal/format", "internal/format/…"}},
		{"internal/watch", []string{"internal/stat", "internal/sqlitefile"}},
	},
	{
		{"internal/importer", []string{"internal/stat", "internal/geo", "internal/format", "internal/format/…", "internal/store"}},
		{"internal/request", []string{"internal/stat", "internal/geo", "internal/store", "internal/chart"}},
		{"internal/encode", []string{"internal/stat", "internal/geo", "internal/store"}},
	},
	{
		{"internal/update", []string{"internal/stat", "internal/source", "internal/source/fetch", "internal/watch", "internal/importer", "internal/store"}},
		{"internal/api", append([]string{"internal/watch"}, pageImports...)},
		{"internal/agent", pageImports},
		{"internal/portal", pageImports},
	},
	// The commands, and what only tests and developers run.
	{
		{"cmd/almanac", []string{"internal/…"}},
		{"bench", []string{"internal/…"}},
		{"gallery", []string{"internal/…"}},
		{"replay", []string{"internal/source", "internal/source/…"}},
		{"internal/sample/gen", []string{"internal/stat", "internal/format/…"}},
		{"internal/stattest", []string{"internal/stat", "internal/store", "internal/format", "internal/format/…", "internal/importer"}},
		{"internal/archtest", nil},
	},
}

// readerImports is what every reader may use.
var readerImports = []string{"internal/stat", "internal/format", "internal/format/text", "internal/format/jsonscan", "internal/format/office", "internal/format/assemble"}

// pageImports is what every interface may use.
var pageImports = []string{"internal/stat", "internal/geo", "internal/store", "internal/access", "internal/chart", "internal/chart/render", "internal/request", "internal/encode/…"}

// restricted are imports that few packages may use: the path or, with /…, the
// paths below it too; and the packages, with all below them. Tests are free.
var restricted = []struct {
	path     string
	packages []string
	why      string
}{
	{"database/sql", []string{"internal/store/catalog", "internal/access/register", "internal/watch", "internal/sqlitefile"}, "all SQL stands in few packages, so that a second database is one package more"},
	{"almanac/internal/sqlitefile", []string{"internal/store/catalog", "internal/access/register", "internal/watch"}, "the packages that hold SQL open their files themselves"},
	{"modernc.org/sqlite/…", []string{"internal/sqlitefile"}, "how a database file is opened is decided once"},
	{"github.com/pressly/goose/…", []string{"internal/sqlitefile"}, "how a database file is opened is decided once"},
	{"github.com/parquet-go/parquet-go/…", []string{"internal/store"}, "only the store knows what a version looks like on disk"},
	{"net/http", []string{"internal/api", "internal/agent", "internal/portal", "internal/source", "cmd/almanac", "bench", "replay"}, "the domain does not know how it is asked"},
	{"github.com/alecthomas/kong", []string{"cmd/almanac"}, "only the command knows flags"},
	{"github.com/schollz/progressbar/…", []string{"cmd/almanac"}, "only the command knows terminals"},
	{"log", nil, "log with the log/slog logger that is handed in"},
	{"math/rand", nil, "use math/rand/v2 with a seed that is handed in"},
}

// withoutIO are the packages that only compute: they are handed readers and
// never open anything themselves. ioImports are what they do not import.
var (
	withoutIO = []string{"internal/stat", "internal/geo", "internal/format", "internal/chart", "internal/request"}
	ioImports = []string{"os", "os/exec", "net", "syscall", "path/filepath"}
)

// vagueNames are package names that do not tell what a package owns.
var vagueNames = []string{"util", "utils", "common", "helper", "helpers", "model", "models", "types", "pkg", "misc", "shared", "base", "lib", "middleware", "config", "service", "services", "manager"}

// demandedNames are names that interfaces of libraries demand.
var demandedNames = []string{"GetLatestVersion"}

// Sizes that keep a file on a few screens and a function on one or two.
const (
	maxFileLines         = 450
	maxFunctionLines     = 60
	maxTestFunctionLines = 100
	maxParameters        = 5
	maxDependencies      = 25
	maxImportDepth       = 6
)

// tooLong are files that are, or hold a function that is, longer than that.
var tooLong = []string{
	"internal/format/dbnomics/answer.go",
	"internal/importer/read.go",
}
