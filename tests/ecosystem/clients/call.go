// Makes one POST or GET with the standard library of Go, and prints the status and the body.
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

func main() {
	response, err := http.Post(os.Args[1], "application/json", strings.NewReader(os.Args[2]))
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	body, _ := io.ReadAll(response.Body)
	fmt.Println(response.StatusCode, string(body))
}
