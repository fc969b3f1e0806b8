package shop

// Helpers for tests with giftsim, to copy: one simulator for all tests, and a world for each. Standard library only.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"testing"
)

const control = "/_sim/v1/worlds"

var simulator string // its address

// TestMain starts a simulator on a free port, or uses the one that GIFTSIM_URL names.
func TestMain(m *testing.M) {
	simulator = os.Getenv("GIFTSIM_URL")
	if simulator != "" {
		os.Exit(m.Run())
	}
	process := exec.Command("giftsim", "serve", "--port", "0", "--json")
	process.Stderr = os.Stderr
	output, err := process.StdoutPipe()
	if err == nil {
		err = process.Start()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "giftsim cannot be started:", err)
		os.Exit(2)
	}
	line, _ := bufio.NewReader(output).ReadBytes('\n')
	var started struct{ Origin string }
	if json.Unmarshal(line, &started) != nil {
		os.Exit(2)
	}
	simulator = started.Origin
	status := m.Run()
	process.Process.Kill()
	process.Wait()
	os.Exit(status)
}

// World is one test's own: nobody else sees or disturbs it.
type World struct {
	t           *testing.T
	ID          string
	Credentials map[string]struct{ Value string }
}

// NewWorld makes a world, which is deleted at the end of the test.
func NewWorld(t *testing.T) *World {
	t.Helper()
	w := &World{t: t}
	w.send("POST", control, map[string]any{"fixture": "empty"}, w)
	t.Cleanup(func() { w.Control("DELETE", "", nil, nil) })
	return w
}

// Control makes a call of the test-control API about this world, and reads the answer into `into` unless that is nil.
func (w *World) Control(method, path string, body, into any) {
	w.t.Helper()
	w.send(method, control+"/"+w.ID+path, body, into)
}

// Advance moves the clock: "3d", "1h".
func (w *World) Advance(by string) {
	w.t.Helper()
	w.Control("POST", "/clock/advance", map[string]any{"by": by}, nil)
}

// Claim claims the gift of an order's only recipient, as that person would.
func (w *World) Claim(order int) {
	w.t.Helper()
	w.Control("POST", "/simulate/claim", map[string]any{"team_order_id": order, "recipient": 0}, nil)
}

// Orders are the orders of this world.
func (w *World) Orders() []struct {
	ID     int
	Status string
} {
	w.t.Helper()
	var page struct {
		Orders []struct {
			ID     int
			Status string
		}
	}
	w.Control("GET", "/orders", nil, &page)
	return page.Orders
}

// Subscribe creates a webhook endpoint whose webhooks go to a server on this machine; its secret.
func (w *World) Subscribe(server, path string, events ...string) string {
	w.t.Helper()
	w.Control("PUT", "/receivers/hooks.shop.example", map[string]any{"mode": "forward", "to": server}, nil)
	body, _ := json.Marshal(map[string]any{"url": "https://hooks.shop.example" + path, "events": events})
	request, _ := http.NewRequest("POST", simulator+"/api/external/webhooks", bytes.NewReader(body))
	request.Header.Set("Authorization", "Bearer "+w.Key("partner.prepaid"))
	request.Header.Set("Content-Type", "application/json")
	var endpoint struct{ Secret string }
	w.do(request, &endpoint)
	return endpoint.Secret
}

// Key is the value of a credential, such as partner.prepaid or partner.no_funds.
func (w *World) Key(name string) string {
	w.t.Helper()
	if _, found := w.Credentials[name]; !found {
		w.t.Fatalf("there is no credential %s", name)
	}
	return w.Credentials[name].Value
}

func (w *World) send(method, path string, body, into any) {
	w.t.Helper()
	content, _ := json.Marshal(body)
	if body == nil {
		content = nil
	}
	request, _ := http.NewRequest(method, simulator+path, bytes.NewReader(content))
	request.Header.Set("Content-Type", "application/json")
	w.do(request, into)
}

func (w *World) do(request *http.Request, into any) {
	w.t.Helper()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		w.t.Fatal(err)
	}
	defer response.Body.Close()
	content, _ := io.ReadAll(response.Body)
	if response.StatusCode >= 300 {
		w.t.Fatalf("%s %s: %d %s", request.Method, request.URL.Path, response.StatusCode, content)
	}
	if into != nil {
		if err := json.Unmarshal(content, into); err != nil {
			w.t.Fatal(err)
		}
	}
}
