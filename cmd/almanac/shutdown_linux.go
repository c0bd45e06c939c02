package main

import (
	"net"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// tcpFlags is the offset of the flags in the header of a TCP segment, in bytes.
const (
	tcpFlags = 13
	flagSYN  = 0x02
	flagACK  = 0x10
)

// refuseConnections makes a listener ignore clients that begin to connect. Those whose
// connection the system has made already, or is making, are still accepted: closing the
// listener at once would cut them off. The others try again within a second, and find the
// next server or none. Without the filter, which some systems do not allow, a few
// connections may be cut off.
func refuseConnections(listener net.Listener) {
	tcp, ok := listener.(*net.TCPListener)
	if !ok {
		return
	}
	program, err := bpf.Assemble([]bpf.Instruction{
		bpf.LoadAbsolute{Off: tcpFlags, Size: 1},
		bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: flagSYN | flagACK},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: flagSYN, SkipFalse: 1},
		bpf.RetConstant{Val: 0}, // drop the segment
		bpf.RetConstant{Val: 1 << 16},
	})
	if err != nil {
		return
	}
	filter := make([]unix.SockFilter, len(program))
	for i, in := range program {
		filter[i] = unix.SockFilter{Code: in.Op, Jt: in.Jt, Jf: in.Jf, K: in.K}
	}
	connection, err := tcp.SyscallConn()
	if err != nil {
		return
	}
	_ = connection.Control(func(fd uintptr) {
		_ = unix.SetsockoptSockFprog(int(fd), unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]})
	})
}
