"""Signs a person in with Authlib, refreshes eight times at once, and gives the way to sign out: the
browser is driven by who started this program, over its standard streams."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode

from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import jwt
from authlib.oidc.core import CodeIDToken
import requests

issuer, client_id, client_secret, redirect_uri, after_logout = sys.argv[1:]
parallel = 8

metadata = requests.get(f"{issuer}/.well-known/openid-configuration", timeout=30).json()


def new_session(token=None):
    return OAuth2Session(
        client_id,
        client_secret,
        scope="openid svc:works:write",
        redirect_uri=redirect_uri,
        code_challenge_method="S256",
        token_endpoint_auth_method="client_secret_post",
        token=token,
    )


session = new_session()
verifier = generate_token(48)
url, state = session.create_authorization_url(
    metadata["authorization_endpoint"], code_verifier=verifier, nonce="nonce"
)
print(url, flush=True)
token = session.fetch_token(
    metadata["token_endpoint"],
    authorization_response=sys.stdin.readline().strip(),
    state=state,
    code_verifier=verifier,
)
keys = requests.get(metadata["jwks_uri"], timeout=30).json()
claims = jwt.decode(
    token["id_token"],
    keys,
    claims_cls=CodeIDToken,
    claims_options={"iss": {"value": issuer}, "aud": {"value": client_id}},
    claims_params={"nonce": "nonce", "access_token": token["access_token"]},
)
claims.validate()


def refresh(_):
    again = new_session(token)
    return again.refresh_token(metadata["token_endpoint"])["refresh_token"]


with ThreadPoolExecutor(parallel) as pool:
    refreshed = list(pool.map(refresh, range(parallel)))

query = {"id_token_hint": token["id_token"], "post_logout_redirect_uri": after_logout}
print(
    json.dumps(
        {
            "subject": claims["sub"],
            "refresh_tokens": refreshed,
            "end_session": f"{metadata['end_session_endpoint']}?{urlencode(query)}",
        }
    ),
    flush=True,
)
