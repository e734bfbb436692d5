import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';
import type { Provider as OidcProvider } from 'oidc-provider';
import { vi } from 'vitest';
import { outsideFetch, type OutsideFetch } from '#provider/base/http/outside-fetch.ts';
import { PATIENCE_MS } from '#tests/patience-ms.ts';

/** A person at a foreign provider: the claims that it has about them. */
export type ForeignPerson = Readonly<Record<string, unknown>> & { readonly sub: string };

interface ForeignIssuer {
  readonly issuer: string;
  readonly clients: readonly object[];
  readonly configuration?: object;
}

/** Answers a call of our server instead of the network, or makes another call of it; undefined lets it through. */
type Intercept = (request: Request) => Promise<Response | Request | undefined> | Response | Request | undefined;
/** Changes a reply on its way to our server. */
type Tamper = (url: URL, reply: Response) => Promise<Response> | Response;

const OPENID_CLAIMS = {
  openid: ['sub', 'tid', 'hd', 'xms_edov', 'https://slack.com/team_id'],
  email: ['email', 'email_verified'],
  profile: ['name', 'given_name', 'family_name', 'picture', 'locale', 'preferred_username'],
  'user:read:email': ['email', 'email_verified'],
};

const LIFETIMES = Object.fromEntries(
  ['AccessToken', 'AuthorizationCode', 'Grant', 'IdToken', 'Interaction', 'RefreshToken', 'Session'].map((kind) => [
    kind,
    600,
  ]),
);

const keys = new Map<string, Promise<CryptoKey>>();

/** A key of that name. Making one takes a tenth of a second, so the files of a worker share them. */
export async function rsaKey(name: string): Promise<CryptoKey> {
  const made = keys.get(name) ?? generateKeyPair('RS256', { extractable: true }).then(({ privateKey }) => privateKey);
  keys.set(name, made);
  return made;
}

/** The foreign provider warns of Node's version and of its storage in memory. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const warning = vi.spyOn(console, 'warn').mockReturnValue();
  try {
    return await work();
  } finally {
    warning.mockRestore();
  }
}

/**
 * OpenID providers of another make (`oidc-provider`) in one server on loopback, under the addresses of the real ones: our server's
 * calls and the visitor's browser are led there.
 */
export class ForeignProviders {
  /** Who logs in next; null denies. */
  person: ForeignPerson | null = null;
  intercept: Intercept = () => undefined;
  tamper: Tamper = (_, reply) => reply;
  /** The address that takes calls and never answers. */
  stalled: string | null = null;
  /** The calls of our server, as `POST https://…` without the query. */
  readonly calls: string[] = [];
  private readonly people = new Map<string, ForeignPerson>();
  private readonly issuers = new Map<string, OidcProvider>();
  private readonly server = createServer((req, res) => void this.serve(req, res));
  private make: typeof OidcProvider | null = null;
  private keys: { readonly private: CryptoKey; readonly jwks: readonly JWK[] } | null = null;

  async start(): Promise<void> {
    this.make = await quietly(async () => (await import('oidc-provider')).Provider);
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    await this.rotate('first');
  }

  /** The origin of the server itself, for a provider that is under no real one's address. */
  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Gives the issuers that are added from now on another key. */
  async rotate(kid: string): Promise<void> {
    const key = await rsaKey(kid);
    this.keys = { private: key, jwks: [{ ...(await exportJWK(key)), kid, alg: 'RS256', use: 'sig' }] };
  }

  /** An ID token with these claims, by the key of the issuer or by one of another's. */
  async idToken(claims: JWTPayload, { kid = 'first', key = this.keys?.private } = {}): Promise<string> {
    if (key === undefined) throw new Error('no key');
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(key);
  }

  async add({ issuer, clients, configuration }: ForeignIssuer): Promise<void> {
    const { make: Foreign } = this;
    if (Foreign === null) throw new Error('not started');
    const settings = {
      clients: clients.map((client) => ({ grant_types: ['authorization_code', 'refresh_token'], ...client })),
      jwks: { keys: this.keys?.jwks },
      cookies: { keys: ['cookies of the foreign provider'] },
      claims: OPENID_CLAIMS,
      scopes: ['openid', 'offline_access', 'read_user', 'name', 'user:read:email'],
      conformIdTokenClaims: false,
      features: { devInteractions: { enabled: false }, claimsParameter: { enabled: true } },
      interactions: { url: () => `${new URL(issuer).pathname.replace(/\/$/u, '')}/choose` },
      findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => this.people.get(id) }),
      ttl: LIFETIMES,
      ...configuration,
    };
    const provider = await quietly(() => Promise.resolve(new Foreign(issuer, settings)));
    provider.proxy = true;
    this.issuers.set(issuer, provider);
  }

  /** The network of our server: addresses of a foreign issuer lead here, and others nowhere. */
  fetch(): OutsideFetch {
    return async (input, init) => {
      const request = new Request(input, init);
      const url = new URL(request.url);
      this.calls.push(`${request.method} ${url.origin}${url.pathname}`);
      const answered = await this.intercept(request.clone());
      if (answered instanceof Response) return answered;
      const moved = this.moved(answered ?? request);
      const isStalled = request.url === this.stalled;
      if (isStalled) moved.headers.set('x-stalled', 'yes');
      return this.tamper(
        url,
        await outsideFetch({ timeoutMs: isStalled ? 30 : PATIENCE_MS, allowPrivate: true })(moved),
      );
    };
  }

  /** A browser's visit to a page of a foreign provider. */
  async visit(request: Request): Promise<Response> {
    return fetch(this.moved(request), { redirect: 'manual' });
  }

  private moved(request: Request): Request {
    const url = new URL(request.url);
    const target = new URL(url.pathname + url.search, this.origin);
    const moved = new Request(target, request);
    moved.headers.set('x-forwarded-host', url.host);
    moved.headers.set('x-forwarded-proto', url.protocol.slice(0, -1));
    return moved;
  }

  private async serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (req.headers['x-stalled'] === 'yes') return;
    const origin = `${String(req.headers['x-forwarded-proto'])}://${String(req.headers['x-forwarded-host'])}`;
    const issuer = [...this.issuers.keys()].find((each) => `${origin}${req.url ?? ''}`.startsWith(`${each}/`));
    const provider = issuer === undefined ? undefined : this.issuers.get(issuer);
    if (issuer === undefined || provider === undefined) {
      res.writeHead(404).end();
      return;
    }
    const prefix = new URL(`${issuer}/`).pathname.slice(0, -1);
    const [path] = (req.url ?? '').slice(prefix.length).split('?');
    try {
      if (path === '/choose') await this.choose(provider, req, res);
      else {
        Object.assign(req, { originalUrl: req.url, url: (req.url ?? '').slice(prefix.length) });
        provider.callback()(req, res);
      }
    } catch (error) {
      res.writeHead(500).end(String(error));
    }
  }

  private async choose(provider: OidcProvider, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { params } = await provider.interactionDetails(req, res);
    const { person } = this;
    if (person === null) return provider.interactionFinished(req, res, { error: 'access_denied' });
    this.people.set(person.sub, person);
    const grant = new provider.Grant({ accountId: person.sub, clientId: params['client_id'] ?? '' });
    grant.addOIDCScope(params['scope'] ?? '');
    grant.addOIDCClaims(Object.values(OPENID_CLAIMS).flat());
    const consent = { grantId: await grant.save() };
    return provider.interactionFinished(req, res, { login: { accountId: person.sub }, consent });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
