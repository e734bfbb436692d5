// Session JWTs, and access tokens of connected apps, with golang-jwt.
package main

import (
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/big"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

var (
	apiURL    = os.Getenv("PORTICO_API_URL")
	projectID = os.Getenv("PORTICO_PROJECT_ID")
	issuer    = os.Getenv("PORTICO_ISSUER")                  // of access tokens: for AccessOf alone
	resource  = os.Getenv("PORTICO_RESOURCE")                // this API, as the project file names it: for AccessOf alone
	origins   = strings.Fields(os.Getenv("PORTICO_ORIGINS")) // other pages that may send changes with cookies

	sessionKeys = &keys{url: apiURL + "/sdk/v1/sessions/jwks/" + projectID}
	appKeys     = &keys{url: apiURL + "/oauth2/jwks.json"}
	client      = &http.Client{Timeout: 5 * time.Second}
	// The claims are checked below: version 4 has no leeway.
	parser = jwt.NewParser(jwt.WithValidMethods([]string{"RS256"}), jwt.WithoutClaimsValidation())
)

const (
	leeway       = 5 // seconds that two clocks may differ
	sessionClaim = "https://stytch.com/session"
)

// Refused is a request without the right to what it wants, with the HTTP status of the answer.
type Refused struct {
	Status int
	Reason string
}

func (refused *Refused) Error() string { return refused.Reason }

// Public keys by `kid`, which are read again every ten minutes, and for a new `kid`.
type keys struct {
	url             string
	mutex           sync.Mutex
	known           map[string]*rsa.PublicKey
	readAt, askedAt time.Time
}

func (keys *keys) find(kid string) (*rsa.PublicKey, error) {
	keys.mutex.Lock()
	defer keys.mutex.Unlock()
	now := time.Now()
	wanted := keys.known[kid] == nil || now.Sub(keys.readAt) > 10*time.Minute
	// Anybody can invent a `kid`, so only one request in five seconds.
	if wanted && now.Sub(keys.askedAt) > 5*time.Second {
		keys.askedAt = now
		if known, err := read(keys.url); err == nil {
			keys.known, keys.readAt = known, now
		} // Else the earlier keys are good for an hour.
	}
	if key := keys.known[kid]; key != nil && now.Sub(keys.readAt) < time.Hour {
		return key, nil
	}
	if keys.readAt == now {
		return nil, &Refused{401, "unknown key"}
	}
	return nil, &Refused{503, "the key is not known yet"}
}

func read(url string) (map[string]*rsa.PublicKey, error) {
	reply, err := client.Get(url)
	if err != nil {
		return nil, err
	}
	defer reply.Body.Close()
	var set struct {
		Keys []struct{ Kid, Kty, N, E string }
	}
	if err := json.NewDecoder(reply.Body).Decode(&set); err != nil || reply.StatusCode != 200 {
		return nil, errors.New("no key set at " + url)
	}
	known := map[string]*rsa.PublicKey{}
	for _, each := range set.Keys {
		n, err1 := base64.RawURLEncoding.DecodeString(each.N)
		e, err2 := base64.RawURLEncoding.DecodeString(each.E)
		if each.Kty == "RSA" && err1 == nil && err2 == nil {
			exponent := new(big.Int).SetBytes(e)
			known[each.Kid] = &rsa.PublicKey{N: new(big.Int).SetBytes(n), E: int(exponent.Int64())}
		}
	}
	return known, nil
}

func verified(text string, keys *keys, typ, issuer, audience string) (jwt.MapClaims, error) {
	claims := jwt.MapClaims{}
	var refused *Refused
	_, err := parser.ParseWithClaims(text, claims, func(token *jwt.Token) (interface{}, error) {
		kid, _ := token.Header["kid"].(string)
		if token.Header["typ"] != typ || kid == "" {
			return nil, errors.New("another kind of token")
		}
		key, err := keys.find(kid)
		errors.As(err, &refused)
		return key, err
	})
	if refused != nil {
		return nil, refused
	}
	if err != nil {
		return nil, &Refused{401, err.Error()}
	}
	now := float64(time.Now().Unix())
	expires, hasEnd := claims["exp"].(float64)
	begins, isNumber := claims["nbf"].(float64)
	_, hasBirth := claims["iat"].(float64)
	subject, _ := claims["sub"].(string)
	switch {
	case !hasEnd || !hasBirth || subject == "" || (claims["nbf"] != nil && !isNumber):
		return nil, &Refused{401, "a claim is missing"}
	case now >= expires+leeway:
		return nil, &Refused{401, "expired"}
	case begins > now+leeway:
		return nil, &Refused{401, "not valid yet"}
	case claims["iss"] != issuer:
		return nil, &Refused{401, "another issuer"}
	case !contains(texts(claims["aud"]), audience):
		return nil, &Refused{401, "another audience"}
	}
	return claims, nil
}

// A claim that is a text, or a list of texts.
func texts(claim interface{}) []string {
	if text, ok := claim.(string); ok {
		return []string{text}
	}
	list, _ := claim.([]interface{})
	found := []string{}
	for _, each := range list {
		if text, ok := each.(string); ok {
			found = append(found, text)
		}
	}
	return found
}

func contains(list []string, wanted string) bool {
	for _, each := range list {
		if each == wanted {
			return true
		}
	}
	return false
}

// The token, and whether the request has that header.
func bearer(request *http.Request) (string, bool) {
	scheme, token, _ := strings.Cut(request.Header.Get("Authorization"), " ")
	return strings.TrimSpace(token), strings.EqualFold(scheme, "bearer")
}

func cookie(request *http.Request, name string) (string, error) {
	value := ""
	for _, each := range request.Cookies() {
		if each.Name == name && each.Value != "" {
			if value != "" {
				return "", &Refused{401, "two cookies of one name"}
			}
			value = each.Value
		}
	}
	return value, nil
}

// False for a change that a page of another origin causes (CSRF).
func mayUseCookies(request *http.Request) bool {
	isRead := contains([]string{"GET", "HEAD", "OPTIONS"}, request.Method)
	if isRead && request.Header.Get("Upgrade") == "" {
		return true
	}
	origin, site := request.Header.Get("Origin"), request.Header.Get("Sec-Fetch-Site")
	if contains(origins, origin) {
		return true
	}
	if site != "" && origin != "null" {
		return site == "same-origin" || site == "none"
	}
	page, err := url.Parse(origin)
	return err == nil && page.Host != "" && page.Host == request.Host
}

// Session is the user, session and roles of a request.
type Session struct {
	UserID    string   `json:"user_id"`
	SessionID string   `json:"session_id"`
	Roles     []string `json:"roles"`
}

// SessionOf reads the session of a request. An empty role requires none. Its errors are *Refused.
func SessionOf(request *http.Request, role string) (*Session, error) {
	opaque := ""
	token, isBearer := bearer(request)
	if !isBearer {
		var err1, err2 error
		token, err1 = cookie(request, "stytch_session_jwt")
		opaque, err2 = cookie(request, "stytch_session")
		if err1 != nil || err2 != nil {
			return nil, &Refused{401, "two cookies of one name"}
		}
		if token != "" && !mayUseCookies(request) {
			return nil, &Refused{403, "sent by a page of another origin"}
		}
	}
	if token == "" {
		return nil, &Refused{401, "no session"}
	}
	claims, err := verified(token, sessionKeys, "JWT", "stytch.com/"+projectID, projectID)
	if err != nil {
		return nil, err
	}
	claim, _ := claims[sessionClaim].(map[string]interface{})
	if claim == nil || claim["partial"] == true {
		return nil, &Refused{401, "no whole session: ask the provider"}
	}
	digest := sha256.Sum256([]byte(opaque))
	if opaque != "" && claim["token_hash"] != base64.RawURLEncoding.EncodeToString(digest[:16]) {
		return nil, &Refused{401, "the two cookies are of different sessions"}
	}
	roles := texts(claim["roles"])
	if role != "" && !contains(roles, role) {
		return nil, &Refused{403, "lacks the role " + role}
	}
	id, _ := claim["id"].(string)
	return &Session{claims["sub"].(string), id, roles}, nil
}

// Access is the user, app and scopes of a call by a connected app.
type Access struct {
	UserID   string   `json:"user_id"`
	ClientID string   `json:"client_id"`
	Scopes   []string `json:"scopes"`
}

// AccessOf reads the access token of a request. Its errors are *Refused.
func AccessOf(request *http.Request, scope string) (*Access, error) {
	if issuer == "" || resource == "" {
		return nil, &Refused{500, "AccessOf needs PORTICO_ISSUER and PORTICO_RESOURCE"}
	}
	token, isBearer := bearer(request)
	if !isBearer {
		return nil, &Refused{401, "no access token"}
	}
	claims, err := verified(token, appKeys, "at+jwt", issuer, resource)
	if err != nil {
		return nil, err
	}
	if len(texts(claims["aud"])) != 1 {
		return nil, &Refused{401, "for other APIs, too"}
	}
	clientID, _ := claims["client_id"].(string)
	if claims["cnf"] != nil || clientID == "" {
		return nil, &Refused{401, "bound to a key, or of no app"}
	}
	text, _ := claims["scope"].(string)
	scopes := strings.Fields(text)
	if !contains(scopes, scope) {
		return nil, &Refused{403, "lacks the scope " + scope}
	}
	return &Access{claims["sub"].(string), clientID, scopes}, nil
}
