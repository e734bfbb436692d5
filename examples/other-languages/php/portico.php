<?php
// Session JWTs, and access tokens of connected apps, with firebase/php-jwt 6.8 or newer, and APCu.

namespace Portico;

use Firebase\JWT\JWK;
use Firebase\JWT\JWT;
use Firebase\JWT\Key;

const SESSION = 'https://stytch.com/session';
JWT::$leeway = 5; // seconds that two clocks may differ

/** PORTICO_API_URL, PORTICO_PROJECT_ID, PORTICO_ISSUER, PORTICO_RESOURCE and PORTICO_ORIGINS. */
function setting(string $name): string
{
    return getenv("PORTICO_$name") ?: '';
}

/** A request without the right to what it wants. The code is the HTTP status of the answer. */
class Refused extends \Exception
{
}

/** Public keys by `kid`, which are read again every ten minutes, and for a new `kid`. All requests share them. */
class Keys implements \ArrayAccess
{
    public function __construct(private string $path)
    {
    }

    public function offsetGet(mixed $kid): Key
    {
        $entry = apcu_fetch($this->path) ?: ['set' => ['keys' => []], 'read_at' => 0];
        $isNew = false;
        $wanted = !self::has($entry, $kid) || time() - $entry['read_at'] > 600;
        // Anybody can invent a `kid`, so only one request in five seconds.
        if ($wanted && apcu_add($this->path . ' asked', true, 5)) {
            $set = self::read(setting('API_URL') . $this->path);
            $isNew = $set !== null;
            // Else the earlier keys are good for an hour.
            $entry = $isNew ? ['set' => $set, 'read_at' => time()] : $entry;
            apcu_store($this->path, $entry);
        }
        if (self::has($entry, $kid) && time() - $entry['read_at'] < 3600) {
            return JWK::parseKeySet($entry['set'], 'RS256')[$kid];
        }
        throw $isNew ? new Refused('unknown key', 401) : new Refused('the key is not known yet', 503);
    }

    private static function has(array $entry, string $kid): bool
    {
        return in_array($kid, array_column($entry['set']['keys'], 'kid'), true);
    }

    private static function read(string $url): ?array
    {
        $text = @file_get_contents($url, false, stream_context_create(['http' => ['timeout' => 5]]));
        $set = json_decode($text ?: '', true);
        return is_array($set) && isset($set['keys'][0]) ? $set : null;
    }

    public function offsetExists(mixed $kid): bool
    {
        return true;
    }

    public function offsetSet(mixed $kid, mixed $key): void
    {
    }

    public function offsetUnset(mixed $kid): void
    {
    }
}

function verified(string $token, string $keysPath, string $typ, string $issuer, string $audience): \stdClass
{
    $header = new \stdClass();
    try {
        $claims = JWT::decode($token, new Keys($keysPath), $header);
    } catch (Refused $refused) {
        throw $refused;
    } catch (\Throwable $error) {
        throw new Refused($error->getMessage(), 401);
    }
    $fits = ($header->typ ?? null) === $typ
        && isset($claims->exp, $claims->iat, $claims->sub)
        && ($claims->nbf ?? 0) <= time() + JWT::$leeway
        && ($claims->iss ?? null) === $issuer
        && in_array($audience, (array) ($claims->aud ?? []), true);
    return $fits ? $claims : throw new Refused('another kind of token', 401);
}

function bearer(array $headers): ?string
{
    $isBearer = preg_match('/^bearer(?:\s+|$)(.*)$/i', $headers['authorization'] ?? '', $parts) === 1;
    return $isBearer ? trim($parts[1]) : null;
}

function cookie(array $headers, string $name): ?string
{
    $values = [];
    foreach (explode(';', $headers['cookie'] ?? '') as $pair) {
        [$key, $value] = explode('=', trim($pair), 2) + [1 => ''];
        if ($key === $name && $value !== '') {
            $values[] = $value;
        }
    }
    return count($values) > 1 ? throw new Refused('two cookies of one name', 401) : $values[0] ?? null;
}

/** False for a change that a page of another origin causes (CSRF). */
function mayUseCookies(string $method, array $headers): bool
{
    if (in_array($method, ['GET', 'HEAD', 'OPTIONS'], true) && !isset($headers['upgrade'])) {
        return true;
    }
    $origin = $headers['origin'] ?? '';
    $site = $headers['sec-fetch-site'] ?? null;
    if ($origin !== '' && in_array($origin, explode(' ', setting('ORIGINS')), true)) {
        return true;
    }
    if ($site !== null && $origin !== 'null') {
        return in_array($site, ['same-origin', 'none'], true);
    }
    return in_array($origin, ['https://' . $headers['host'], 'http://' . $headers['host']], true);
}

/** The user, session and roles of a request, whose headers have names in lower case. Throws Refused. */
function sessionOf(string $method, array $headers, ?string $role = null): array
{
    $token = bearer($headers);
    $opaque = null;
    if ($token === null) {
        $token = cookie($headers, 'stytch_session_jwt');
        $opaque = cookie($headers, 'stytch_session');
        if ($token !== null && !mayUseCookies($method, $headers)) {
            throw new Refused('sent by a page of another origin', 403);
        }
    }
    if ($token === null) {
        throw new Refused('no session', 401);
    }
    $projectId = setting('PROJECT_ID');
    $claims = verified($token, "/sdk/v1/sessions/jwks/$projectId", 'JWT', "stytch.com/$projectId", $projectId);
    $session = $claims->{SESSION} ?? null;
    if (!$session instanceof \stdClass || ($session->partial ?? false) === true) {
        throw new Refused('no whole session: ask the provider', 401);
    }
    $half = substr(hash('sha256', $opaque ?? '', true), 0, 16);
    $hash = rtrim(strtr(base64_encode($half), '+/', '-_'), '=');
    if ($opaque !== null && ($session->token_hash ?? null) !== $hash) {
        throw new Refused('the two cookies are of different sessions', 401);
    }
    if ($role !== null && !in_array($role, $session->roles, true)) {
        throw new Refused("lacks the role $role", 403);
    }
    return ['user_id' => $claims->sub, 'session_id' => $session->id, 'roles' => $session->roles];
}

/** The user, app and scopes of a call by a connected app. Throws Refused. */
function accessOf(array $headers, string $scope): array
{
    if (setting('ISSUER') === '' || setting('RESOURCE') === '') {
        throw new \LogicException('accessOf needs PORTICO_ISSUER and PORTICO_RESOURCE');
    }
    $token = bearer($headers) ?? throw new Refused('no access token', 401);
    $claims = verified($token, '/oauth2/jwks.json', 'at+jwt', setting('ISSUER'), setting('RESOURCE'));
    if (count((array) $claims->aud) !== 1) {
        throw new Refused('for other APIs, too', 401);
    }
    if (isset($claims->cnf) || !is_string($claims->client_id ?? null)) {
        throw new Refused('bound to a key, or of no app', 401);
    }
    $scopes = explode(' ', $claims->scope ?? '');
    if (!in_array($scope, $scopes, true)) {
        throw new Refused("lacks the scope $scope", 403);
    }
    return ['user_id' => $claims->sub, 'client_id' => $claims->client_id, 'scopes' => $scopes];
}
