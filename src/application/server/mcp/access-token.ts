import { isRecord } from '#domain/shape.ts';
import type { ClockPort, JwtPort } from '../../ports/index.ts';
import { Doubt, UnavailableError } from '../cached-value.ts';
import type { KeyRing } from '../key-ring.ts';
import type { CheckedMcpOptions } from './mcp-options.ts';

/** A valid access token, with the members that the official MCP server package passes to its handlers (`AuthInfo`). */
export interface McpAuth {
  readonly token: string;
  readonly clientId: string;
  readonly scopes: string[];
  /** In seconds since 1970. */
  readonly expiresAt: number;
  /** The URL of this MCP server. */
  readonly resource: URL;
  readonly extra: {
    readonly userId: string;
    /** All claims of the token (RFC 9068, section 2.2). */
    readonly claims: Readonly<Record<string, unknown>>;
  };
}

/** The reason why a token is not accepted, as one sentence for developers. */
export interface RefusedToken {
  readonly refused: string;
}

const UNTRUSTED: RefusedToken = {
  refused:
    'The token was not issued by the authorization server of this resource for this resource, or it was modified.',
};

/** Verifies access tokens for one resource (RFC 9068, section 4; RFC 8707). */
export class AccessTokens {
  constructor(
    private readonly port: JwtPort,
    private readonly keys: KeyRing,
    private readonly clock: ClockPort,
    private readonly options: CheckedMcpOptions,
  ) {}

  /** Throws an `UnavailableError` if the result is unknown: without keys, or while this clock is behind that of the issuer. */
  async check(token: string): Promise<McpAuth | RefusedToken> {
    const { issuer, audience, resource, clockToleranceSeconds: toleranceSeconds } = this.options;
    const required = { issuers: [issuer], audience, type: 'at+jwt', toleranceSeconds, now: this.clock.now() };
    const verified = await this.port.verify(token, async (kid) => this.keys.find(kid), required);
    if (verified === null) return UNTRUSTED;
    const { claims, reason } = verified;
    if (reason === 'premature-jwt') throw new UnavailableError('keys', new Doubt('The token is not valid yet'));
    if (reason !== null) return { refused: 'The token has expired.' };
    const { aud, sub, client_id: clientId, scope = '', exp, cnf } = claims;
    // If several APIs accepted the same token, each could use it at the others.
    if (aud !== audience && !(Array.isArray(aud) && aud.length === 1)) {
      return { refused: 'The token is for other resources, too.' };
    }
    // Without this check, whoever read a bound token could use it without the key (RFC 9449, section 7.1).
    if (isRecord(cnf)) return { refused: 'The token is bound to a key, which this resource does not check.' };
    if (typeof sub !== 'string' || typeof clientId !== 'string' || typeof scope !== 'string') return UNTRUSTED;
    const scopes = scope.split(' ').filter((each) => each !== '');
    return { token, clientId, scopes, expiresAt: Number(exp), resource, extra: { userId: sub, claims } };
  }
}
