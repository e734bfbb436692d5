// Session JWTs, and access tokens of connected apps, with jose4j, for Java 17 or newer.

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.Key;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.MalformedClaimException;
import org.jose4j.jwt.consumer.InvalidJwtException;
import org.jose4j.jwt.consumer.JwtConsumer;
import org.jose4j.jwt.consumer.JwtConsumerBuilder;

final class Portico {
    static final String API_URL = System.getenv("PORTICO_API_URL");
    static final String PROJECT_ID = System.getenv("PORTICO_PROJECT_ID");
    // For accessOf alone: the issuer of access tokens, and this API, as the project file names it.
    static final String ISSUER = System.getenv("PORTICO_ISSUER");
    static final String RESOURCE = System.getenv("PORTICO_RESOURCE");
    /** Other pages that may send changes with cookies. */
    static final List<String> ORIGINS = List.of(System.getenv().getOrDefault("PORTICO_ORIGINS", "").split(" "));
    static final int LEEWAY = 5; // seconds that two clocks may differ
    static final String SESSION = "https://stytch.com/session";

    static final JwtConsumer SESSIONS = consumer(
        new Keys("/sdk/v1/sessions/jwks/" + PROJECT_ID), "JWT", "stytch.com/" + PROJECT_ID, PROJECT_ID);
    static final JwtConsumer APPS = consumer(new Keys("/oauth2/jwks.json"), "at+jwt", ISSUER, RESOURCE);

    record Session(String userId, String sessionId, List<?> roles) {}

    record Access(String userId, String clientId, List<String> scopes) {}

    /** A request without the right to what it wants, with the HTTP status of the answer. */
    static final class Refused extends RuntimeException {
        final int status;

        Refused(int status, String reason) {
            super(reason);
            this.status = status;
        }
    }

    /** Public keys by `kid`, which are read again every ten minutes, and for a new `kid`. */
    static final class Keys {
        private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
        private final URI address;
        private Map<String, Key> keys = Map.of();
        private long readAt = Long.MIN_VALUE / 2;
        private long askedAt = Long.MIN_VALUE / 2;

        Keys(String path) {
            address = URI.create(API_URL + path);
        }

        synchronized Key find(String kid) {
            long now = System.nanoTime() / 1_000_000_000;
            boolean wanted = !keys.containsKey(kid) || now - readAt > 600;
            boolean isNew = false;
            // Anybody can invent a `kid`, so only one request in five seconds.
            if (wanted && now - askedAt > 5) {
                askedAt = now;
                isNew = read(now);
            }
            if (keys.containsKey(kid) && now - readAt < 3600) return keys.get(kid);
            throw isNew ? new Refused(401, "unknown key") : new Refused(503, "the key is not known yet");
        }

        private boolean read(long now) {
            try {
                HttpRequest request = HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(5)).build();
                String body = HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
                keys = new JsonWebKeySet(body).getJsonWebKeys().stream()
                    .collect(Collectors.toMap(JsonWebKey::getKeyId, JsonWebKey::getKey));
                readAt = now;
                return true;
            } catch (Exception unusable) {
                return false; // The earlier keys are good for an hour.
            }
        }
    }

    private static JwtConsumer consumer(Keys keys, String typ, String issuer, String audience) {
        return new JwtConsumerBuilder()
            .setJwsAlgorithmConstraints(
                new AlgorithmConstraints(AlgorithmConstraints.ConstraintType.WHITELIST, "RS256"))
            .setExpectedIssuer(issuer)
            .setExpectedAudience(audience)
            .setRequireExpirationTime()
            .setRequireIssuedAt()
            .setRequireSubject()
            .setAllowedClockSkewInSeconds(LEEWAY)
            .setVerificationKeyResolver((jws, nesting) -> {
                String kid = jws.getKeyIdHeaderValue();
                if (!typ.equals(jws.getHeader("typ")) || kid == null) throw new Refused(401, "another kind of token");
                return keys.find(kid);
            })
            .build();
    }

    private static JwtClaims verified(String token, JwtConsumer consumer) {
        try {
            return consumer.processToClaims(token);
        } catch (InvalidJwtException error) {
            throw error.getCause() instanceof Refused refused ? refused : new Refused(401, error.getMessage());
        }
    }

    private static String bearer(Map<String, String> headers) {
        String[] parts = headers.getOrDefault("authorization", "").split(" ", 2);
        if (!parts[0].equalsIgnoreCase("bearer")) return null;
        return parts.length == 2 ? parts[1].strip() : "";
    }

    private static String cookie(Map<String, String> headers, String name) {
        List<String> values = Arrays.stream(headers.getOrDefault("cookie", "").split(";"))
            .map(String::strip)
            .filter(pair -> pair.startsWith(name + "=") && pair.length() > name.length() + 1)
            .map(pair -> pair.substring(name.length() + 1))
            .toList();
        if (values.size() > 1) throw new Refused(401, "two cookies of one name");
        return values.isEmpty() ? null : values.get(0);
    }

    /** False for a change that a page of another origin causes (CSRF). */
    static boolean mayUseCookies(String method, Map<String, String> headers) {
        if (List.of("GET", "HEAD", "OPTIONS").contains(method) && !headers.containsKey("upgrade")) return true;
        String origin = headers.getOrDefault("origin", "");
        String site = headers.get("sec-fetch-site");
        if (!origin.isEmpty() && ORIGINS.contains(origin)) return true;
        if (site != null && !origin.equals("null")) return site.equals("same-origin") || site.equals("none");
        String host = headers.get("host");
        return origin.equals("https://" + host) || origin.equals("http://" + host);
    }

    /** The session of a request, whose headers have names in lower case; `role` may be null. Throws Refused. */
    static Session sessionOf(String method, Map<String, String> headers, String role) throws Exception {
        String token = bearer(headers);
        String opaque = null;
        if (token == null) {
            token = cookie(headers, "stytch_session_jwt");
            opaque = cookie(headers, "stytch_session");
            if (token != null && !mayUseCookies(method, headers)) {
                throw new Refused(403, "sent by a page of another origin");
            }
        }
        if (token == null) throw new Refused(401, "no session");
        JwtClaims claims = verified(token, SESSIONS);
        if (!(claims.getClaimValue(SESSION) instanceof Map<?, ?> session)
            || Boolean.TRUE.equals(session.get("partial"))) {
            throw new Refused(401, "no whole session: ask the provider");
        }
        if (opaque != null && !hashOf(opaque).equals(session.get("token_hash"))) {
            throw new Refused(401, "the two cookies are of different sessions");
        }
        List<?> roles = (List<?>) session.get("roles");
        if (role != null && !roles.contains(role)) throw new Refused(403, "lacks the role " + role);
        return new Session(claims.getSubject(), (String) session.get("id"), roles);
    }

    private static String hashOf(String token) throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest, 16));
    }

    /** The user, app and scopes of a call by a connected app. Throws Refused. */
    static Access accessOf(Map<String, String> headers, String scope) throws MalformedClaimException {
        if (ISSUER == null || RESOURCE == null) {
            throw new IllegalStateException("accessOf needs PORTICO_ISSUER and PORTICO_RESOURCE");
        }
        String token = bearer(headers);
        if (token == null) throw new Refused(401, "no access token");
        JwtClaims claims = verified(token, APPS);
        if (claims.getAudience().size() != 1) throw new Refused(401, "for other APIs, too");
        String clientId = claims.getStringClaimValue("client_id");
        if (claims.hasClaim("cnf") || clientId == null) throw new Refused(401, "bound to a key, or of no app");
        String scopes = claims.hasClaim("scope") ? claims.getStringClaimValue("scope") : "";
        List<String> list = List.of(scopes.split(" "));
        if (!list.contains(scope)) throw new Refused(403, "lacks the scope " + scope);
        return new Access(claims.getSubject(), clientId, list);
    }
}
