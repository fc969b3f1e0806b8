// Package shop is an app that orders gifts: what you have, and what the tests are about.
package shop

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// Shop knows the address of the service, and its key.
type Shop struct {
	BaseURL, Key string
	Secret       string          // of the webhook endpoint
	Shipped      map[string]bool // by event id
}

// OrderMug orders a mug, and tries again if the answer is lost; the id of the order.
func (s *Shop) OrderMug(email string) (int, error) {
	order, err := json.Marshal(map[string]any{
		"idempotency_key": "mug-" + email,
		"gift_sender":     "Ada",
		"items":           []any{map[string]any{"sku_code": "MUG-01"}},
		"recipients":      []any{map[string]any{"name": "Bo", "email": email}},
	})
	if err != nil {
		return 0, err
	}
	answer, err := s.post("/api/external/team-orders", order)
	if err != nil {
		answer, err = s.post("/api/external/team-orders", order)
	}
	if err != nil {
		return 0, err
	}
	return answer.TeamOrder.ID, nil
}

type orderAnswer struct {
	TeamOrder struct{ ID int } `json:"team_order"`
	Error     struct{ Code string }
}

func (s *Shop) post(path string, body []byte) (orderAnswer, error) {
	var answer orderAnswer
	request, err := http.NewRequest("POST", s.BaseURL+path, bytes.NewReader(body))
	if err != nil {
		return answer, err
	}
	request.Header.Set("Authorization", "Bearer "+s.Key)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer, err
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return answer, err
	}
	if response.StatusCode >= 300 {
		return answer, fmt.Errorf("%d %s", response.StatusCode, answer.Error.Code)
	}
	return answer, nil
}

// ServeHTTP is the webhook endpoint.
func (s *Shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if !IsGenuine(body, r.Header.Get("X-Service-Signature"), s.Secret, 0, 300) {
		http.Error(w, "forged", http.StatusBadRequest)
		return
	}
	var event struct{ ID, Type string }
	if json.Unmarshal(body, &event) == nil && event.Type == "team_order.shipped" {
		s.Shipped[event.ID] = true
	}
}
