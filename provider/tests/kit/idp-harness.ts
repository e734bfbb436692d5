import { createHash, randomBytes } from 'node:crypto';
import * as client from 'openid-client';
import { projectFrom } from '#provider/project/settings/project.ts';
import { tokenHash } from '#provider/base/security/secrets.ts';
import { makeDescribedProvider } from './described.ts';
import { WITHOUT_PKCE, type Fields, type Provider } from './harness.ts';

/** Other apps, and how a test plays them and their users. */

/** The project's page that holds the widget. */
export const PAGE = 'http://localhost:3000/authorize';
export const ISSUER = 'http://localhost:4100';
export const CALLBACK = 'https://planner.example/callback';
export const BYE = 'https://planner.example/bye';
export const LOOPBACK = 'http://localhost/callback';
export const SECRET = 'a secret of the:server';

const scopes = ['openid', 'profile', 'email', 'phone', 'write', 'purge', 'full_access', 'offline_access'];
const ADDRESSES = { redirect_uris: [CALLBACK], post_logout_redirect_uris: [BYE] };
const APP = { client_type: 'public', name: 'App', ...ADDRESSES, scopes };
const CONFIDENTIAL = { ...APP, client_type: 'confidential', client_secret_hash: tokenHash(SECRET) };

export const SETTINGS = {
  ...WITHOUT_PKCE,
  issuer: ISSUER,
  idp: { authorization_url: PAGE },
  clients: [
    { ...APP, client_id: 'planner', name: 'Planner' },
    { ...APP, client_id: 'other' },
    { ...APP, client_id: 'desktop', redirect_uris: [LOOPBACK], post_logout_redirect_uris: ['http://localhost/'] },
    { ...CONFIDENTIAL, client_id: 'server', pkce_required: false },
    { ...CONFIDENTIAL, client_id: 'strict' },
    { ...CONFIDENTIAL, client_id: 'second', pkce_required: false },
  ],
  rbac_policy: {
    roles: [{ role_id: 'editor', permissions: [{ resource_id: 'documents', actions: ['write'] }] }],
    resources: [{ resource_id: 'documents', actions: ['write', 'delete'] }],
    scopes: [
      { scope: 'write', description: 'Write', permissions: [{ resource_id: 'documents', actions: ['write'] }] },
      { scope: 'purge', description: 'Purge', permissions: [{ resource_id: 'documents', actions: ['delete'] }] },
    ],
  },
  role_assignments: [{ email: 'edith@example.com', roles: ['editor'] }],
};

export const verifier = randomBytes(32).toString('base64url');
export const challenge = createHash('sha256').update(verifier).digest('base64url');

export const REQUEST = { client_id: 'planner', redirect_uri: CALLBACK, response_type: 'code', scopes: ['openid'] };
export const OFFLINE = ['openid', 'email', 'offline_access'];

export interface IdpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Fields;
}

export const withSecret = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from([id, secret].map(encodeURIComponent).join(':')).toString('base64')}`,
});

export type Apps = Awaited<ReturnType<typeof makeApps>>;

async function told(reply: Response): Promise<IdpResponse> {
  const text = await reply.text();
  return { status: reply.status, headers: reply.headers, body: (text === '' ? {} : JSON.parse(text)) as Fields };
}

export const as = (user: Fields) => ({ session: String(user['session_token']) });

/** A provider with these apps, and one signed-in user. */
export async function makeApps(url: string | undefined, changes: object = {}) {
  const provider = await makeDescribedProvider(url, { project: projectFrom({ ...SETTINGS, ...changes }) }, 'unchecked');
  const signedIn = { user: await provider.signIn('edith@example.com') };
  const start = (fields: Fields = {}, user = signedIn.user) =>
    provider.post('/idp/oauth/authorize/start', { ...REQUEST, ...fields }, as(user));
  const submit = (fields: Fields = {}, user = signedIn.user) =>
    provider.post(
      '/idp/oauth/authorize/submit',
      {
        ...REQUEST,
        // A request of the authorization endpoint has a challenge or none.
        ...(fields['authorization_request'] === undefined && { code_challenge: challenge }),
        consent_granted: true,
        ...fields,
      },
      as(user),
    );
  /** A form to an endpoint below /oauth2; what is undefined is left out. */
  const form = async (path: string, fields: Fields, headers: Record<string, string> = {}): Promise<IdpResponse> => {
    const given = Object.entries(fields).filter(([, value]) => value !== undefined);
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString(),
    };
    return told(await provider.app.request(`${ISSUER}/oauth2${path}`, request));
  };
  const token = (fields: Fields, headers?: Record<string, string>) =>
    form('/token', { client_id: 'planner', ...fields }, headers);
  const redeem = (fields: Fields, headers?: Record<string, string>) =>
    token({ grant_type: 'authorization_code', redirect_uri: CALLBACK, code_verifier: verifier, ...fields }, headers);
  const refresh = (refresh_token: unknown, fields: Fields = {}, headers?: Record<string, string>) =>
    token({ grant_type: 'refresh_token', refresh_token, ...fields }, headers);
  const codeFor = async (fields: Fields = {}, user = signedIn.user) =>
    String((await submit(fields, user)).data['authorization_code']);
  const tokensFor = async (scopes: readonly string[] = OFFLINE, user = signedIn.user) =>
    (await redeem({ code: await codeFor({ scopes }, user) })).body;
  const userinfo = async (accessToken: unknown, headers: Record<string, string> = {}): Promise<IdpResponse> => {
    const bearer = { authorization: `Bearer ${String(accessToken)}`, ...headers };
    return told(await provider.app.request(`${ISSUER}/oauth2/userinfo`, { headers: bearer }));
  };
  const get = async (path: string, init: RequestInit = {}) =>
    told(await provider.app.request(`${ISSUER}${path}`, init));
  /** What a browser gets that is sent to the authorization or logout endpoint, with each field once. */
  const visit = async (path: '/authorize' | '/logout', fields: Fields, method = 'GET'): Promise<Visit> => {
    const given = Object.entries(fields).filter(([, value]) => value !== undefined);
    const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return visited(provider, new URL(`${ISSUER}/oauth2${path}?${query}`), method);
  };
  /** What the page gets of a request for these scopes: the fields that it passes on to the server. */
  const arrive = async (fields: Fields = {}): Promise<Fields> => {
    const { scopes, ...request } = { ...REQUEST, code_challenge: challenge, ...fields };
    const { location } = await visit('/authorize', { scope: scopes.join(' '), ...request });
    if (location?.href.startsWith(PAGE) !== true) throw new Error(`led to ${String(location?.href)}`);
    return askedIn(location);
  };
  /** After time has passed the session is a new one. */
  const signInAgain = async () => {
    signedIn.user = await provider.signIn('edith@example.com');
  };
  return {
    provider,
    signedIn,
    signInAgain,
    start,
    submit,
    form,
    token,
    redeem,
    refresh,
    codeFor,
    tokensFor,
    userinfo,
    get,
    visit,
    arrive,
  };
}

/** A relying party that nobody here wrote, speaking to the provider in this process. */
export async function relyingParty(
  provider: Provider,
  clientId: string,
  authentication: client.ClientAuth,
  metadata: Partial<client.ClientMetadata> = {},
): Promise<client.Configuration> {
  const customFetch: client.CustomFetch = async (url, { body, method, headers }) =>
    provider.app.request(url, {
      method,
      headers,
      ...(body === undefined || body === null ? {} : { body: body as string }),
    });
  return client.discovery(new URL(ISSUER), clientId, metadata, authentication, {
    execute: [client.allowInsecureRequests],
    [client.customFetch]: customFetch,
  });
}

/** What a browser gets from the authorization or logout endpoint. */
interface Visit {
  readonly status: number;
  readonly headers: Headers;
  /** Where the browser is led; null for a page of the server. */
  readonly location: URL | null;
  readonly text: string;
}

/** Opens an address of the server as a browser does. With POST the query is the body of a form. */
export async function visited({ app }: Pick<Provider, 'app'>, target: URL, method = 'GET'): Promise<Visit> {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const isForm = method === 'POST';
  const reply = await app.request(isForm ? `${target.origin}${target.pathname}` : target.href, {
    method,
    headers: { accept: 'text/html', ...(isForm ? form : {}) },
    ...(isForm ? { body: target.searchParams.toString() } : {}),
  });
  const location = reply.headers.get('location');
  const text = await reply.text();
  return { status: reply.status, headers: reply.headers, location: location === null ? null : new URL(location), text };
}

/** What the page that holds the widget makes of the app's query, as the specification's section 3 reads it. */
export function askedIn(target: URL): Fields {
  const { scope, ...query } = Object.fromEntries(target.searchParams);
  return { ...query, scopes: (scope ?? '').split(' ') };
}
