// Signs a person in with go-oidc, refreshes eight times at once, and signs them out: the browser is
// driven by who started this program, over its standard streams.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

const parallel = 8

type result struct {
	Subject       string   `json:"subject"`
	RefreshTokens []string `json:"refresh_tokens"`
	EndSession    string   `json:"end_session"`
}

func main() {
	if err := run(os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(issuer, clientID, clientSecret, redirectURI, afterLogout string) error {
	ctx := context.Background()
	provider, err := oidc.NewProvider(ctx, issuer)
	if err != nil {
		return err
	}
	config := oauth2.Config{
		ClientID:     clientID,
		ClientSecret: clientSecret,
		RedirectURL:  redirectURI,
		Endpoint:     provider.Endpoint(),
		Scopes:       []string{oidc.ScopeOpenID, "svc:works:write"},
	}
	verifier := oauth2.GenerateVerifier()
	fmt.Println(config.AuthCodeURL("state", oidc.Nonce("nonce"), oauth2.S256ChallengeOption(verifier)))

	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if err != nil {
		return err
	}
	back, err := url.Parse(strings.TrimSpace(line))
	if err != nil {
		return err
	}
	token, err := config.Exchange(ctx, back.Query().Get("code"), oauth2.VerifierOption(verifier))
	if err != nil {
		return err
	}
	rawIDToken, _ := token.Extra("id_token").(string)
	idToken, err := provider.Verifier(&oidc.Config{ClientID: clientID}).Verify(ctx, rawIDToken)
	if err != nil {
		return err
	}
	if idToken.Nonce != "nonce" {
		return fmt.Errorf("the nonce is %q", idToken.Nonce)
	}
	refreshed, err := refresh(ctx, &config, token.RefreshToken)
	if err != nil {
		return err
	}
	end, err := endSession(provider, rawIDToken, afterLogout)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(result{idToken.Subject, refreshed, end})
}

func refresh(ctx context.Context, config *oauth2.Config, refreshToken string) ([]string, error) {
	tokens := make([]string, parallel)
	errs := make([]error, parallel)
	var group sync.WaitGroup
	for at := range parallel {
		group.Go(func() {
			token, err := config.TokenSource(ctx, &oauth2.Token{RefreshToken: refreshToken}).Token()
			if err != nil {
				errs[at] = err
				return
			}
			tokens[at] = token.RefreshToken
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return tokens, nil
}

func endSession(provider *oidc.Provider, idToken, afterLogout string) (string, error) {
	var claims struct {
		EndSession string `json:"end_session_endpoint"`
	}
	if err := provider.Claims(&claims); err != nil {
		return "", err
	}
	query := url.Values{"id_token_hint": {idToken}, "post_logout_redirect_uri": {afterLogout}}
	return claims.EndSession + "?" + query.Encode(), nil
}
