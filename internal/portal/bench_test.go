package portal_test

import (
	"io"
	"net/http"
	"syscall"
	"testing"
)

// BenchmarkDatasetPage measures the time of the processor that pages of datasets in memory take, with
// that of the client, which is small. Other work on the machine does not change it.
func BenchmarkDatasetPage(b *testing.B) {
	base := serve(b, realStore(b), nil)
	for name, address := range map[string]string{"line": "/datasets/1/une_rt_a", "chosen": "/datasets/1/une_rt_a?country=EL&country=ES", "many areas": "/datasets/3/co2-emissions-per-capita", "days": "/datasets/2/eurofxref"} {
		b.Run(name, func(b *testing.B) { measure(b, base+address) })
	}
}

func measure(b *testing.B, address string) {
	read := func() {
		response, err := http.Get(address)
		if err != nil {
			b.Fatal(err)
		}
		io.Copy(io.Discard, response.Body)
		response.Body.Close()
		if response.StatusCode != http.StatusOK {
			b.Fatal(response.Status)
		}
	}
	read()
	before := processorTime()
	for b.Loop() {
		read()
	}
	b.ReportMetric(float64(processorTime()-before)/1e6/float64(b.N), "cpu-ms/op")
}

// processorTime returns the time that this process has used the processor, in nanoseconds.
func processorTime() int64 {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return used.Utime.Nano() + used.Stime.Nano()
}
