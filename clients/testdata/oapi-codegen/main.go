// Main reads values with the client that oapi-codegen generates, and prints them.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"almanac/clients/generated/almanac"
)

func main() {
	if err := read(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func read(address string) error {
	client, err := almanac.NewClientWithResponses(address)
	if err != nil {
		return err
	}
	var byNumber, byCode almanac.DatasetID
	if err := byNumber.FromDatasetID0(1); err != nil {
		return err
	}
	if err := byCode.FromDatasetID1("gapminder:gapminder"); err != nil {
		return err
	}
	params := &almanac.ReadDataParams{Dim1: &[]string{"Life expectancy"}, Country: &[]string{"Germany", "Japan"}, Period: ptr("2000")}
	for _, id := range []almanac.DatasetID{byNumber, byCode} {
		answer, err := client.ReadDataWithResponse(context.Background(), id, params)
		if err != nil {
			return err
		}
		if answer.StatusCode() != http.StatusOK {
			return fmt.Errorf("%s: %s", answer.Status(), answer.Body)
		}
		for _, block := range answer.JSON200.Data {
			for _, row := range block.Rows {
				fmt.Println(*block.SeriesKey.Dim1Value, row.Period, row.Values)
			}
		}
	}
	return nil
}

func ptr[T any](value T) *T { return &value }
