// Command exam_shop is a gift shop that uses the partner API and its webhooks: an app for the exam.
//
//	go run ./exam_shop PORT
//	giftsim exam --app http://127.0.0.1:PORT
//
// Standard library only. The endpoints under /giftsim/ are for tests: a real shop would have them in its test setup
// only.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sort"

	"example.com/shop"
)

const tolerance = 300 // seconds by which a signature may be old or early

// Wish is what the shop is asked for.
type Wish struct {
	Action, Reference, Status string
	Sender                    string `json:"gift_sender"`
	Items                     json.RawMessage
	Recipient                 json.RawMessage   // the former member for one recipient
	Recipients                []json.RawMessage // people for an order, email addresses for a cancellation
	PageSize                  int               `json:"page_size"`
	Secrets                   []string
}

// people are the recipients of an order.
func (w Wish) people() []json.RawMessage {
	if w.Recipients == nil {
		return []json.RawMessage{w.Recipient}
	}
	return w.Recipients
}

// names reports whether a cancellation is for a recipient: it is for all if it names none.
func (w Wish) names(email string) bool {
	for _, each := range w.Recipients {
		var name string
		if json.Unmarshal(each, &name) == nil && name == email {
			return true
		}
	}
	return w.Recipients == nil
}

var actions = map[string]func(*Shop, Wish) (any, error){
	"order":   func(s *Shop, w Wish) (any, error) { return state(s.Order(w)), nil },
	"cancel":  func(s *Shop, w Wish) (any, error) { return state(s.Cancel(w)), nil },
	"pay":     func(s *Shop, w Wish) (any, error) { return state(s.Pay(w)), nil },
	"settle":  func(s *Shop, w Wish) (any, error) { return map[string]int{"settled_cents": s.Settle()}, nil },
	"read":    read,
	"secrets": func(s *Shop, w Wish) (any, error) { return s.set(func() { s.secrets = w.Secrets }), nil },
	"break":   func(s *Shop, w Wish) (any, error) { return s.set(func() { s.broken = true }), nil },
	"mend":    func(s *Shop, w Wish) (any, error) { return s.set(func() { s.broken = false }), nil },
}

func state(state string) any { return map[string]string{"state": state} }

func (s *Shop) set(change func()) any {
	s.Lock()
	defer s.Unlock()
	change()
	return map[string]bool{"ok": true}
}

func read(s *Shop, w Wish) (any, error) {
	references, err := s.Read(w.Status, w.PageSize)
	return map[string]any{"orders": references}, err
}

func (s *Shop) start(writer http.ResponseWriter, request *http.Request) {
	var told struct{ Simulator, Key, Secret string }
	if err := json.NewDecoder(request.Body).Decode(&told); err != nil {
		respond(writer, http.StatusBadRequest, map[string]string{"error": err.Error()})
		return
	}
	s.Start(told.Simulator, told.Key, told.Secret)
	names := []string{}
	for name := range actions {
		names = append(names, name)
	}
	sort.Strings(names)
	respond(writer, http.StatusOK, map[string]any{"actions": names})
}

func (s *Shop) do(writer http.ResponseWriter, request *http.Request) {
	wish := Wish{Sender: "The Go shop", Items: json.RawMessage(`[{"sku_code": "MUG-01", "quantity": 1}]`)}
	if err := json.NewDecoder(request.Body).Decode(&wish); err != nil {
		respond(writer, http.StatusBadRequest, map[string]string{"error": err.Error()})
		return
	}
	act, found := actions[wish.Action]
	if !found {
		respond(writer, http.StatusNotImplemented, map[string]string{"error": "we do not " + wish.Action})
		return
	}
	answer, err := act(s, wish)
	if err != nil {
		respond(writer, http.StatusBadGateway, map[string]string{"error": err.Error()})
		return
	}
	respond(writer, http.StatusOK, answer)
}

func (s *Shop) webhooks(writer http.ResponseWriter, request *http.Request) {
	raw, err := io.ReadAll(request.Body)
	var event Event
	if err != nil || request.Method != http.MethodPost || !s.isGenuine(request, raw) {
		respond(writer, http.StatusBadRequest, map[string]string{"error": "not signed by the service"})
	} else if json.Unmarshal(raw, &event); s.Receive(event) {
		respond(writer, http.StatusOK, map[string]bool{"ok": true})
	} else {
		respond(writer, http.StatusServiceUnavailable, map[string]string{"error": "try again later"})
	}
}

func (s *Shop) isGenuine(request *http.Request, raw []byte) bool {
	s.Lock()
	defer s.Unlock()
	for _, secret := range s.secrets {
		if shop.IsGenuine(raw, request.Header.Get("X-Service-Signature"), secret, 0, tolerance) {
			return true
		}
	}
	return false
}

func (s *Shop) check(writer http.ResponseWriter, request *http.Request) {
	for _, order := range s.open() {
		if _, err := s.refresh(order); err != nil {
			break // the service does not answer now
		}
	}
	respond(writer, http.StatusOK, map[string]any{"ok": true, "orders": s.described()})
}

func respond(writer http.ResponseWriter, status int, body any) {
	writer.Header().Set("Content-Type", "application/json")
	writer.WriteHeader(status)
	json.NewEncoder(writer).Encode(body)
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: exam_shop PORT")
		os.Exit(2)
	}
	s := &Shop{}
	http.HandleFunc("/giftsim/start", s.start)
	http.HandleFunc("/giftsim/do", s.do)
	http.HandleFunc("/giftsim/webhooks", s.webhooks)
	http.HandleFunc("/giftsim/check", s.check)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[1], nil))
}
