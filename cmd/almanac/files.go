package main

import (
	"context"
	"fmt"
	"os"

	"almanac/internal/importer"
)

// expandFolders replaces folders among the arguments by the files in them. It prints the
// files that are passed over.
func expandFolders(ctx context.Context, p printer, args []string) (names []string, hasFolder bool, err error) {
	for _, arg := range args {
		if info, err := os.Stat(arg); err != nil || !info.IsDir() {
			names = append(names, arg)
			continue
		}
		hasFolder = true
		files, passed, err := importer.ListFolder(ctx, arg)
		if err != nil {
			return nil, true, err
		}
		for _, file := range passed {
			fmt.Fprint(p.stderr, printable("passed over: "+file+"\n"))
		}
		if len(files) == 0 {
			return nil, true, fmt.Errorf("the folder %s has no files that may hold data", arg)
		}
		names = append(names, files...)
	}
	return names, hasFolder, nil
}

// countOutcomes counts the outcomes of an import in words.
func countOutcomes(all []importer.Outcome) string {
	text, files, ofCodes := "", map[string]bool{}, 0
	counts := map[importer.Status]int{}
	for _, o := range all {
		if len(o.Codes) > 0 {
			ofCodes++
		} else {
			counts[o.Status]++
		}
		files[o.File] = true
	}
	for _, s := range []importer.Status{importer.Created, importer.Updated, importer.Unchanged, importer.Quarantined, importer.Refused} {
		if counts[s] > 0 {
			text += fmt.Sprintf(", %d %s", counts[s], s)
		}
	}
	if ofCodes > 0 {
		text += fmt.Sprintf(", %d with codes for later imports", ofCodes)
	}
	return countOf(len(files), "file") + text
}
