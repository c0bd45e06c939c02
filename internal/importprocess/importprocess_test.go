package importprocess_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"almanac/internal/importer"
	"almanac/internal/importprocess"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// TestMain is also the process of an import: the arguments are what it does, and the folder of its store.
func TestMain(m *testing.M) {
	if len(os.Args) != 3 || strings.HasPrefix(os.Args[1], "-") {
		os.Exit(m.Run())
	}
	if err := runProcess(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

var hoard [][]byte

func runProcess(what, dir string) error {
	switch what {
	case "killed":
		return syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case "broken":
		return errors.New("no such store")
	case "endless":
		time.Sleep(time.Hour)
	case "silent":
		return nil
	case "large":
		if err := importprocess.Bound(64 << 20); err != nil {
			return err
		}
		for {
			block := make([]byte, 1<<20)
			for i := range block {
				block[i] = 1
			}
			hoard = append(hoard, block)
		}
	}
	if secret := os.Getenv("ALMANAC_SMTP"); secret != "" {
		return errors.New("the process has a secret of the server")
	}
	s, err := store.Open(context.Background(), store.Options{Dir: dir})
	if err != nil {
		return err
	}
	defer s.Close()
	return importprocess.Serve(context.Background(), s, os.Stdin, os.Stdout, func() { os.Exit(3) })
}

func newPool(what, dir string) *importprocess.Pool {
	return &importprocess.Pool{Memory: 1 << 30, Args: []string{what, dir}}
}

func newFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "data.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const table = "#almanac-tidy,1\n#source,nso\n#dataset,one\n#dimension,item\n#geography,geo\nitem,geo,TIME_PERIOD,OBS_VALUE\na,DE,2020,1\n"

// TestSameResult compares results of a process with those of the same task in this one.
func TestSameResult(t *testing.T) {
	t.Setenv("ALMANAC_SMTP", "smtp://user:password@mail.example.org")
	s, err := store.Open(t.Context(), store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	dir := t.TempDir()
	for name, task := range map[string]importprocess.Task{
		"data":        {Data: []string{newFile(t, table)}, Options: importer.Options{Name: "One"}},
		"two files":   {Data: []string{newFile(t, table), newFile(t, "no table")}},
		"unread":      {Data: []string{newFile(t, table)}, Companions: []string{newFile(t, "no labels"), "missing"}},
		"no data":     {Data: []string{newFile(t, "")}},
		"ambiguous":   {Data: []string{newFile(t, "Country,Year,Amount\nDE,2020,\"1,234\"\nFR,2020,\"2,345\"\n")}},
		"bad options": {Options: importer.Options{Country: "Atlantis"}},
	} {
		want, wantErr := task.Run(t.Context(), s)
		got, err := newPool("import", dir).Run(t.Context(), task)
		if fmt.Sprint(err) != fmt.Sprint(wantErr) || stat.KindOf(err) != stat.KindOf(wantErr) {
			t.Errorf("%s: the error is %v, want %v", name, err, wantErr)
		}
		for _, r := range []importprocess.Result{got, want} {
			for i := range r.Outcomes {
				o := &r.Outcomes[i]
				o.ID, o.Version, o.Status = 0, "", "" // the order of the tasks is random
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the result is\n%+v, want\n%+v", name, got, want)
		}
	}
}

// TestQuestions answers a process that asks whether it may publish.
func TestQuestions(t *testing.T) {
	refusal := stat.Errorf(stat.Refused, "it belongs to another one")
	lost := stat.Errorf(stat.Conflict, "the lease is lost")
	for name, c := range map[string]struct{ claim, permit, want error }{
		"yes":       {nil, nil, nil},
		"no claim":  {refusal, nil, refusal},
		"no permit": {nil, lost, lost},
	} {
		asked := ""
		task := importprocess.Task{Data: []string{newFile(t, table)}, Options: importer.Options{
			Claim: func(source, code string, id int) error {
				asked += source + " " + code + strconv.Itoa(id)
				return c.claim
			},
			Permit: func(context.Context) error { asked += ", permit"; return c.permit },
		}}
		r, err := newPool("import", t.TempDir()).Run(t.Context(), task)
		if err != nil || len(r.Outcomes) != 1 {
			t.Fatalf("%s: %+v, %v", name, r, err)
		}
		o := r.Outcomes[0]
		if c.want == nil && (o.Status != importer.Created || asked != "nso one0, permit") {
			t.Errorf("%s: %+v after %q", name, o, asked)
		}
		if c.want != nil && (o.Status != importer.Refused || !strings.Contains(o.Error, c.want.Error()) || o.Kind != stat.KindOf(c.want)) {
			t.Errorf("%s: %+v", name, o)
		}
	}
}

// TestEndedProcess checks what is said of a process that ends without a result.
func TestEndedProcess(t *testing.T) {
	for what, want := range map[string]string{
		"killed":  "the process of the import was killed",
		"broken":  "the process of the import ended with exit status 1: no such store",
		"silent":  "the process of the import ended without a result",
		"large":   "the import needs more memory than the 1.0 GiB that it may have",
		"endless": "the import takes longer than the 1s that it may take",
	} {
		if what == "large" && runtime.GOOS != "linux" {
			continue
		}
		pool := newPool(what, t.TempDir())
		if what == "endless" {
			pool.Time = time.Second
		}
		_, err := pool.Run(t.Context(), importprocess.Task{Data: []string{newFile(t, table)}})
		ended, ok := errors.AsType[*importprocess.EndedError](err)
		if !ok || !strings.HasPrefix(ended.Reason, want) || ended.IsBeyondBound != (what == "large" || what == "endless") || stat.KindOf(err) != stat.Internal {
			t.Errorf("%s: %v, want %s", what, err, want)
		}
	}
}

// TestCancelledTask checks that the process of a task ends with its context.
func TestCancelledTask(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	task := importprocess.Task{Data: []string{newFile(t, table)}, Options: importer.Options{
		Claim: func(string, string, int) error { cancel(); return nil },
	}}
	_, err := newPool("import", t.TempDir()).Run(ctx, task)
	if _, isEnded := errors.AsType[*importprocess.EndedError](err); err == nil || isEnded {
		t.Errorf("the error is %v, want one that is no fault of the process", err)
	}
}
