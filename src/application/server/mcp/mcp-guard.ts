import { isRecord } from '#domain/shape.ts';
import { UnavailableError } from '../cached-value.ts';
import type { AccessTokens, McpAuth } from './access-token.ts';
import type { CheckedMcpOptions, McpGuardOptions } from './mcp-options.ts';

/** The response to a rejected request. */
export interface McpRefusal {
  readonly status: 401 | 403 | 503;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly error: string; readonly error_description: string };
}

/** The result of a check: the token's user, client and scopes, or the response that refuses the request. */
export type McpVerdict = { readonly auth: McpAuth } | { readonly refusal: McpRefusal };

/** A protected resource's description of itself (RFC 9728, section 2). */
export interface ProtectedResourceMetadata {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly bearer_methods_supported: readonly string[];
  readonly scopes_supported?: readonly string[];
  readonly resource_name?: string;
  readonly resource_documentation?: string;
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const BEARER = /^Bearer +([\w.~+/-]+=*) *$/iu;
/** Lets pages of other origins read the challenge, because many MCP clients run in pages. */
const OPEN = {
  'cache-control': 'no-store',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'WWW-Authenticate',
};

/** Refuses requests to an MCP server without a valid token for it (MCP authorization; RFC 6750; RFC 9728). */
export class McpRequests {
  readonly metadata: ProtectedResourceMetadata;
  /** The path of the metadata at the resource's origin (RFC 9728, section 3.1). */
  readonly metadataPath: string;

  constructor(
    private readonly tokens: AccessTokens,
    private readonly options: CheckedMcpOptions,
    { resourceName, resourceDocumentation }: Pick<McpGuardOptions, 'resourceName' | 'resourceDocumentation'>,
  ) {
    const { resource, audience, issuer, scopes, tools } = options;
    const all = [...new Set([...scopes, ...[...tools.values()].flat()])];
    this.metadataPath = `${WELL_KNOWN}${resource.pathname === '/' ? '' : resource.pathname}`;
    this.metadata = {
      resource: audience,
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      ...(all.length === 0 ? {} : { scopes_supported: all }),
      ...(resourceName === undefined ? {} : { resource_name: resourceName }),
      ...(resourceDocumentation === undefined ? {} : { resource_documentation: resourceDocumentation }),
    };
  }

  /**
   * @param header the `Authorization` header; null for none
   * @param message the JSON-RPC message of the body; its tool decides which scopes are required; undefined for none
   */
  async authorize(header: string | null, message?: unknown): Promise<McpVerdict> {
    const needed = this.scopesFor(message);
    // A request without credentials has no error, so the challenge contains none (RFC 6750, section 3.1).
    if (header === null || header === '') return this.unauthorized(needed, null);
    const [, token] = BEARER.exec(header) ?? [];
    if (token === undefined) return this.unauthorized(needed, 'The Authorization header has no bearer token.');
    try {
      const auth = await this.tokens.check(token);
      if ('refused' in auth) return this.unauthorized(needed, auth.refused);
      const missing = needed.filter((scope) => !auth.scopes.includes(scope));
      return missing.length === 0 ? { auth } : this.forbidden(missing, auth.scopes);
    } catch (error) {
      if (error instanceof UnavailableError) return unavailable(error);
      throw error;
    }
  }

  /** The scopes required for every request, and for the tools that the message calls. */
  private scopesFor(message: unknown): readonly string[] {
    const { scopes, tools } = this.options;
    const calls = Array.isArray(message) ? (message as readonly unknown[]) : [message];
    const more = calls.flatMap((call) => {
      const { method, params } = isRecord(call) ? call : {};
      const name = method === 'tools/call' && isRecord(params) ? params['name'] : undefined;
      return typeof name === 'string' ? (tools.get(name) ?? []) : [];
    });
    return [...new Set([...scopes, ...more])];
  }

  private unauthorized(scopes: readonly string[], problem: string | null): McpVerdict {
    const error: Readonly<Record<string, string>> =
      problem === null ? {} : { error: 'invalid_token', error_description: problem };
    const body = { error: 'invalid_token', error_description: problem ?? 'The request has no access token.' };
    return { refusal: { status: 401, headers: this.challenge({ ...error, scope: scopes.join(' ') }), body } };
  }

  /** Includes the scopes that the token already has: a client that requests only the missing ones would lose the others. */
  private forbidden(missing: readonly string[], granted: readonly string[]): McpVerdict {
    const error_description = `The token lacks the scopes: ${missing.join(', ')}`;
    const body = { error: 'insufficient_scope', error_description };
    const scope = [...new Set([...granted, ...missing])].join(' ');
    return { refusal: { status: 403, headers: this.challenge({ ...body, scope }), body } };
  }

  private challenge(fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const resource_metadata = `${this.options.resource.origin}${this.metadataPath}`;
    const entries = Object.entries({ ...fields, resource_metadata }).filter(([, value]) => value !== '');
    const parameters = entries.map(([name, value]) => `${name}="${value}"`).join(', ');
    return { ...OPEN, 'www-authenticate': `Bearer ${parameters}` };
  }
}

function unavailable({ result }: UnavailableError): McpVerdict {
  const headers = { ...OPEN, 'retry-after': String(Math.max(1, Math.ceil(result.retryAfterMs / 1000))) };
  const error_description = 'The token cannot be checked now.';
  return { refusal: { status: 503, headers, body: { error: 'temporarily_unavailable', error_description } } };
}
