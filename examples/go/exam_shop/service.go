package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"time"
)

const (
	answerTime = 3 * time.Second // how long the shop waits for an answer
	patience   = 8 * time.Second // how long its customers wait
	pageSize   = 100
)

// Between attempts, where the service does not say how long to wait.
var pauses = []time.Duration{50e6, 100e6, 200e6, 400e6, 400e6}

// Service is the partner API. Its calls are repeated until they have a final answer, which is safe for all that the
// shop makes: an order has its idempotency key, and a second cancellation finds nothing left to cancel.
type Service struct{ base, key string }

// Answer is what the service said: the members that the shop reads, of any call.
type Answer struct {
	Status     int    `json:"-"`
	Order      Made   `json:"team_order"`
	Orders     []Made `json:"team_orders"`
	Recipients []Recipient
	Totals     struct {
		Charged int `json:"charged_cents"`
	}
	UnpaidID int `json:"team_order_id"`
	Canceled []Cancellation
	Settled  int `json:"settled_cents"`
	Error    struct{ Code string }
	Code     string // where errors have their members at the top
}

// Made is an order as the service knows it.
type Made struct {
	ID                int
	Reference, Status string
	Totals            struct {
		Total int `json:"total_cents"`
	}
}

// Recipient is a recipient of an order as the service knows it.
type Recipient struct {
	ID       int `json:"recipient_id"`
	Email    string
	Shipment struct{ Status string }
	Money    struct {
		Refunded *int `json:"refunded_cents"`
	}
}

// Cancellation is a parcel that was canceled, and what came back for it.
type Cancellation struct {
	ID     int `json:"recipient_id"`
	Refund struct {
		Total int `json:"total_cents"`
	}
}

// code is the code of an error.
func (a Answer) code() string {
	if a.Error.Code != "" {
		return a.Error.Code
	}
	return a.Code
}

// isFinal reports whether the same call would be answered in the same way a moment later.
func (a Answer) isFinal() bool {
	return a.Status < 500 && a.Status != 408 && a.Status != 429 && a.code() != "idempotency_outcome_unknown"
}

// says reports whether the answer says something about what was asked for, and not only about the key.
func (a Answer) says() bool { return a.Status != 401 && a.Status != 403 }

// unavailable is the error of a call that has no final answer now, so that nobody knows what became of it.
type unavailable string

func (u unavailable) Error() string { return string(u) + ": no answer" }

// once makes a call; how long to wait before the next one is negative if the service does not say.
func (s Service) once(method, path string, body []byte, limit time.Duration) (Answer, time.Duration, error) {
	var answer Answer
	request, err := http.NewRequest(method, s.base+path, bytes.NewReader(body))
	if err != nil {
		return answer, -1, err
	}
	request.Header.Set("Authorization", "Bearer "+s.key)
	request.Header.Set("Content-Type", "application/json")
	request.Close = true
	client := http.Client{Timeout: limit}
	response, err := client.Do(request)
	if err != nil {
		return answer, -1, err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode < 500 && !json.Valid(raw) {
		err = errors.New("the answer is not JSON")
	}
	json.Unmarshal(raw, &answer) // what has another type than it should is left out
	answer.Status = response.StatusCode
	seconds, missing := strconv.Atoi(response.Header.Get("Retry-After"))
	if missing != nil {
		return answer, -1, err
	}
	return answer, time.Duration(seconds) * time.Second, err
}

// call makes a call until it has a final answer. The error is unavailable if that takes too long.
func (s Service) call(method, path string, content any) (Answer, error) {
	body, until, uncertain := []byte(nil), time.Now().Add(patience), false
	if content != nil {
		body, _ = json.Marshal(content)
	}
	for attempt := 0; ; attempt++ {
		limit := time.Until(until)
		if limit > answerTime {
			limit = answerTime
		}
		answer, wait, err := s.once(method, path, body, limit)
		if err == nil && answer.isFinal() && (answer.says() || !uncertain) {
			return answer, nil
		}
		uncertain = uncertain || err != nil
		if attempt == len(pauses) {
			return answer, unavailable(method + " " + path)
		}
		if wait < 0 {
			wait = pauses[attempt]
		}
		if time.Until(until) <= wait {
			return answer, unavailable(method + " " + path)
		}
		time.Sleep(wait)
	}
}

// order reads an order with its recipients.
func (s Service) order(id int) (Answer, error) {
	return s.read(orderPath(id))
}

func (s Service) read(path string) (Answer, error) {
	answer, err := s.call("GET", path, nil)
	if err == nil && answer.Status != 200 {
		err = unavailable(path)
	}
	return answer, err
}

// orders reads all orders of a query. Pages move while others write, so it reads until two readings agree.
func (s Service) orders(query string, size int) ([]Made, error) {
	before, err := s.list(query, size)
	for err == nil {
		var found []Made
		found, err = s.list(query, size)
		if err == nil && reflect.DeepEqual(before, found) {
			return found, nil
		}
		before = found
	}
	return nil, err
}

func (s Service) list(query string, size int) (found []Made, err error) {
	known := map[int]bool{}
	for offset := 0; ; {
		answer, err := s.read(fmt.Sprintf("/team-orders?%s&limit=%d&offset=%d", query, size, offset))
		if err != nil || len(answer.Orders) == 0 {
			return found, err
		}
		for _, each := range answer.Orders {
			if !known[each.ID] {
				known[each.ID] = true
				found = append(found, each)
			}
		}
		offset += len(answer.Orders)
	}
}

func orderPath(id int) string { return fmt.Sprintf("/team-orders/%d", id) }

func statusQuery(status string) string { return url.Values{"status": {status}}.Encode() }
