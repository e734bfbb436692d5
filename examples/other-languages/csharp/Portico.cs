// Session JWTs, and access tokens of connected apps, with Microsoft.IdentityModel.JsonWebTokens 8, for ASP.NET Core 8.

using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using Microsoft.IdentityModel.JsonWebTokens;
using Microsoft.IdentityModel.Tokens;

public sealed record Session(string UserId, string SessionId, IReadOnlyList<string> Roles);

public sealed record Access(string UserId, string ClientId, IReadOnlyList<string> Scopes);

/// <summary>A request without the right to what it wants, with the HTTP status of the answer.</summary>
public sealed class Refused(int status, string reason) : Exception(reason)
{
    public int Status => status;
}

/// <summary>Public keys by `kid`, which are read again every ten minutes, and for a new `kid`.</summary>
public sealed class Keys(HttpClient http, string address)
{
    private readonly SemaphoreSlim turn = new(1);
    private Dictionary<string, SecurityKey> keys = [];
    private DateTime readAt = DateTime.MinValue;
    private DateTime askedAt = DateTime.MinValue;

    public async Task<SecurityKey> Find(string kid)
    {
        await turn.WaitAsync();
        try
        {
            var now = DateTime.UtcNow;
            var wanted = !keys.ContainsKey(kid) || now - readAt > TimeSpan.FromMinutes(10);
            // Anybody can invent a `kid`, so only one request in five seconds.
            if (wanted && now - askedAt > TimeSpan.FromSeconds(5))
            {
                askedAt = now;
                await Read(now);
            }
            if (keys.TryGetValue(kid, out var key) && now - readAt < TimeSpan.FromHours(1)) return key;
            throw readAt == now ? new Refused(401, "unknown key") : new Refused(503, "the key is not known yet");
        }
        finally
        {
            turn.Release();
        }
    }

    private async Task Read(DateTime now)
    {
        try
        {
            using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(5));
            var set = new JsonWebKeySet(await http.GetStringAsync(address, patience.Token));
            keys = set.Keys.ToDictionary(each => each.Kid, each => (SecurityKey)each);
            readAt = now;
        }
        catch (Exception error) when (error is HttpRequestException or OperationCanceledException or ArgumentException)
        {
            // The earlier keys are good for an hour.
        }
    }
}

public sealed class Portico
{
    private const string SessionClaim = "https://stytch.com/session";
    private static readonly JsonWebTokenHandler Handler = new();
    private readonly string projectId = Setting("PORTICO_PROJECT_ID");
    // Other pages that may send changes with cookies.
    private readonly string[] origins = (Environment.GetEnvironmentVariable("PORTICO_ORIGINS") ?? "").Split(' ');
    private readonly Keys sessionKeys;
    private readonly Keys appKeys;

    public Portico(HttpClient http)
    {
        var apiUrl = Setting("PORTICO_API_URL");
        sessionKeys = new Keys(http, $"{apiUrl}/sdk/v1/sessions/jwks/{projectId}");
        appKeys = new Keys(http, $"{apiUrl}/oauth2/jwks.json");
    }

    private static string Setting(string name) =>
        Environment.GetEnvironmentVariable(name) ?? throw new InvalidOperationException($"{name} is not set");

    private static async Task<JsonWebToken> Verified(
        string text, Keys keys, string typ, string issuer, string audience)
    {
        JsonWebToken unverified;
        try
        {
            unverified = new JsonWebToken(text);
        }
        catch (ArgumentException)
        {
            throw new Refused(401, "no token");
        }
        if (unverified.Typ != typ || string.IsNullOrEmpty(unverified.Kid))
            throw new Refused(401, "another kind of token");
        var result = await Handler.ValidateTokenAsync(text, new TokenValidationParameters
        {
            IssuerSigningKey = await keys.Find(unverified.Kid),
            ValidAlgorithms = ["RS256"],
            ValidTypes = [typ],
            ValidIssuer = issuer,
            ValidAudience = audience,
            ClockSkew = TimeSpan.FromSeconds(5), // that two clocks may differ
        });
        var claims = result.Claims;
        if (!result.IsValid || !claims.ContainsKey("exp") || !claims.ContainsKey("iat") || !claims.ContainsKey("sub"))
            throw new Refused(401, result.Exception?.Message ?? "a claim is missing");
        return (JsonWebToken)result.SecurityToken;
    }

    private static string? Bearer(HttpRequest request)
    {
        var parts = request.Headers.Authorization.ToString().Split(' ', 2);
        if (!parts[0].Equals("bearer", StringComparison.OrdinalIgnoreCase)) return null;
        return parts.Length == 2 ? parts[1].Trim() : "";
    }

    private static string? Cookie(HttpRequest request, string name)
    {
        var values = request.Headers.Cookie.SelectMany(header => (header ?? "").Split(';'))
            .Select(pair => pair.Trim().Split('=', 2))
            .Where(pair => pair[0] == name && pair.Length == 2 && pair[1] != "")
            .Select(pair => pair[1])
            .ToList();
        return values.Count > 1 ? throw new Refused(401, "two cookies of one name") : values.FirstOrDefault();
    }

    /// <summary>False for a change that a page of another origin causes (CSRF).</summary>
    public bool MayUseCookies(HttpRequest request)
    {
        var headers = request.Headers;
        if (request.Method is "GET" or "HEAD" or "OPTIONS" && !headers.ContainsKey("Upgrade")) return true;
        var origin = headers.Origin.ToString();
        var site = headers["Sec-Fetch-Site"].ToString();
        if (origin != "" && origins.Contains(origin)) return true;
        if (site != "" && origin != "null") return site is "same-origin" or "none";
        return origin == $"https://{request.Host}" || origin == $"http://{request.Host}";
    }

    /// <summary>The session of a request. Throws Refused.</summary>
    public async Task<Session> SessionOf(HttpRequest request, string? role = null)
    {
        var token = Bearer(request);
        string? opaque = null;
        if (token == null)
        {
            token = Cookie(request, "stytch_session_jwt");
            opaque = Cookie(request, "stytch_session");
            if (token != null && !MayUseCookies(request)) throw new Refused(403, "sent by a page of another origin");
        }
        if (token == null) throw new Refused(401, "no session");
        var claims = await Verified(token, sessionKeys, "JWT", $"stytch.com/{projectId}", projectId);
        if (!claims.TryGetPayloadValue<JsonElement>(SessionClaim, out var session)
            || session.ValueKind != JsonValueKind.Object
            || (session.TryGetProperty("partial", out var partial) && partial.ValueKind == JsonValueKind.True))
            throw new Refused(401, "no whole session: ask the provider");
        if (opaque != null && session.GetProperty("token_hash").GetString() != HashOf(opaque))
            throw new Refused(401, "the two cookies are of different sessions");
        var roles = session.GetProperty("roles").EnumerateArray().Select(each => each.GetString()!).ToList();
        if (role != null && !roles.Contains(role)) throw new Refused(403, $"lacks the role {role}");
        return new Session(claims.Subject, session.GetProperty("id").GetString()!, roles);
    }

    private static string HashOf(string token) =>
        Base64UrlEncoder.Encode(SHA256.HashData(Encoding.UTF8.GetBytes(token))[..16]);

    /// <summary>The user, app and scopes of a call by a connected app. Throws Refused.</summary>
    public async Task<Access> AccessOf(HttpRequest request, string scope)
    {
        var token = Bearer(request) ?? throw new Refused(401, "no access token");
        // The issuer of access tokens, and this API, as the project file names it.
        var (issuer, resource) = (Setting("PORTICO_ISSUER"), Setting("PORTICO_RESOURCE"));
        var claims = await Verified(token, appKeys, "at+jwt", issuer, resource);
        if (claims.Audiences.Count() != 1) throw new Refused(401, "for other APIs, too");
        if (claims.TryGetPayloadValue<JsonElement>("cnf", out _)
            || !claims.TryGetPayloadValue<string>("client_id", out var clientId))
            throw new Refused(401, "bound to a key, or of no app");
        claims.TryGetPayloadValue<string>("scope", out var text);
        var scopes = (text ?? "").Split(' ');
        if (!scopes.Contains(scope)) throw new Refused(403, $"lacks the scope {scope}");
        return new Access(claims.Subject, clientId, scopes);
    }
}
