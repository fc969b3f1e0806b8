// A gift service in Go that explore had not met when its search was made, with three bugs to switch on.
//
//	go run . PORT [BUG]
//
// It keeps no state of an order but its id: an order that is asked for again is sent again with its key. Cancellations
// are taken over from the service, and parcels from its webhooks.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// What the three bugs do wrong.
const (
	keyOfDay  = "key-of-the-day" // the day is a part of an order's idempotency key
	allGone   = "all-canceled"   // after a cancellation all parcels that were to be canceled count as canceled
	oncePerID = "once-per-order" // of several parcels of an order, only the first event of a type is processed
)

type row struct {
	ID       int    `json:"recipient_id"`
	Email    string `json:"email"`
	Shipment struct {
		Status string `json:"status"`
	} `json:"shipment"`
}

type order struct {
	id        int
	delivered map[string]bool
	canceled  map[string]bool
}

type app struct {
	sync.Mutex
	bug, base, key, secret, today string
	orders                        map[string]*order
	seen                          map[string]bool
}

// call makes a call until the service has answered it; its status.
func (a *app) call(method, path string, body, answer any) (int, error) {
	content, _ := json.Marshal(body)
	for attempt := 0; attempt < 50; attempt++ {
		request, _ := http.NewRequest(method, a.base+path, bytes.NewReader(content))
		request.Header.Set("Authorization", "Bearer "+a.key)
		request.Header.Set("Content-Type", "application/json")
		request.Close = true
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			continue
		}
		raw, err := io.ReadAll(response.Body)
		response.Body.Close()
		nothingLeft := bytes.Contains(raw, []byte("nothing_to_cancel"))
		if err != nil || response.StatusCode >= 429 || (response.StatusCode == 409 && !nothingLeft) {
			continue
		}
		return response.StatusCode, json.Unmarshal(raw, answer)
	}
	return 0, errors.New("the service does not answer")
}

func (a *app) recipients(o *order) (rows []row, err error) {
	var found struct {
		Recipients []row `json:"recipients"`
	}
	_, err = a.call("GET", fmt.Sprintf("/team-orders/%d", o.id), nil, &found)
	return found.Recipients, err
}

type wish struct {
	Action, Reference, Now string
	Recipient              json.RawMessage
	Recipients             []json.RawMessage // people for an order, email addresses for a cancellation
}

func (a *app) do(w wish) error {
	switch w.Action {
	case "clock":
		a.today = w.Now[:10]
	case "order":
		return a.order(w)
	case "cancel":
		return a.cancel(w)
	}
	return nil
}

func (a *app) order(w wish) error {
	key := "go-" + w.Reference
	if a.bug == keyOfDay {
		key += a.today
	}
	if w.Recipient != nil {
		w.Recipients = []json.RawMessage{w.Recipient}
	}
	var answer struct {
		Order struct {
			ID int `json:"id"`
		} `json:"team_order"`
	}
	status, err := a.call("POST", "/team-orders", map[string]any{
		"idempotency_key": key, "reference": w.Reference, "gift_sender": "Go",
		"items": []any{map[string]string{"sku_code": "MUG-01"}}, "recipients": w.Recipients,
	}, &answer)
	if status == 201 && a.orders[w.Reference] == nil {
		a.orders[w.Reference] = &order{answer.Order.ID, map[string]bool{}, map[string]bool{}}
	}
	return err
}

func (a *app) cancel(w wish) error {
	o := a.orders[w.Reference]
	if o == nil {
		return nil
	}
	rows, err := a.recipients(o)
	if err != nil {
		return err
	}
	ids := []int{}
	for _, each := range rows {
		wanted := len(w.Recipients) == 0
		for _, email := range w.Recipients {
			wanted = wanted || string(email) == `"`+each.Email+`"`
		}
		if wanted {
			ids = append(ids, each.ID)
			o.canceled[each.Email] = o.canceled[each.Email] || a.bug == allGone
		}
	}
	var ignored any
	if _, err := a.call("POST", fmt.Sprintf("/team-orders/%d/cancel", o.id), map[string]any{"recipient_ids": ids}, &ignored); err != nil {
		return err
	}
	return a.takeOver(o)
}

// takeOver reads an order, and keeps which of its parcels are canceled and delivered.
func (a *app) takeOver(o *order) error {
	rows, err := a.recipients(o)
	for _, each := range rows {
		o.canceled[each.Email] = o.canceled[each.Email] || each.Shipment.Status == "canceled"
	}
	return err
}

func (a *app) receive(raw []byte) error {
	var event struct {
		ID, Type string
		Data     struct {
			Order     struct{ Reference string } `json:"team_order"`
			Recipient struct{ Email string }
		}
	}
	if err := json.Unmarshal(raw, &event); err != nil {
		return err
	}
	o, id := a.orders[event.Data.Order.Reference], event.ID
	if a.bug == oncePerID {
		id = event.Type + event.Data.Order.Reference
	}
	if o == nil || a.seen[id] {
		return nil
	}
	if event.Type == "team_order.delivered" {
		o.delivered[event.Data.Recipient.Email] = true
	}
	a.seen[id] = true
	return nil
}

func (a *app) isGenuine(header string, raw []byte) bool {
	parts := strings.Split(header, ",v1=")
	mac := hmac.New(sha256.New, []byte(a.secret))
	mac.Write(append([]byte(strings.TrimPrefix(parts[0], "t=")+"."), raw...))
	return len(parts) == 2 && hmac.Equal([]byte(hex.EncodeToString(mac.Sum(nil))), []byte(parts[1]))
}

// check returns what is wrong in our records; a parcel's stage is compared only when nothing more is to come.
func (a *app) check(ended bool) (wrong []string) {
	for reference, o := range a.orders {
		rows, err := a.recipients(o)
		if err != nil {
			return []string{err.Error()}
		}
		for _, each := range rows {
			status := each.Shipment.Status
			if o.canceled[each.Email] && status != "canceled" {
				wrong = append(wrong, "a parcel of "+reference+" is "+status+", and we gave the money back")
			}
			if ended && (status == "delivered") != o.delivered[each.Email] {
				wrong = append(wrong, "we do not know that a parcel of "+reference+" was delivered")
			}
		}
	}
	return wrong
}

func (a *app) start(raw []byte) {
	var told struct{ Simulator, Key, Secret, Now string }
	json.Unmarshal(raw, &told)
	a.base, a.key, a.secret, a.today = told.Simulator+"/api/external", told.Key, told.Secret, told.Now[:10]
	a.orders, a.seen = map[string]*order{}, map[string]bool{}
}

func (a *app) ServeHTTP(writer http.ResponseWriter, request *http.Request) {
	a.Lock()
	defer a.Unlock()
	raw, _ := io.ReadAll(request.Body)
	var answer any = map[string]bool{"ok": true}
	var err error
	switch request.URL.Path {
	case "/giftsim/start":
		a.start(raw)
		answer = map[string]any{"actions": []string{"order", "cancel", "clock"}, "cheap_check": true}
	case "/giftsim/do":
		var wanted wish
		if err = json.Unmarshal(raw, &wanted); err == nil {
			err = a.do(wanted)
		}
	case "/giftsim/webhooks":
		if !a.isGenuine(request.Header.Get("X-Service-Signature"), raw) {
			err = errors.New("not signed by the service")
		} else {
			err = a.receive(raw)
		}
	case "/giftsim/check":
		if wrong := a.check(!request.URL.Query().Has("step")); wrong != nil {
			answer = map[string]any{"wrong": wrong}
		}
	}
	if err != nil {
		writer.WriteHeader(http.StatusServiceUnavailable)
		answer = map[string]string{"error": err.Error()}
	}
	json.NewEncoder(writer).Encode(answer)
}

func main() {
	a := &app{}
	if len(os.Args) > 2 {
		a.bug = os.Args[2]
	}
	http.DefaultClient.Timeout = 10 * time.Second
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[1], a))
}
