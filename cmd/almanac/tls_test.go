package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/internal/stattest"
)

// TestServeHTTPS serves HTTPS with HTTP/2 from the files of a certificate, which are
// read again when they change, and keeps the one before while they are wrong.
func TestServeHTTPS(t *testing.T) {
	t.Parallel()
	dir, folder := t.TempDir(), t.TempDir()
	trusted := x509.NewCertPool()
	writeCertificate(t, folder, 1, trusted)
	key := makeKey(t, dir, "newsroom", "pro")
	s := startProgram(t, dir, "--public", "--admin-listen", "127.0.0.1:0",
		"--tls-certificate", filepath.Join(folder, "cert.pem"), "--tls-key", filepath.Join(folder, "key.pem"))
	url := "https://" + s.address()
	// get returns the serial number of the certificate.
	get := func() (serial int64, err error) {
		client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted}, ForceAttemptHTTP2: true, DisableKeepAlives: true}}
		r, err := http.NewRequest(http.MethodGet, url+"/api/datasets", nil)
		if err != nil {
			return 0, err
		}
		r.Header.Set("X-API-Key", key.Key)
		resp, err := client.Do(r)
		if err != nil {
			return 0, err
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK || resp.ProtoMajor != 2 || resp.Header.Get("Strict-Transport-Security") == "" {
			return 0, fmt.Errorf("%s %s with headers %v", resp.Proto, resp.Status, resp.Header)
		}
		return resp.TLS.PeerCertificates[0].SerialNumber.Int64(), nil
	}
	waitFor := func(want int64) {
		t.Helper()
		stattest.Eventually(t, func() error {
			if got, err := get(); err != nil || got != want {
				return fmt.Errorf("certificate %d, %v; want %d", got, err, want)
			}
			return nil
		})
	}
	waitFor(1)
	if !strings.Contains(s.output.String(), "listening on https://") || strings.Contains(s.output.String(), "no key will be accepted") {
		t.Errorf("the server says:\n%s", s.output.String())
	}
	if status, _ := readAddress(t, s.url+"/healthz"); status != http.StatusBadRequest {
		t.Errorf("plain HTTP is answered with %d", status)
	}
	if _, err := (&tls.Dialer{Config: &tls.Config{RootCAs: trusted, MaxVersion: tls.VersionTLS11}}).Dial("tcp", s.address()); err == nil {
		t.Error("TLS 1.1 is accepted")
	}
	if err := os.WriteFile(filepath.Join(folder, "key.pem"), []byte("half a key"), 0o600); err != nil {
		t.Fatal(err)
	}
	stattest.Eventually(t, func() error {
		if got, err := get(); err != nil || got != 1 {
			return fmt.Errorf("certificate %d, %v, while the key is damaged", got, err)
		}
		if !strings.Contains(s.output.String(), "the certificate changed and cannot be used") {
			return fmt.Errorf("the log does not say that the key is damaged:\n%s", s.output.String())
		}
		return nil
	})
	writeCertificate(t, folder, 2, trusted)
	waitFor(2)
	if _, text := readAddress(t, adminAddress(t, s)+"/metrics"); !strings.Contains(text, "\nalmanac_certificate_expiry_timestamp_seconds ") {
		t.Error("the metrics lack the end of the certificate")
	}
	s.stop(t)
}

// A server does not start with half of the flags or without a certificate in the files.
func TestWrongCertificate(t *testing.T) {
	t.Parallel()
	for want, flags := range map[string][]string{
		"--tls-certificate and --tls-key belong together": {"--tls-key", "key.pem"},
		"certificate cert.pem with the key key.pem":       {"--tls-certificate", "cert.pem", "--tls-key", "key.pem"},
	} {
		_, stderr, code := commandLine(t, append([]string{"serve", "--data", t.TempDir(), "--listen", "127.0.0.1:0"}, flags...)...)
		if code == exitDone || !strings.Contains(stderr, want) {
			t.Errorf("exit code %d, %q; want %q", code, stderr, want)
		}
	}
}

// writeCertificate writes a certificate for 127.0.0.1 and its key, and makes clients trust it.
func writeCertificate(t *testing.T, folder string, serial int64, trusted *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	text, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{"cert.pem": {Type: "CERTIFICATE", Bytes: text}, "key.pem": {Type: "PRIVATE KEY", Bytes: private}} {
		if err := os.WriteFile(filepath.Join(folder, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	certificate, err := x509.ParseCertificate(text)
	if err != nil {
		t.Fatal(err)
	}
	trusted.AddCert(certificate)
}
