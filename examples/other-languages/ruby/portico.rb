# Session JWTs, and access tokens of connected apps, with the gem jwt (2.5 or newer).

require "digest"
require "json"
require "jwt"
require "net/http"

module Portico
  API_URL = ENV.fetch("PORTICO_API_URL")
  PROJECT_ID = ENV.fetch("PORTICO_PROJECT_ID")
  # For access_of alone: the issuer of access tokens, and this API, as the project file names it.
  ISSUER = ENV.fetch("PORTICO_ISSUER", "")
  RESOURCE = ENV.fetch("PORTICO_RESOURCE", "")
  ORIGINS = ENV.fetch("PORTICO_ORIGINS", "").split # other pages that may send changes with cookies
  LEEWAY = 5 # seconds that two clocks may differ
  SESSION = "https://stytch.com/session"

  # A request without the right to what it wants, with the HTTP status of the answer.
  class Refused < StandardError
    attr_reader :status

    def initialize(status, reason)
      super(reason)
      @status = status
    end
  end

  # Public keys by `kid`, which are read again every ten minutes, and for a new `kid`.
  class Keys
    def initialize(path)
      @url, @mutex = URI(API_URL + path), Mutex.new
      @keys, @read_at, @asked_at = {}, -Float::INFINITY, -Float::INFINITY
    end

    def find(kid)
      @mutex.synchronize do
        now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
        wanted = !@keys.key?(kid) || now - @read_at > 600
        # Anybody can invent a `kid`, so only one request in five seconds.
        if wanted && now - @asked_at > 5
          @asked_at = now
          read(now)
        end
        return @keys[kid] if @keys.key?(kid) && now - @read_at < 3600
        raise Refused.new(401, "unknown key") if @read_at == now
        raise Refused.new(503, "the key is not known yet")
      end
    end

    private

    def read(now)
      options = { use_ssl: @url.scheme == "https", open_timeout: 5, read_timeout: 5 }
      reply = Net::HTTP.start(@url.host, @url.port, options) { |http| http.get(@url.path) }
      published = JSON.parse(reply.body).fetch("keys").map { |each| JWT::JWK.import(each) }
      @keys, @read_at = published.to_h { |each| [each.kid, each.public_key] }, now
    rescue StandardError
      # The earlier keys are good for an hour.
    end
  end

  SESSION_KEYS = Keys.new("/sdk/v1/sessions/jwks/#{PROJECT_ID}")
  APP_KEYS = Keys.new("/oauth2/jwks.json")

  module_function

  def verified(token, keys, typ, issuer, audience)
    options = {
      algorithms: ["RS256"],
      iss: issuer, verify_iss: true,
      aud: audience, verify_aud: true,
      leeway: LEEWAY,
      required_claims: %w[exp iat sub]
    }
    claims, = JWT.decode(token, nil, true, options) do |header|
      fits = header["typ"] == typ && header["kid"].is_a?(String)
      raise Refused.new(401, "another kind of token") unless fits
      keys.find(header["kid"])
    end
    claims
  rescue JWT::DecodeError => error
    raise Refused.new(401, error.message)
  end

  def bearer(headers)
    scheme, token = headers.fetch("authorization", "").split(" ", 2)
    token.to_s.strip if scheme.to_s.casecmp?("bearer")
  end

  def cookie(headers, name)
    pairs = headers.fetch("cookie", "").split(";").map { |pair| pair.strip.split("=", 2) }
    values = pairs.filter_map { |key, value| value if key == name && value.to_s != "" }
    raise Refused.new(401, "two cookies of one name") if values.size > 1
    values.first
  end

  # False for a change that a page of another origin causes (CSRF).
  def may_use_cookies?(method, headers)
    return true if %w[GET HEAD OPTIONS].include?(method) && !headers.key?("upgrade")
    origin, site = headers["origin"], headers["sec-fetch-site"]
    return true if ORIGINS.include?(origin)
    return %w[same-origin none].include?(site) if site && origin != "null"
    !origin.nil? && origin.split("://", 2)[1] == headers["host"]
  end

  # The user, session and roles of a request, whose headers have names in lower case. Raises Refused.
  def session_of(method, headers, role = nil)
    token, opaque = bearer(headers), nil
    if token.nil?
      token, opaque = cookie(headers, "stytch_session_jwt"), cookie(headers, "stytch_session")
      raise Refused.new(403, "sent by a page of another origin") if token && !may_use_cookies?(method, headers)
    end
    raise Refused.new(401, "no session") if token.nil?
    claims = verified(token, SESSION_KEYS, "JWT", "stytch.com/#{PROJECT_ID}", PROJECT_ID)
    session = claims[SESSION]
    whole = session.is_a?(Hash) && session["partial"] != true
    raise Refused.new(401, "no whole session: ask the provider") unless whole
    hash = opaque && [Digest::SHA256.digest(opaque)[0, 16]].pack("m0").tr("+/", "-_").delete("=")
    raise Refused.new(401, "the two cookies are of different sessions") if hash && session["token_hash"] != hash
    raise Refused.new(403, "lacks the role #{role}") if role && !session["roles"].include?(role)
    { user_id: claims["sub"], session_id: session["id"], roles: session["roles"] }
  end

  # The user, app and scopes of a call by a connected app. Raises Refused.
  def access_of(headers, scope)
    raise "access_of needs PORTICO_ISSUER and PORTICO_RESOURCE" if ISSUER.empty? || RESOURCE.empty?
    token = bearer(headers)
    raise Refused.new(401, "no access token") if token.nil?
    claims = verified(token, APP_KEYS, "at+jwt", ISSUER, RESOURCE)
    raise Refused.new(401, "for other APIs, too") if Array(claims["aud"]).size != 1
    unbound = !claims.key?("cnf") && claims["client_id"].is_a?(String)
    raise Refused.new(401, "bound to a key, or of no app") unless unbound
    scopes = claims.fetch("scope", "").split
    raise Refused.new(403, "lacks the scope #{scope}") unless scopes.include?(scope)
    { user_id: claims["sub"], client_id: claims["client_id"], scopes: scopes }
  end
end
