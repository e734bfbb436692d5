"""Session JWTs, and access tokens of connected apps. Needs PyJWT 2.6 or newer, and cryptography."""

import base64
import hashlib
import json
import os
import threading
import time
import urllib.request

import jwt

API_URL = os.environ["PORTICO_API_URL"]
PROJECT_ID = os.environ["PORTICO_PROJECT_ID"]
# For access_of alone: the issuer of access tokens, and this API, as the project file names it.
ISSUER = os.environ.get("PORTICO_ISSUER")
RESOURCE = os.environ.get("PORTICO_RESOURCE")
ORIGINS = os.environ.get("PORTICO_ORIGINS", "").split()  # other pages that may send changes with cookies
LEEWAY = 5  # seconds that two clocks may differ
SESSION = "https://stytch.com/session"


class Refused(Exception):
    """A request without the right to what it wants, with the HTTP status of the answer."""

    def __init__(self, status, reason):
        super().__init__(reason)
        self.status = status


class Keys:
    """Public keys by `kid`, which are read again every ten minutes, and for a new `kid`."""

    def __init__(self, path):
        self.url, self.lock = API_URL + path, threading.Lock()
        self.keys, self.read_at, self.asked_at = {}, float("-inf"), float("-inf")

    def find(self, kid):
        with self.lock:
            now = time.monotonic()
            wanted = kid not in self.keys or now - self.read_at > 600
            # Anybody can invent a `kid`, so only one request in five seconds.
            if wanted and now - self.asked_at > 5:
                self.asked_at = now
                self.read(now)
            if kid in self.keys and now - self.read_at < 3600:
                return self.keys[kid]
            if self.read_at == now:
                raise Refused(401, "unknown key")
            raise Refused(503, "the key is not known yet")

    def read(self, now):
        try:
            with urllib.request.urlopen(self.url, timeout=5) as reply:
                published = jwt.PyJWKSet.from_dict(json.load(reply)).keys
        except Exception:
            return  # The earlier keys are good for an hour.
        self.keys, self.read_at = {each.key_id: each.key for each in published}, now


SESSION_KEYS = Keys("/sdk/v1/sessions/jwks/" + PROJECT_ID)
APP_KEYS = Keys("/oauth2/jwks.json")


def verified(token, keys, typ, issuer, audience):
    try:
        header = jwt.get_unverified_header(token)
        if header.get("typ") != typ or "kid" not in header:
            raise Refused(401, "another kind of token")
        return jwt.decode(
            token,
            keys.find(header["kid"]),
            algorithms=["RS256"],
            issuer=issuer,
            audience=audience,
            leeway=LEEWAY,
            options={"require": ["exp", "iat", "sub"]},
        )
    except jwt.PyJWTError as error:
        raise Refused(401, str(error)) from error


def bearer(headers):
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def cookie(headers, name):
    pairs = [pair.strip().partition("=") for pair in headers.get("cookie", "").split(";")]
    values = [value for key, _, value in pairs if key == name and value != ""]
    if len(values) > 1:
        raise Refused(401, "two cookies of one name")
    return values[0] if values else None


def may_use_cookies(method, headers):
    """False for a change that a page of another origin causes (CSRF)."""
    if method in ("GET", "HEAD", "OPTIONS") and "upgrade" not in headers:
        return True
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if origin in ORIGINS:
        return True
    if site is not None and origin != "null":
        return site in ("same-origin", "none")
    return origin is not None and origin.partition("://")[2] == headers.get("host")


def session_of(method, headers, role=None):
    """The user, session and roles of a request, whose headers have names in lower case. Raises Refused."""
    token, opaque = bearer(headers), None
    if token is None:
        token, opaque = cookie(headers, "stytch_session_jwt"), cookie(headers, "stytch_session")
        if token is not None and not may_use_cookies(method, headers):
            raise Refused(403, "sent by a page of another origin")
    if token is None:
        raise Refused(401, "no session")
    claims = verified(token, SESSION_KEYS, "JWT", "stytch.com/" + PROJECT_ID, PROJECT_ID)
    session = claims.get(SESSION)
    if not isinstance(session, dict) or session.get("partial"):
        raise Refused(401, "no whole session: ask the provider")
    if opaque is not None:
        digest = hashlib.sha256(opaque.encode()).digest()[:16]
        if session.get("token_hash") != base64.urlsafe_b64encode(digest).rstrip(b"=").decode():
            raise Refused(401, "the two cookies are of different sessions")
    if role is not None and role not in session["roles"]:
        raise Refused(403, "lacks the role " + role)
    return {"user_id": claims["sub"], "session_id": session["id"], "roles": session["roles"]}


def access_of(headers, scope):
    """The user, app and scopes of a call by a connected app. Raises Refused."""
    if not ISSUER or not RESOURCE:
        raise RuntimeError("access_of needs PORTICO_ISSUER and PORTICO_RESOURCE")
    token = bearer(headers)
    if token is None:
        raise Refused(401, "no access token")
    claims = verified(token, APP_KEYS, "at+jwt", ISSUER, RESOURCE)
    if claims["aud"] not in (RESOURCE, [RESOURCE]):
        raise Refused(401, "for other APIs, too")
    if "cnf" in claims or not isinstance(claims.get("client_id"), str):
        raise Refused(401, "bound to a key, or of no app")
    scopes = claims.get("scope", "").split()
    if scope not in scopes:
        raise Refused(403, "lacks the scope " + scope)
    return {"user_id": claims["sub"], "client_id": claims["client_id"], "scopes": scopes}
