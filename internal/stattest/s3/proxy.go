package s3

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Proxy is between a program and the server. It forwards requests with a fault, and
// counts what it sends.
type Proxy struct {
	bucket   Bucket
	address  string
	mu       sync.Mutex
	fault    Fault
	forward  *httputil.ReverseProxy
	requests atomic.Int64
	bytes    atomic.Int64 // of bodies of responses
}

// Fault is what is wrong with an object store. The zero value is nothing.
type Fault struct {
	Status   int           // of all responses, without asking the server
	Stop     bool          // connections are closed at once
	Stall    bool          // no response begins
	Delay    time.Duration // before each response
	CutOff   bool          // the connection is closed in the middle of each body
	Short    bool          // bodies are shorter than they should be, and say so
	Flip     bool          // a byte in the middle of each body is another one
	OnlyOnce bool          // the fault ends with the next request
	Method   string        // the fault is only in requests with this method
}

// NewProxy starts a proxy on this machine, which ends with the test.
func NewProxy(t testing.TB, b Bucket) *Proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{bucket: b, address: listener.Addr().String()}
	to := &url.URL{Scheme: "http", Host: server.address}
	p.forward = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.Host = r.In.Host // it is signed
		},
		ModifyResponse: p.spoil,
	}
	s := &http.Server{Handler: p}
	go func() { _ = s.Serve(listener) }() // it ends with an error
	t.Cleanup(func() { s.Close() })
	return p
}

// Place returns the address of the bucket through the proxy.
func (p *Proxy) Place() string { return p.bucket.place(p.address) }

// Set sets the fault.
func (p *Proxy) Set(f Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault = f
}

// Reset sets the counts to 0 and returns what they were.
func (p *Proxy) Reset() (requests, bytes int64) { return p.requests.Swap(0), p.bytes.Swap(0) }

// faultOf returns the fault of a request.
func (p *Proxy) faultOf(r *http.Request) Fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.fault
	if f.Method != "" && f.Method != r.Method {
		return Fault{}
	}
	if f.OnlyOnce {
		p.fault = Fault{}
	}
	return f
}

// ServeHTTP implements [http.Handler].
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.requests.Add(1)
	f := p.faultOf(r)
	time.Sleep(f.Delay)
	switch {
	case f.Stall:
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	case f.Stop:
		panic(http.ErrAbortHandler)
	case f.Status != 0:
		http.Error(w, "fault", f.Status)
		return
	}
	if f.CutOff || f.Short || f.Flip {
		r.Header.Set(faultHeader, map[bool]string{f.CutOff: "cut off", f.Short: "short", f.Flip: "flip"}[true])
	}
	p.forward.ServeHTTP(w, r)
}

// faultHeader tells spoil what to do with the response to a request.
const faultHeader = "X-Fault"

// spoil changes the body of a response to a request for an object.
func (p *Proxy) spoil(response *http.Response) error {
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	response.Body.Close()
	middle := len(body) / 2
	if response.Request.Method == http.MethodGet && len(body) > 0 {
		switch response.Request.Header.Get(faultHeader) {
		case "cut off":
			body = body[:middle]
		case "short":
			body = body[:middle]
			response.Header.Del("Content-Length")
			response.ContentLength = -1
		case "flip":
			body[middle] ^= 0xff
		}
	}
	p.bytes.Add(int64(len(body)))
	response.Body = io.NopCloser(bytes.NewReader(body))
	return nil
}
