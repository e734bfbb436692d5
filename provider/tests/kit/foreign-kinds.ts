import { generateKeyPairSync } from 'node:crypto';
import { jwtVerify } from 'jose';
import type { ForeignProviders } from './foreign-provider.ts';
import type { AppOptions } from '#provider/operation/app.ts';
import { systemClock } from '#provider/base/platform.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { HERE, PRODUCTION } from './foreign-visitor.ts';
import { makeProvider } from './harness.ts';

const CLIENT = { client_id: 'our-client', client_secret: 'our-secret' };
const apple = generateKeyPairSync('ec', { namedCurve: 'P-256' });
export const APPLE = {
  client_id: 'com.example.web',
  team_id: 'TEAM123456',
  key_id: 'KEY1234567',
  private_key: apple.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
};
const SSO = 'https://sso.example.org/realms/staff';
/** The tenant of a stranger, and the endpoint for all of them. */
export const TENANT = 'https://login.microsoftonline.com/11111111-2222-4333-8444-555555555555/v2.0';
const COMMON = 'https://login.microsoftonline.com/common/v2.0';

/** The clients of a project at providers of each kind. */
export const CLIENTS = {
  google: CLIENT,
  microsoft: CLIENT,
  apple: APPLE,
  gitlab: CLIENT,
  salesforce: { ...CLIENT, issuer: 'https://example.my.salesforce.com', email_domains: ['gmail.com'] },
  slack: CLIENT,
  linkedin: CLIENT,
  twitch: CLIENT,
  yahoo: CLIENT,
  'my-sso': { ...CLIENT, issuer: SSO, name: 'Example Staff', email_domains: ['gmail.com', 'Example.org'] },
  'wrong-secret': { ...CLIENT, client_secret: 'not-the-secret', issuer: SSO },
} as const;
export type Kind = keyof typeof CLIENTS;

/** A server of a project on the internet, with a client at each foreign provider. */
export async function production(foreign: ForeignProviders, url?: string, options: Partial<AppOptions> = {}) {
  const project = projectFrom({ ...PRODUCTION, oauth_clients: CLIENTS }, false);
  return makeProvider(url, { clock: systemClock, dev: false, project, socialFetch: foreign.fetch(), ...options });
}

const NO_PKCE = { pkce: { required: () => false } };
const WITH_PKCE = { pkce: { required: () => true } };

interface ForeignKind {
  readonly issuer: string;
  readonly also?: Kind;
  readonly client?: object;
  readonly configuration?: object;
}

const KINDS: Partial<Record<Kind, ForeignKind>> = {
  google: { issuer: 'https://accounts.google.com', configuration: WITH_PKCE },
  microsoft: { issuer: TENANT, configuration: WITH_PKCE },
  apple: {
    issuer: 'https://appleid.apple.com',
    client: { client_id: APPLE.client_id, client_secret: 'verified' },
    configuration: NO_PKCE,
  },
  // Takes the secret in the header alone, and puts the address into the userinfo alone.
  gitlab: {
    issuer: 'https://gitlab.com',
    configuration: { ...WITH_PKCE, clientAuthMethods: ['client_secret_basic'], conformIdTokenClaims: true },
  },
  salesforce: { issuer: 'https://example.my.salesforce.com', configuration: WITH_PKCE },
  slack: { issuer: 'https://slack.com', configuration: NO_PKCE },
  linkedin: { issuer: 'https://www.linkedin.com/oauth', configuration: NO_PKCE },
  twitch: { issuer: 'https://id.twitch.tv/oauth2', configuration: { ...NO_PKCE, conformIdTokenClaims: true } },
  yahoo: { issuer: 'https://api.login.yahoo.com', configuration: WITH_PKCE },
  'my-sso': { issuer: SSO, also: 'wrong-secret', configuration: WITH_PKCE },
};

/** Starts a foreign provider of that kind, with what is odd about the real one. */
export async function addKind(foreign: ForeignProviders, kind: Kind): Promise<void> {
  const { issuer, also, client, configuration = {} } = KINDS[kind] ?? { issuer: '' };
  const names = also === undefined ? [kind] : [kind, also];
  const redirect_uris = names.map((name) => `${HERE}/v1/public/oauth/${name}/callback`);
  await foreign.add({ issuer, clients: [{ ...CLIENT, redirect_uris, ...client }], configuration });
}

/** What our server's calls of the real providers need that `oidc-provider` cannot be told. */
export async function asTheRealOnes(request: Request): Promise<Request | Response | undefined> {
  const { href, origin, pathname } = new URL(request.url);
  if (origin === 'https://appleid.apple.com' && pathname === '/token') return checkedByApple(request);
  if (href.startsWith(COMMON)) return new Request(href.replace(COMMON, TENANT), request);
  return undefined;
}

/** The common endpoint of Microsoft names no tenant, and Twitch sends scopes as a list. */
export async function likeTheRealOnes(url: URL, reply: Response): Promise<Response> {
  const isCommon = url.href === `${COMMON}/.well-known/openid-configuration`;
  if (!isCommon && url.href !== 'https://id.twitch.tv/oauth2/token') return reply;
  const json = (await reply.json()) as { scope?: string };
  if (!isCommon) return Response.json({ ...json, scope: (json.scope ?? '').split(' ') }, { status: reply.status });
  return Response.json({ ...json, issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' });
}

/** Apple checks the signed secret; `oidc-provider` then compares a plain one. */
async function checkedByApple(request: Request): Promise<Request | Response> {
  const form = new URLSearchParams(await request.text());
  const { payload, protectedHeader } = await jwtVerify(form.get('client_secret') ?? '', apple.publicKey, {
    algorithms: ['ES256'],
    issuer: APPLE.team_id,
    subject: APPLE.client_id,
    audience: 'https://appleid.apple.com',
    requiredClaims: ['iat', 'exp'],
  });
  const lifetime = (payload.exp ?? 0) - (payload.iat ?? 0);
  if (protectedHeader.kid !== APPLE.key_id || lifetime > 15_777_000) {
    return Response.json({ error: 'invalid_client' }, { status: 400 });
  }
  form.set('client_secret', 'verified');
  return new Request(request.url, { method: 'POST', headers: request.headers, body: form.toString() });
}
