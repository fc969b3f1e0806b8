package shop

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var plainNumber = regexp.MustCompile(`^(0|[1-9][0-9]{0,14})$`)

// IsGenuine reports whether a webhook was signed with the endpoint's secret at most tolerance seconds before or after
// now, in Unix seconds; 0 is the current time.
func IsGenuine(body []byte, header, secret string, now, tolerance int64) bool {
	if now == 0 {
		now = time.Now().Unix()
	}
	var times, digests []string
	for _, field := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(field, "=")
		if name == "t" {
			times = append(times, value)
		}
		if name == "v1" {
			digests = append(digests, value)
		}
	}
	if strings.TrimSpace(secret) == "" || len(times) != 1 || !plainNumber.MatchString(times[0]) {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(times[0] + "."))
	mac.Write(body)
	expected := []byte(hex.EncodeToString(mac.Sum(nil)))
	matches := false
	for _, digest := range digests {
		matches = hmac.Equal([]byte(digest), expected) || matches
	}
	signed, _ := strconv.ParseInt(times[0], 10, 64)
	age := now - signed
	return matches && -tolerance <= age && age <= tolerance
}
