//go:build linux

// Package faultfs is a file system for tests of what is left when a program or a machine stops. It
// keeps its files in a folder, counts the operations that change them, stops the program before a chosen one, and
// says what a power cut would leave: what was synced.
package faultfs

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	fusefs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// FS is a mounted file system.
type FS struct {
	Dir string // where programs find it

	back string // the folder with its files
	mu   sync.Mutex
	done int    // operations so far
	at   int    // number of the operation before which stop is called; 0: none
	stop func() // once
	kept map[uint64]kept
	held []*os.File // removed files, so that no other one gets their numbers

	syncs    int             // so far
	failSync int             // number of the one that fails; 0: none
	lost     map[uint64]bool // files of which a sync failed
}

// kept is what is on disk of a file or folder.
type kept struct {
	data    []byte
	entries map[string]entry // of a folder
}

type entry struct {
	inode uint64
	mode  fs.FileMode
}

// Mount mounts a file system with the files of a folder, which all count as synced, until the test ends. The
// test is skipped where no file system in user space can be mounted.
func Mount(t testing.TB, files string) *FS {
	t.Helper()
	f := &FS{Dir: t.TempDir(), back: t.TempDir(), kept: map[uint64]kept{}, lost: map[uint64]bool{}}
	if err := os.CopyFS(f.back, os.DirFS(files)); err != nil {
		t.Fatal(err)
	}
	f.keepAll(t, files)
	root, err := fusefs.NewLoopbackRoot(f.back)
	if err != nil {
		t.Fatal(err)
	}
	top := &node{LoopbackNode: root.(*fusefs.LoopbackNode), f: f}
	top.RootData.RootNode = top
	server, err := fusefs.Mount(f.Dir, top, &fusefs.Options{MountOptions: fuse.MountOptions{DirectMountStrict: true, FsName: "faultfs"}})
	if err != nil {
		t.Skipf("SKIPPED: stops at every operation are not tested, because no file system in user space can be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := server.Unmount(); err != nil {
			t.Error(err)
		}
		for _, file := range f.held {
			file.Close()
		}
	})
	return f
}

// keepAll takes all files as synced, with the modes of those that they are copies of.
func (f *FS) keepAll(t testing.TB, files string) {
	t.Helper()
	err := filepath.WalkDir(f.back, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(f.back, path)
		if err != nil {
			return err
		}
		info, err := os.Stat(filepath.Join(files, relative))
		if err != nil {
			return err
		}
		if err := os.Chmod(path, info.Mode().Perm()); err != nil {
			return err
		}
		f.keep(path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// StopAt has stop called before the n-th operation from the beginning, and lets it and all later ones fail.
func (f *FS) StopAt(n int, stop func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.at, f.stop = n, stop
}

// FailSync has the n-th sync from the beginning fail. What was to be synced of a file is lost, also if it is
// synced again, which is then said to work: Linux takes pages that it could not write for written ones. Of a folder, it can be
// synced again: its entries are in the journal of a file system.
func (f *FS) FailSync(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failSync = n
}

// Syncs returns how many syncs of files and folders there were.
func (f *FS) Syncs() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.syncs
}

// sync syncs a file or folder of the folder back, unless it fails.
func (f *FS) sync(path string) syscall.Errno {
	info, err := os.Lstat(path)
	if err != nil {
		return 0 // it was removed meanwhile
	}
	f.mu.Lock()
	f.syncs++
	isFailure, inode := f.syncs == f.failSync, inodeOf(info)
	if isFailure && !info.IsDir() {
		f.lost[inode] = true
	}
	isLost := f.lost[inode]
	f.mu.Unlock()
	if isFailure {
		return syscall.EIO
	}
	if !isLost {
		f.keep(path)
	}
	return 0
}

// Operations returns how many operations there were.
func (f *FS) Operations() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.done
}

// begin counts an operation on a file, and refuses it after the stop. Files in memory that
// processes share, of SQLite, do not count: their pages are written at any time, and nobody relies on them later.
func (f *FS) begin(name string) syscall.Errno {
	if strings.HasSuffix(name, "-shm") {
		return 0
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.done++
	if f.at == 0 || f.done < f.at {
		return 0
	}
	if f.stop != nil {
		f.stop()
		f.stop = nil
	}
	return syscall.EIO
}

// keep notes a file or folder of the folder back as synced. A file that was synced is in its folder, too, as in ext4.
func (f *FS) keep(path string) {
	info, err := os.Lstat(path)
	if err != nil {
		return // it was removed meanwhile
	}
	k := kept{}
	if info.IsDir() {
		k.entries = map[string]entry{}
		list, _ := os.ReadDir(path)
		for _, e := range list {
			if i, err := e.Info(); err == nil {
				k.entries[e.Name()] = entry{inodeOf(i), i.Mode()}
			}
		}
	} else {
		k.data, _ = os.ReadFile(path)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.kept[inodeOf(info)] = k
	folder, err := os.Stat(filepath.Dir(path))
	if err != nil || info.IsDir() {
		return
	}
	if in, isKept := f.kept[inodeOf(folder)]; isKept {
		in.entries[filepath.Base(path)] = entry{inodeOf(info), info.Mode()}
	}
}

// hold keeps a file or folder that will be removed or replaced.
func (f *FS) hold(path string) {
	if file, err := os.Open(path); err == nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.held = append(f.held, file)
	}
}

func inodeOf(info fs.FileInfo) uint64 { return info.Sys().(*syscall.Stat_t).Ino }

// Left copies to a folder what is there after the program was stopped.
func (f *FS) Left(t testing.TB, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(f.back)); err != nil {
		t.Fatal(err)
	}
}

// LeftByPowerCut copies to a folder what a power cut leaves: files as they were last synced, under the names that
// were synced.
func (f *FS) LeftByPowerCut(t testing.TB, to string) {
	t.Helper()
	info, err := os.Stat(f.back)
	if err != nil {
		t.Fatal(err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.restore(inodeOf(info), to); err != nil {
		t.Fatal(err)
	}
}

func (f *FS) restore(folder uint64, to string) error {
	if err := os.MkdirAll(to, 0o750); err != nil {
		return err
	}
	for name, e := range f.kept[folder].entries {
		path := filepath.Join(to, name)
		if e.mode.IsDir() {
			if err := f.restore(e.inode, path); err != nil {
				return err
			}
			continue
		}
		if strings.HasSuffix(name, "-shm") {
			continue
		}
		// A file that was never synced has its name and no contents.
		if err := os.WriteFile(path, f.kept[e.inode].data, e.mode.Perm()); err != nil {
			return err
		}
	}
	return nil
}
