package main

import "time"

// Parcel is what is known of one recipient's gift, and how often the shop acted on each type of event.
type Parcel struct {
	Stage  string         `json:"stage"`
	Since  string         `json:"since"`
	Booked map[string]int `json:"booked"`
}

// Event is a webhook: the members that the shop reads.
type Event struct {
	ID, Type string
	Data     struct {
		Order      Made `json:"team_order"`
		Recipient  struct{ Email string }
		OccurredAt string `json:"occurred_at"`
		Reason     string
	}
}

// The stage that an event brings a parcel to, by its type and by the reason of what needs attention.
var (
	stages = map[string]string{
		"team_order.claimed":   "claimed",
		"team_order.shipped":   "shipped",
		"team_order.delivered": "delivered",
	}
	reasons = map[string]string{"claim_link_expired": "expired", "shipment_rejected": "rejected"}
	ranks   = map[string]int{"expired": 1, "claimed": 2, "rejected": 3, "shipped": 4, "delivered": 5} // in one instant
)

const attention = "team_order.needs_attention"

// Receive stores an event once; false if the shop cannot do that now. Types that it does not know, and events of orders
// that are not its own, change nothing.
func (s *Shop) Receive(event Event) bool {
	s.Lock()
	defer s.Unlock()
	if s.broken {
		return false
	}
	order, made := s.orders[event.Data.Order.Reference], event.Data.Order.ID
	isKnown := event.Type == attention || stages[event.Type] != ""
	if !isKnown || s.seen[event.ID] || order == nil || order.state == refused || (order.id != 0 && order.id != made) {
		return true
	}
	if order.state == unknown || order.state == unpaid { // nothing happens before it is paid
		order.id, order.state = made, placed
	}
	if event.Data.Recipient.Email == "" {
		return true
	}
	parcel := order.parcel(event.Data.Recipient.Email)
	parcel.Booked[event.Type]++
	stage := stages[event.Type]
	if event.Type == attention {
		stage = reasons[event.Data.Reason]
	}
	if stage != "" && parcel.Stage != canceled && parcel.isBefore(stage, event.Data.OccurredAt) {
		parcel.Stage, parcel.Since = stage, event.Data.OccurredAt
	}
	s.seen[event.ID] = true
	return true
}

// isBefore reports whether a stage that began at an instant is later than the parcel's, whatever was told first.
func (p *Parcel) isBefore(stage, since string) bool {
	began, _ := time.Parse(time.RFC3339, since)
	before, _ := time.Parse(time.RFC3339, p.Since) // the zero time while it is ordered
	return began.After(before) || (began.Equal(before) && ranks[stage] > ranks[p.Stage])
}
