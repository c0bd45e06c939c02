package archtest

// room is a package of the house and the packages of ours that it may import.
// A name that ends in /… stands for the packages below it.
type room struct {
	name string
	may  []string
}

// levels are the rooms from the ground up. A room may import what its row
// says, and no row names a room of its own level or of one above; so arrows
// point down. A package below a room (internal/store/catalog) belongs to the
// room and may import what the room may, and its siblings there.
var levels = [][]room{
	{
		{"internal/stat", nil},
		{"internal/geo", nil},
		{"internal/sample", nil},
		{"internal/sqlitefile", nil},
	},
	{
		{"internal/format", []string{"internal/stat"}},
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
	},
	{
		{"internal/update", []string{"internal/stat", "internal/source", "internal/source/fetch", "internal/watch", "internal/importer", "internal/store"}},
		{"internal/api", []string{"internal/stat", "internal/geo", "internal/store", "internal/access", "internal/watch", "internal/chart", "internal/chart/ink", "internal/request"}},
		{"internal/portal", []string{"internal/stat", "internal/geo", "internal/store", "internal/access", "internal/chart", "internal/chart/ink", "internal/request"}},
	},
	{
		{"cmd/almanac", []string{"internal/…"}},
		{"bench", []string{"internal/…"}},
		{"gallery", []string{"internal/…"}},
		{"replay", []string{"internal/source", "internal/source/…"}},
		{"internal/sample/gen", []string{"internal/stat", "internal/format/…"}},
		{"internal/stattest", []string{"internal/stat", "internal/store", "internal/format/…", "internal/importer"}},
		{"internal/archtest", nil},
	},
}

// siblings are the rooms in which each package below stands for itself and
// knows nothing of the others: one file format does not use another.
var siblings = []string{"internal/format"}

// grounds are packages among siblings that all of them may use: what several
// formats are made of.
var grounds = []string{"internal/format/table", "internal/format/xlsx", "internal/format/assemble", "internal/format/text", "internal/format/jsonscan", "internal/format/office"}

// fences name what may be imported in few places only: the path or, with /…,
// a group of paths, and the rooms that may. Tests are free.
var fences = []struct {
	path  string
	rooms []string
	why   string
}{
	{"database/sql", []string{"internal/store/catalog", "internal/access/register", "internal/watch", "internal/sqlitefile"}, "all SQL of a room stands in one package, so that a second database is one package more"},
	{"almanac/internal/sqlitefile", []string{"internal/store/catalog", "internal/access/register", "internal/watch"}, "the packages that hold SQL open their files themselves"},
	{"modernc.org/sqlite/…", []string{"internal/sqlitefile"}, "how a database file is opened is said once"},
	{"github.com/parquet-go/parquet-go/…", []string{"internal/store"}, "what a vintage looks like on disk is the store's own affair"},
	{"net/http", []string{"internal/api", "internal/portal", "internal/source", "cmd/almanac", "bench", "replay"}, "the domain does not know how it is asked"},
	{"github.com/alecthomas/kong", []string{"cmd/almanac"}, "flags are the command's affair"},
	{"github.com/schollz/progressbar/…", []string{"cmd/almanac"}, "terminals are the command's affair"},
	{"log", nil, "log with the log/slog logger that is handed in"},
	{"math/rand", nil, "use math/rand/v2 with a seed that is handed in"},
}

// withoutIO are the rooms that only compute: they are handed readers and
// never open anything themselves.
var withoutIO = []string{"internal/stat", "internal/geo", "internal/format", "internal/chart", "internal/request"}

// io are the imports that a room without I/O does not have.
var io = []string{"os", "os/exec", "net", "syscall", "path/filepath"}

// drawers are package names that say nothing of what a package owns.
var drawers = []string{"util", "utils", "common", "helper", "helpers", "model", "models", "types", "pkg", "misc", "shared", "base", "lib", "middleware", "config", "service", "services", "manager"}

// Sizes that keep a file on a few screens and a function on one or two.
const (
	maxFileLines     = 500
	maxFunctionLines = 100
	maxParameters    = 5
	maxDependencies  = 25
	maxImportDepth   = 6
)
