package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"almanac/internal/stattest"
)

// After SIGTERM a server accepts no new connections, but a request under way gets its
// whole response, and the exit code is 0.
func TestRequestUnderWayFinishesAtShutdown(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const rows = 150_000 // more than the buffers of the system hold
	importOne(t, dir, manyRows(t, rows))

	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var log lockedBuffer
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"serve", "--data", dir, "--listen", "127.0.0.1:0"}, io.Discard, &log)
	}()
	var address string
	stattest.Eventually(t, func() error {
		found := listeningLine.FindStringSubmatch(log.String())
		if found == nil {
			return fmt.Errorf("the server does not listen:\n%s", log.String())
		}
		address = found[1]
		return nil
	})
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, address)
		if err == nil {
			err = conn.(*net.TCPConn).SetReadBuffer(16 << 10)
		}
		return conn, err
	}
	client := &http.Client{Transport: &http.Transport{DisableCompression: true, DialContext: dial}}
	resp, err := client.Get("http://" + address + "/api/datasets/1")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body := bufio.NewReader(resp.Body)
	if _, err := body.Peek(100); err != nil {
		t.Fatal(err)
	}
	stop()
	stattest.Eventually(t, func() error {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
			return fmt.Errorf("%s still accepts connections", address)
		}
		return nil
	})
	text, err := io.ReadAll(body) // the server waits ten seconds
	if err != nil {
		t.Fatalf("the response was cut off: %v", err)
	}
	var response struct {
		Data []struct{ Rows []json.RawMessage }
	}
	if err := json.Unmarshal(text, &response); err != nil {
		t.Fatal(err)
	}
	if got := len(response.Data[0].Rows); got != rows {
		t.Errorf("%d rows, want %d", got, rows)
	}
	if code := <-ended; code != exitDone {
		t.Errorf("exit code %d, want 0:\n%s", code, log.String())
	}
}

// manyRows makes a file with n days of one series.
func manyRows(t *testing.T, n int) string {
	t.Helper()
	var b bytes.Buffer
	b.WriteString("#almanac-tidy,1\n#source,nso\n#dataset,days\n#dimension,sex\n#geography,geo\nsex,geo,TIME_PERIOD,OBS_VALUE\n")
	day := time.Date(1100, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range n {
		fmt.Fprintf(&b, "T,DE,%s,%d.25\n", day.AddDate(0, 0, i).Format(time.DateOnly), i)
	}
	path := filepath.Join(t.TempDir(), "days.csv")
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestListenErrorsAreOneSentence(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for address, reason := range map[string]string{
		taken.Addr().String(): "the port is in use",
		"203.0.113.7:8080":    "not an address of this machine",
	} {
		var stderr bytes.Buffer
		code := run(t.Context(), []string{"serve", "--data", t.TempDir(), "--listen", address}, io.Discard, &stderr)
		message := stderr.String()
		if code != exitFailed || strings.Count(message, "\n") != 1 ||
			!strings.HasPrefix(message, "almanac: cannot listen on "+address) || !strings.Contains(message, reason) {
			t.Errorf("--listen %s: exit code %d, %q; want 1 and one sentence with %q", address, code, message, reason)
		}
	}
}

// Clients that send requests all the time notice nothing of a stop before the listener is
// closed, and then that nobody listens; those who look at /readyz first notice nothing at
// all. Some use their connections again, others make new ones.
func TestNoRequestIsLostAtShutdown(t *testing.T) {
	t.Parallel()
	const drain = time.Second
	s := startProgram(t, t.TempDir(), "--demo", "--limits", "anonymous=unlimited", "--drain", drain.String())
	var running sync.WaitGroup
	var answered atomic.Int64
	stopped := make(chan struct{}) // closed with the signal
	for i := range 12 {
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: i%2 == 0}}
		follows := i%3 == 0
		running.Go(func() {
			defer client.CloseIdleConnections()
			for {
				began := time.Now()
				if follows && !isReady(t, client, s.url, stopped) {
					return
				}
				status, err := requestOnce(client, s.url+"/api/datasets/1/data")
				if err == nil && status == http.StatusOK {
					answered.Add(1)
					continue
				}
				select {
				case <-stopped:
				default:
					t.Errorf("before the stop: %d %v", status, err)
					return
				}
				if follows || !errors.Is(err, syscall.ECONNREFUSED) {
					t.Errorf("a request that began %s before its failure was lost: %d %v", time.Since(began), status, err)
				}
				return
			}
		})
	}
	stattest.Eventually(t, func() error {
		if answered.Load() < 200 {
			return errors.New("few requests were answered")
		}
		return nil
	})
	began := time.Now()
	close(stopped)
	s.stop(t)
	running.Wait()
	if took := time.Since(began); took < drain {
		t.Errorf("the server ended after %s, before the drain", took)
	}
	t.Logf("%d requests answered", answered.Load())
}

// isReady reports whether /readyz is 200. It is 503 only once the server is told to stop.
func isReady(t *testing.T, client *http.Client, url string, stopped chan struct{}) bool {
	status, err := requestOnce(client, url+"/readyz")
	if err == nil && status == http.StatusOK {
		return true
	}
	select {
	case <-stopped:
	default:
		t.Errorf("not ready before the stop: %d %v", status, err)
	}
	if status != http.StatusServiceUnavailable {
		t.Errorf("/readyz is not 503 after the stop: %d %v", status, err)
	}
	return false
}

func requestOnce(client *http.Client, url string) (int, error) {
	resp, err := client.Get(url)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode, err
}
