package shop

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
)

func newShop(w *World, credential string) *Shop {
	return &Shop{BaseURL: simulator, Key: w.Key(credential), Shipped: map[string]bool{}}
}

func TestAMugIsDeliveredWithinSixDays(t *testing.T) {
	t.Parallel()
	world := NewWorld(t)
	order, err := newShop(world, "partner.prepaid").OrderMug("bo@example.com")
	if err != nil {
		t.Fatal(err)
	}
	world.Claim(order)
	world.Advance("6d")
	if orders := world.Orders(); len(orders) != 1 || orders[0].Status != "delivered" {
		t.Error(orders)
	}
}

func TestALostAnswerOrdersOnce(t *testing.T) {
	t.Parallel()
	world := NewWorld(t)
	fault := map[string]any{"effect": map[string]any{"drop": "after"}, "when": map[string]any{"first": 1}}
	world.Control("POST", "/faults", fault, nil)
	if _, err := newShop(world, "partner.prepaid").OrderMug("bo@example.com"); err != nil {
		t.Fatal(err)
	}
	if orders := world.Orders(); len(orders) != 1 {
		t.Error(orders)
	}
}

func TestAnAccountWithoutFundsIsToldSo(t *testing.T) {
	t.Parallel()
	_, err := newShop(NewWorld(t), "partner.no_funds").OrderMug("bo@example.com")
	if err == nil || err.Error() != "402 insufficient_funds_no_card" {
		t.Error(err)
	}
}

func TestTheShopLearnsFromAWebhookThatAMugWasShipped(t *testing.T) {
	t.Parallel()
	world := NewWorld(t)
	shop := newShop(world, "partner.prepaid")
	server := httptest.NewServer(shop)
	defer server.Close()
	shop.Secret = world.Subscribe(server.URL, "/hooks", "team_order.shipped")
	order, err := shop.OrderMug("bo@example.com")
	if err != nil {
		t.Fatal(err)
	}
	world.Claim(order)
	world.Advance("6d")
	if len(shop.Shipped) != 1 {
		t.Error(shop.Shipped)
	}
	forged, err := http.Post(server.URL, "application/json", strings.NewReader(`{"type": "team_order.shipped"}`))
	if err != nil || forged.StatusCode != http.StatusBadRequest {
		t.Error(forged, err)
	}
}

func TestTheVerifierDecidesAsEveryTestVectorSays(t *testing.T) {
	path, err := exec.Command("python3", "-c", "from giftsim import verify; print(verify.vectors_path())").Output()
	if err != nil {
		t.Skip("no Python with giftsim")
	}
	content, err := os.ReadFile(strings.TrimSpace(string(path)))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Vectors []struct {
			Name, Secret, Header, Body, Verdict string
			BodyBase64                          *string `json:"body_base64"`
			Now, Tolerance                      int64
		}
	}
	if err := json.Unmarshal(content, &file); err != nil {
		t.Fatal(err)
	}
	for _, vector := range file.Vectors {
		body := []byte(vector.Body)
		if vector.BodyBase64 != nil {
			body, _ = base64.StdEncoding.DecodeString(*vector.BodyBase64)
		}
		if IsGenuine(body, vector.Header, vector.Secret, vector.Now, vector.Tolerance) != (vector.Verdict == "accepted") {
			t.Error(vector.Name)
		}
	}
}
