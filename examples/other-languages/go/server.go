// A small server that uses portico.go.
package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
)

func answer(response http.ResponseWriter, body interface{}, err error) {
	response.Header().Set("Content-Type", "application/json")
	var refused *Refused
	if errors.As(err, &refused) {
		response.WriteHeader(refused.Status)
		body = map[string]string{"error": refused.Reason}
	}
	json.NewEncoder(response).Encode(body)
}

func main() {
	http.HandleFunc("/session", func(response http.ResponseWriter, request *http.Request) {
		session, err := SessionOf(request, "")
		answer(response, session, err)
	})
	http.HandleFunc("/drafts", func(response http.ResponseWriter, request *http.Request) {
		session, err := SessionOf(request, "editor")
		answer(response, session, err)
	})
	http.HandleFunc("/notes", func(response http.ResponseWriter, request *http.Request) {
		access, err := AccessOf(request, "notes:read")
		answer(response, access, err)
	})
	http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil)
}
