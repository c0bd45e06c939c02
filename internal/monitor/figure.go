package monitor

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Figure is a number of the program that is read whenever metrics are.
type Figure struct {
	Name, Help string
	// IsTotal says that the number only grows while the program runs.
	IsTotal bool
	// Labels are the names of the labels of its values.
	Labels []string
	// Read returns the values; an error hides the figure from this reading.
	Read func(context.Context) ([]Value, error)
}

// Value is a value of a figure with the values of its labels.
type Value struct {
	Number float64
	Labels []string
}

// Number is a figure of one value that is always known.
func Number[N int | int64 | uint64](n N) ([]Value, error) { return []Value{{Number: float64(n)}}, nil }

// readTime bounds how long the figures of one reading may take.
const readTime = 5 * time.Second

// Add adds figures to the metrics.
func (m *Monitor) Add(figures ...Figure) {
	for _, f := range figures {
		kind := prometheus.GaugeValue
		if f.IsTotal {
			kind = prometheus.CounterValue
		}
		m.registry.MustRegister(&figure{f, prometheus.NewDesc(f.Name, f.Help, f.Labels, nil), kind})
	}
}

type figure struct {
	Figure
	description *prometheus.Desc
	kind        prometheus.ValueType
}

// Describe sends the description of the figure.
func (f *figure) Describe(to chan<- *prometheus.Desc) { to <- f.description }

// Collect sends the values of the figure.
func (f *figure) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), readTime)
	defer cancel()
	values, err := f.Read(ctx)
	if err != nil {
		to <- prometheus.NewInvalidMetric(f.description, err)
		return
	}
	for _, v := range values {
		to <- prometheus.MustNewConstMetric(f.description, f.kind, v.Number, v.Labels...)
	}
}
