//go:build linux

package faultfs

import (
	"context"
	"path/filepath"
	"syscall"

	fusefs "github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// node is a file or folder. Its methods are those of a file system that changes something; each is counted.
type node struct {
	*fusefs.LoopbackNode
	NoCopying
	f *FS
}

// NoCopying has a method of the same name as LoopbackNode, so that node has neither: the kernel then does not
// copy within the file system, but reads and writes, which is counted.
type NoCopying struct{}

// CopyFileRange does nothing.
func (NoCopying) CopyFileRange() {}

// WrapChild makes a node of each file.
func (n *node) WrapChild(_ context.Context, ops fusefs.InodeEmbedder) fusefs.InodeEmbedder {
	return &node{LoopbackNode: ops.(*fusefs.LoopbackNode), f: n.f}
}

func (n *node) path() string { return filepath.Join(n.f.back, n.EmbeddedInode().Path(nil)) }

// Create implements [fusefs.NodeCreater].
func (n *node) Create(ctx context.Context, name string, flags, mode uint32, out *fuse.EntryOut) (*fusefs.Inode, fusefs.FileHandle, uint32, syscall.Errno) {
	if errno := n.f.begin(name); errno != 0 {
		return nil, nil, 0, errno
	}
	inode, file, openFlags, errno := n.LoopbackNode.Create(ctx, name, flags, mode, out)
	if errno != 0 {
		return nil, nil, 0, errno
	}
	return inode, openFile{LoopbackFile: file.(*fusefs.LoopbackFile)}, openFlags, 0
}

// Open implements [fusefs.NodeOpener].
func (n *node) Open(ctx context.Context, flags uint32) (fusefs.FileHandle, uint32, syscall.Errno) {
	file, openFlags, errno := n.LoopbackNode.Open(ctx, flags)
	if errno != 0 {
		return nil, 0, errno
	}
	return openFile{LoopbackFile: file.(*fusefs.LoopbackFile)}, openFlags, 0
}

// openFile is an open file.
type openFile struct {
	*fusefs.LoopbackFile
	NoPassing
}

// NoPassing has a method of the same name as LoopbackFile, so that openFile has neither: the kernel then does not write to
// the file below by itself, but through this file system.
type NoPassing struct{}

// PassthroughFd does nothing.
func (NoPassing) PassthroughFd() {}

// Write implements [fusefs.NodeWriter].
func (n *node) Write(ctx context.Context, file fusefs.FileHandle, data []byte, off int64) (uint32, syscall.Errno) {
	if errno := n.f.begin(n.path()); errno != 0 {
		return 0, errno
	}
	return file.(fusefs.FileWriter).Write(ctx, data, off)
}

// Setattr implements [fusefs.NodeSetattrer]; cutting a file is an operation.
func (n *node) Setattr(ctx context.Context, file fusefs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	if _, isCut := in.GetSize(); isCut {
		if errno := n.f.begin(n.path()); errno != 0 {
			return errno
		}
	}
	return n.LoopbackNode.Setattr(ctx, file, in, out)
}

// Fsync implements [fusefs.NodeFsyncer].
func (n *node) Fsync(context.Context, fusefs.FileHandle, uint32) syscall.Errno {
	if errno := n.f.begin(n.path()); errno != 0 {
		return errno
	}
	return n.f.sync(n.path())
}

// Mkdir implements [fusefs.NodeMkdirer].
func (n *node) Mkdir(ctx context.Context, name string, mode uint32, out *fuse.EntryOut) (*fusefs.Inode, syscall.Errno) {
	if errno := n.f.begin(name); errno != 0 {
		return nil, errno
	}
	return n.LoopbackNode.Mkdir(ctx, name, mode, out)
}

// Unlink implements [fusefs.NodeUnlinker].
func (n *node) Unlink(ctx context.Context, name string) syscall.Errno {
	if errno := n.f.begin(name); errno != 0 {
		return errno
	}
	n.f.hold(filepath.Join(n.path(), name))
	return n.LoopbackNode.Unlink(ctx, name)
}

// Rmdir implements [fusefs.NodeRmdirer].
func (n *node) Rmdir(ctx context.Context, name string) syscall.Errno {
	if errno := n.f.begin(name); errno != 0 {
		return errno
	}
	n.f.hold(filepath.Join(n.path(), name))
	return n.LoopbackNode.Rmdir(ctx, name)
}

// Rename implements [fusefs.NodeRenamer].
func (n *node) Rename(ctx context.Context, name string, parent fusefs.InodeEmbedder, newName string, flags uint32) syscall.Errno {
	if errno := n.f.begin(name); errno != 0 {
		return errno
	}
	n.f.hold(filepath.Join(n.f.back, parent.EmbeddedInode().Path(nil), newName))
	return n.LoopbackNode.Rename(ctx, name, parent, newName, flags)
}

// Link implements [fusefs.NodeLinker].
func (n *node) Link(ctx context.Context, target fusefs.InodeEmbedder, name string, out *fuse.EntryOut) (*fusefs.Inode, syscall.Errno) {
	if errno := n.f.begin(name); errno != 0 {
		return nil, errno
	}
	return n.LoopbackNode.Link(ctx, target, name, out)
}

// OpendirHandle implements [fusefs.NodeOpendirHandler].
func (n *node) OpendirHandle(ctx context.Context, flags uint32) (fusefs.FileHandle, uint32, syscall.Errno) {
	handle, flags, errno := n.LoopbackNode.OpendirHandle(ctx, flags)
	if errno != 0 {
		return nil, 0, errno
	}
	return folder{handle.(openFolder), n}, flags, 0
}

// openFolder is what the library can do with an open folder.
type openFolder interface {
	fusefs.FileReaddirenter
	fusefs.FileSeekdirer
	fusefs.FileReleasedirer
}

// folder is an open folder.
type folder struct {
	openFolder
	node *node
}

// Fsyncdir implements [fusefs.FileFsyncdirer].
func (d folder) Fsyncdir(ctx context.Context, flags uint32) syscall.Errno {
	return d.node.Fsync(ctx, nil, flags)
}
