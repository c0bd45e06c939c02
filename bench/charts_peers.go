package main

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// peerNames are the modules in the folder peers that draw.
var peerNames = []string{"echarts", "vega"}

// peerFiles draw the same charts with other libraries, on Node.
//
//go:embed peers/*.mjs peers/package.json
var peerFiles embed.FS

// installPeers puts the other libraries into a folder, with npm where they are
// not there yet, and returns it. An error says why they cannot be had.
func installPeers(ctx context.Context, dir string, log io.Writer) (string, error) {
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			return "", fmt.Errorf("%s is not installed here", tool)
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	installed, err := os.ReadFile(filepath.Join(dir, "node_modules", "package.json"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	if err := copyPeers(dir); err != nil {
		return "", err
	}
	wanted, err := peerFiles.ReadFile("peers/package.json")
	if err != nil {
		return "", err
	}
	if bytes.Equal(installed, wanted) {
		return dir, nil
	}
	fmt.Fprintf(log, "installing other chart libraries in %s\n", dir)
	cmd := exec.CommandContext(ctx, "npm", "install", "--no-audit", "--no-fund", "--no-package-lock")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm cannot install them: %w\n%s", err, out)
	}
	return dir, os.WriteFile(filepath.Join(dir, "node_modules", "package.json"), wanted, 0o644)
}

func copyPeers(dir string) error {
	files, err := peerFiles.ReadDir("peers")
	if err != nil {
		return err
	}
	for _, f := range files {
		text, err := peerFiles.ReadFile("peers/" + f.Name())
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, f.Name()), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
