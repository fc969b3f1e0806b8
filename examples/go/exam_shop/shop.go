package main

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"sync"
)

// The states of an order.
const (
	unknown  = "unknown"
	placed   = "placed"
	unpaid   = "unpaid"
	refused  = "refused"
	canceled = "canceled"
)

// Shop keeps its orders, and what the service told about them.
type Shop struct {
	sync.Mutex // for all below; it is not held while the service is asked
	service    Service
	secrets    []string
	orders     map[string]*Order
	seen       map[string]bool // ids of the events that were stored
	broken     bool
	settlement string // the key of a settlement of which nobody knows what became of it
}

// Order is an order: what is sent for it, and what became of it.
type Order struct {
	body    OrderBody
	state   string
	tried   bool // whether the service may have got it
	id      int  // 0 while it is not known
	charged *int
	refunds map[int]int // cents by recipient id
	parcels map[string]*Parcel
}

// OrderBody is what creates an order: the same in every attempt.
type OrderBody struct {
	Key        string            `json:"idempotency_key"`
	Reference  string            `json:"reference"`
	Sender     string            `json:"gift_sender"`
	Items      json.RawMessage   `json:"items"`
	Recipients []json.RawMessage `json:"recipients"`
}

// Start deletes all records and uses this service.
func (s *Shop) Start(simulator, key, secret string) {
	s.Lock()
	defer s.Unlock()
	s.service, s.secrets = Service{simulator + "/api/external", key}, []string{secret}
	s.orders, s.seen, s.broken, s.settlement = map[string]*Order{}, map[string]bool{}, false, ""
}

// Order places an order; its state. A known reference means the same order again, corrected if it was refused.
func (s *Shop) Order(w Wish) string {
	s.Lock()
	order := s.orders[w.Reference]
	if order == nil || order.state == refused {
		order = newOrder(OrderBody{"go-" + w.Reference, w.Reference, w.Sender, w.Items, w.people()})
		s.orders[w.Reference] = order
	}
	s.Unlock()
	return s.Place(order)
}

// Pay pays an order that could not be paid before; its state.
func (s *Shop) Pay(w Wish) string {
	if order := s.find(w.Reference); order != nil {
		return s.Place(order)
	}
	return refused
}

// Place sends an order whose fate is open until the service has answered it; its state.
func (s *Shop) Place(order *Order) string {
	s.Lock()
	open, tried := order.state == unknown || order.state == unpaid, order.tried
	order.tried = true
	s.Unlock()
	if !open {
		return s.stateOf(order)
	}
	answer, err := s.service.call("POST", "/team-orders", order.body)
	if err == nil && answer.code() == "idempotency_payload_mismatch" { // we have ordered this before, and forgot it
		s.refresh(order)
		return s.stateOf(order)
	}
	s.Lock()
	defer s.Unlock()
	switch {
	case err != nil:
		if order.state == unpaid {
			order.state = unknown
		}
	case answer.Status < 300:
		order.belongs(answer.Order.ID)
		order.charged = &answer.Totals.Charged
		order.learn(answer.Order.Status)
	case answer.Status == 402:
		order.belongs(answer.UnpaidID)
		order.state = unpaid
	case answer.says() || !tried:
		order.state = refused
	}
	return order.state
}

// Cancel cancels the parcels of some recipients of an order, or all of them; its state.
func (s *Shop) Cancel(w Wish) string {
	order := s.find(w.Reference)
	if order == nil {
		return refused
	}
	if found, err := s.refresh(order); err == nil {
		ids := []int{}
		for _, each := range found.Recipients {
			if w.names(each.Email) {
				ids = append(ids, each.ID)
			}
		}
		if len(ids) > 0 {
			s.cancel(order, found.Order.ID, ids)
		}
	}
	return s.stateOf(order)
}

func (s *Shop) cancel(order *Order, id int, ids []int) {
	body := map[string]any{"recipient_ids": ids, "reason": "the customer asked for it"}
	answer, err := s.service.call("POST", orderPath(id)+"/cancel", body)
	if err != nil {
		return // the next check finds out
	}
	s.Lock()
	for _, each := range answer.Canceled { // those that were skipped go on
		order.refunds[each.ID] = each.Refund.Total
	}
	s.Unlock()
	s.refresh(order) // has the refunds too if the first answer was lost
}

// Settle pays what is owed on net terms; how many cents that was.
func (s *Shop) Settle() int {
	s.Lock()
	if s.settlement == "" {
		s.settlement = newKey()
	}
	key := s.settlement
	s.Unlock()
	answer, err := s.service.call("POST", "/billing/settle", map[string]string{"idempotency_key": key})
	if err != nil {
		return 0
	}
	s.Lock()
	defer s.Unlock()
	s.settlement = ""
	return answer.Settled
}

// Read returns the references of all orders with a status.
func (s *Shop) Read(status string, size int) ([]string, error) {
	if size < 1 || size > pageSize {
		size = pageSize
	}
	rows, err := s.service.orders(statusQuery(status), size)
	references := []string{}
	for _, row := range rows {
		if row.Reference != "" {
			references = append(references, row.Reference)
		}
	}
	return references, err
}

// refresh takes over what the service knows of an order, of which it may know nothing.
func (s *Shop) refresh(order *Order) (found Answer, err error) {
	id, err := s.idOf(order)
	if err != nil || id == 0 {
		return found, err
	}
	if found, err = s.service.order(id); err != nil {
		return found, err
	}
	s.Lock()
	defer s.Unlock()
	if found.Order.Status != unpaid { // an unpaid order may still turn out to be paid
		order.learn(found.Order.Status)
		if order.charged == nil {
			order.charged = &found.Order.Totals.Total
		}
	}
	for _, each := range found.Recipients {
		if each.Money.Refunded != nil {
			order.refunds[each.ID] = *each.Money.Refunded
		}
		if each.Shipment.Status == canceled {
			order.parcel(each.Email).Stage = canceled
		}
	}
	return found, nil
}

// idOf is the id of an order, which is looked for if it is not known yet; 0 if that does not find it.
func (s *Shop) idOf(order *Order) (int, error) {
	s.Lock()
	known := order.id
	s.Unlock()
	if known != 0 {
		return known, nil
	}
	rows, err := s.service.orders("", pageSize)
	s.Lock()
	defer s.Unlock()
	for _, row := range rows {
		if row.Reference == order.body.Reference {
			order.belongs(row.ID)
		}
	}
	return order.id, err
}

func (s *Shop) find(reference string) *Order {
	s.Lock()
	defer s.Unlock()
	return s.orders[reference]
}

func (s *Shop) stateOf(order *Order) string {
	s.Lock()
	defer s.Unlock()
	return order.state
}

// learn takes the state of an order over from the service's status. What was canceled stays so.
func (o *Order) learn(status string) {
	switch {
	case o.state == canceled || status == canceled:
		o.state = canceled
	case status == unpaid:
		o.state = unpaid
	default:
		o.state = placed
	}
}

// belongs says the id of an order. What another one told us, by the same reference, is not about it.
func (o *Order) belongs(id int) {
	if o.id != 0 && o.id != id {
		o.parcels = newOrder(o.body).parcels
	}
	o.id = id
}

func (o *Order) parcel(email string) *Parcel {
	if o.parcels[email] == nil {
		o.parcels[email] = &Parcel{Stage: "ordered", Booked: map[string]int{}}
	}
	return o.parcels[email]
}

// newOrder is an order of which nothing is known yet.
func newOrder(body OrderBody) *Order {
	order := &Order{body: body, state: unknown, refunds: map[int]int{}, parcels: map[string]*Parcel{}}
	for _, each := range body.Recipients {
		var person struct{ Email string }
		json.Unmarshal(each, &person)
		order.parcel(person.Email)
	}
	return order
}

// open are the orders about which the service may have something new to say.
func (s *Shop) open() (orders []*Order) {
	s.Lock()
	defer s.Unlock()
	for _, order := range s.orders {
		if order.state != refused && order.state != canceled {
			orders = append(orders, order)
		}
	}
	return orders
}

// described is what the shop knows of each order, by reference, as JSON.
func (s *Shop) described() json.RawMessage {
	s.Lock()
	defer s.Unlock()
	orders := map[string]any{}
	for reference, order := range s.orders {
		charged, refunded := 0, 0
		if order.charged != nil {
			charged = *order.charged
		}
		for _, cents := range order.refunds {
			refunded += cents
		}
		orders[reference] = map[string]any{
			"state": order.state, "charged_cents": charged, "refunded_cents": refunded, "recipients": order.parcels,
		}
	}
	written, _ := json.Marshal(orders)
	return written
}

func newKey() string {
	bytes := make([]byte, 16)
	rand.Read(bytes)
	return "go-" + hex.EncodeToString(bytes)
}
