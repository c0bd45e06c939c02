// Package trace sends spans of what a server does to a collector of OpenTelemetry, by OTLP over HTTP.
//
// It is off unless a variable of the standard says where the collector is (OTEL_EXPORTER_OTLP_ENDPOINT or
// OTEL_EXPORTER_OTLP_TRACES_ENDPOINT). Then nothing is recorded and nothing allocated. The SDK reads the other
// variables of the standard, such as OTEL_TRACES_SAMPLER. Names of spans and attributes are those of the
// semantic conventions; those of the program begin with almanac.
package trace

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	otrace "go.opentelemetry.io/otel/trace"
)

// tracer records spans; nil: tracing is off.
var tracer atomic.Pointer[otrace.Tracer]

// IsOn reports whether spans are recorded.
func IsOn() bool { return tracer.Load() != nil }

// isWanted reports whether the variables of the standard ask for traces.
func isWanted() bool {
	if strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") || os.Getenv("OTEL_TRACES_EXPORTER") == "none" {
		return false
	}
	return os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != ""
}

// stopTime bounds how long the last spans are sent.
const stopTime = 5 * time.Second

// Start begins to record and send spans, if the environment asks for it. stop sends what is left.
func Start(ctx context.Context, version string, log *slog.Logger) (stop func() error, err error) {
	if !isWanted() {
		return func() error { return nil }, nil
	}
	for _, name := range []string{"OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"} {
		if protocol := os.Getenv(name); protocol != "" && protocol != "http/protobuf" {
			return nil, fmt.Errorf("%s is %q; traces are sent by http/protobuf only, for which collectors listen on port 4318", name, protocol)
		}
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("traces cannot be sent", "error", err) }))
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("sending traces: %w", err)
	}
	about, err := resource.New(ctx,
		resource.WithAttributes(attribute.String("service.name", "almanac"), attribute.String("service.version", version)),
		resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("describing this server for traces: %w", err)
	}
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(about))
	recording := provider.Tracer("almanac")
	tracer.Store(&recording)
	return func() error {
		tracer.Store(nil)
		ctx, cancel := context.WithTimeout(context.Background(), stopTime)
		defer cancel()
		if err := provider.Shutdown(ctx); err != nil {
			log.Warn("the last traces could not be sent", "error", err)
		}
		return nil
	}, nil
}

// Span is something that takes time. The zero span records nothing.
type Span struct{ of otrace.Span }

// Begin begins a span within the one of ctx. Without one it records nothing, so that what a server does by
// itself every second makes no traces.
func Begin(ctx context.Context, name string) (context.Context, Span) {
	return begin(ctx, name, otrace.SpanKindInternal, false)
}

// BeginCall is [Begin] for something that another program does, such as a database.
func BeginCall(ctx context.Context, name string) (context.Context, Span) {
	return begin(ctx, name, otrace.SpanKindClient, false)
}

// BeginRoot is [Begin] that begins a trace if there is no span yet.
func BeginRoot(ctx context.Context, name string) (context.Context, Span) {
	return begin(ctx, name, otrace.SpanKindInternal, true)
}

func begin(ctx context.Context, name string, kind otrace.SpanKind, isRoot bool) (context.Context, Span) {
	t := tracer.Load()
	if t == nil || !isRoot && !otrace.SpanContextFromContext(ctx).IsValid() {
		return ctx, Span{}
	}
	ctx, span := (*t).Start(ctx, name, otrace.WithSpanKind(kind))
	return ctx, Span{span}
}

// BeginRequest begins the span of a request, within the trace that its caller states in the header traceparent.
func BeginRequest(r *http.Request) (*http.Request, Span) {
	t := tracer.Load()
	if t == nil {
		return r, Span{}
	}
	ctx := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	ctx, span := (*t).Start(ctx, r.Method, otrace.WithSpanKind(otrace.SpanKindServer))
	return r.WithContext(ctx), Span{span}
}

// IsRecorded reports whether what is said of a span goes anywhere.
func (s Span) IsRecorded() bool { return s.of != nil && s.of.IsRecording() }

// SetName names a span.
func (s Span) SetName(name string) {
	if s.of != nil {
		s.of.SetName(name)
	}
}

// Set says something of a span.
func (s Span) Set(key, value string) {
	if s.of != nil {
		s.of.SetAttributes(attribute.String(key, value))
	}
}

// SetNumber says a number of a span.
func (s Span) SetNumber(key string, value int64) {
	if s.of != nil {
		s.of.SetAttributes(attribute.Int64(key, value))
	}
}

// Fail says that a span failed, without its text, which may be about what somebody keeps secret.
func (s Span) Fail() {
	if s.of != nil {
		s.of.SetStatus(codes.Error, "")
	}
}

// TraceID returns the id of the trace of a span; "" if it is not recorded.
func (s Span) TraceID() string {
	if s.of == nil || !s.of.SpanContext().IsValid() {
		return ""
	}
	return s.of.SpanContext().TraceID().String()
}

// End ends a span. An error says that it failed.
func (s Span) End(err error) {
	if s.of == nil {
		return
	}
	if err != nil {
		s.Fail()
	}
	s.of.End()
}
