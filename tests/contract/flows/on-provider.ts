import { randomUUID } from 'node:crypto';
import { TOTP } from 'otpauth';
import type { RoleAssignment } from '#server-rules/roles.ts';
import { OPEN_TO_ALL, type SignUpRules } from '#server-rules/sign-ups.ts';
import { fromServer } from '../../../provider/tests/attacks/attacker.ts';
import { makeDescribedProvider } from '../../../provider/tests/kit/described.ts';
import type { Provider } from '../../../provider/tests/kit/harness.ts';
import { browser as accountBrowser, ORIGIN } from '../../../provider/tests/kit/oauth-harness.ts';
import { administer } from '../../../provider/tests/kit/managing.ts';
import { DEMO_PROJECT, projectFrom } from '#provider/project/settings/project.ts';
import { FakeCrypto } from '#kit/ports/fake-crypto.ts';
import type { PostedForm } from '#kit/ports/fake-form-post.ts';
import { FakeWorld } from '#kit/fake-world.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { ServerCookies } from '#kit/transport/server-cookies.ts';
import type { FetchScope } from '#infrastructure/http/timed-fetch.ts';
import { KyTransport } from '#infrastructure/http/ky-transport.ts';
import { ASKED_PROFILE, DASHBOARD, PLANNER, POLICY, PROFILE, twoFactors } from './project.ts';
import { SITE, type CodeExchange, type FlowProject, type MakeFlowWorld } from './world.ts';
import { ethereumWallet, solanaWallet } from './wallets.ts';

interface Server {
  readonly clock: VirtualClock;
  readonly provider: Provider;
  readonly assignments: RoleAssignment[];
  readonly signUp: SignUpRules;
  /** Counts phone numbers and tabs: no two are alike. */
  made: number;
}

async function startServer(databaseUrl: string | undefined, wanted: FlowProject): Promise<Server> {
  const { pkceRequired = false, siweRequired = false, httpOnly = false, twoFactors: asked = false } = wanted;
  const clock = new VirtualClock();
  const assignments: RoleAssignment[] = [];
  const signUp = { ...OPEN_TO_ALL };
  const project = projectFrom({
    pkce_required_for_email_magic_links: pkceRequired,
    pkce_required_for_password_resets: pkceRequired,
    pkce_required_for_oauth: pkceRequired,
    siwe_required_for_crypto_wallets: siweRequired,
    ...(httpOnly ? { session_cookies: { http_only: true, domain: 'localhost' } } : {}),
    ...(asked ? { mfa: twoFactors(asked) } : {}),
    ...(wanted.profile === true ? { profile: ASKED_PROFILE } : {}),
    passkeys: { sign_up: true },
    rbac_policy: POLICY,
    clients: [PLANNER, DASHBOARD],
    trusted_auth_token_profiles: [{ profile_id: PROFILE, issuer: 'https://issuer.example', audience: 'portico' }],
  });
  const options = { clock, project: { ...project, role_assignments: assignments, sign_up: signUp } };
  return { clock, assignments, signUp, made: 0, provider: await makeDescribedProvider(databaseUrl, options) };
}

/** A request from this machine. */
const PEER = { incoming: { socket: { remoteAddress: '127.0.0.1' } } };

/**
 * The servers of one database: every test of a project shares one, because opening one takes seconds. All requests and responses are
 * compared with the OpenAPI description, and `close` rejects if some do not match.
 */
export function providerWorlds(databaseUrl: string | undefined): {
  readonly makeWorld: MakeFlowWorld;
  readonly close: () => Promise<void>;
} {
  const servers = new Map<string, Promise<Server>>();
  return {
    makeWorld: async (wanted) => {
      const key = `${wanted.pkceRequired === true} ${wanted.siweRequired === true} ${wanted.httpOnly === true} ${wanted.twoFactors ?? false} ${wanted.profile ?? false}`;
      const server = servers.get(key) ?? startServer(databaseUrl, wanted);
      servers.set(key, server);
      return worldOn(await server);
    },
    close: async () => {
      for (const server of servers.values()) await (await server).provider.close();
    },
  };
}

/** The real provider in this process, reached through the real transport; only the browsers are in memory. */
function worldOn(server: Server): Awaited<ReturnType<MakeFlowWorld>> {
  const { provider, clock, assignments, signUp } = server;
  const newest = async (to: string) => provider.newest(to);
  const ended: (() => void)[] = [];
  const address = (who: string): string => `${who}+${randomUUID()}@example.com`;
  const admin = async (action: string, fields: object) => (await administer(provider.services, action, fields)).token;
  return {
    publicToken: DEMO_PROJECT.public_token,
    newBrowser: () => {
      const browser = new FakeWorld(clock);
      const transport = new KyTransport({ fetch: fetchOf(provider, new ServerCookies(browser.jar)) });
      return { tab: () => ({ ...browser.tab(SITE), transport, crypto: new FakeCrypto((server.made += 1)) }) };
    },
    address,
    addressWith: (role, email = address(role)) => {
      assignments.push({ user_id: null, email, roles: [role] });
      return email;
    },
    phoneNumber: () => `+1415555${2000 + (server.made += 1)}`,
    codeFor: async (to) => (await newest(to))?.code ?? '',
    tokenFor: async (email, type = 'magic_links') => {
      const links = (await newest(email))?.text.match(/https?:\/\/\S+/gu) ?? [];
      const queries = links.map((link) => new URL(link).searchParams);
      return queries.find((query) => query.get('stytch_token_type') === type)?.get('token') ?? '';
    },
    totpCodeFor: (secret) => new TOTP({ secret }).generate({ timestamp: clock.now() }),
    signer: (type) => (type === 'ethereum' ? ethereumWallet() : solanaWallet()),
    comeBack: (start, email) => comeBack(provider, start, email),
    googleIdToken: async (email, client_id) => {
      const reply = await provider.app.request(`${ORIGIN}/accounts/google/gsi/credential`, {
        method: 'POST',
        headers: { origin: ORIGIN, 'content-type': 'application/json' },
        body: JSON.stringify({ client_id, email, email_verified: true }),
      });
      return ((await reply.json()) as { credential: string }).credential;
    },
    impersonationToken: (user, by) => admin('impersonate', { user, by }),
    trustedToken: (profile, email) => admin('trusted-token', { profile, email }),
    exchangeCode: (exchange) => exchangeCode(provider, exchange),
    beginDevice: async ({ client_id, scopes, program }) =>
      fromApps(provider, '/device_authorization', { client_id, scope: scopes.join(' ') }, program),
    pollDevice: async (poll) =>
      fromApps(provider, '/token', { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', ...poll }),
    setSignUp: (rules) => void Object.assign(signUp, OPEN_TO_ALL, rules),
    invite: async (email) => {
      const { status, body } = await fromServer(provider, '/magic_links/email/invite', { email });
      if (status !== 200) throw Object.assign(new Error('refused'), body);
    },
    passTime: (ms) => clock.jump(ms),
    after: (task) => void ended.push(task),
    dispose: () => {
      Object.assign(signUp, OPEN_TO_ALL);
      ended.forEach((task) => task());
    },
  };
}

/** As a browser sends the requests of the site's pages: with their origin, and with the cookies that it keeps. */
export function fetchOf(provider: Provider, cookies: ServerCookies): FetchScope['fetch'] {
  return async (request) => {
    const headers = new Headers(request.headers);
    headers.set('origin', new URL(SITE).origin);
    headers.set('cookie', [...cookies.forRequest()].map((pair) => pair.join('=')).join('; '));
    const response = await provider.app.fetch(new Request(request, { headers }), PEER);
    cookies.received({ 'set-cookie': response.headers.getSetCookie().join('\n') });
    return response;
  };
}

/** As a browser without a script, but it asks for no pages where something goes wrong, so that it is told the type. */
async function comeBack(provider: Provider, start: string | PostedForm, email: string): Promise<URL> {
  const person = accountBrowser(provider);
  const { url, ...init } =
    typeof start === 'string'
      ? { url: start }
      : { url: start.url, method: 'POST', body: new URLSearchParams(start.fields) };
  const started = await person.request(url, init);
  if (started.status !== 303) throw Object.assign(new Error('refused'), await started.json());
  const page = await person.get(started.headers.get('location') ?? '');
  const chosen = await person.choose(await page.text(), { email, verified: 'yes' });
  const finished = await person.request(chosen.headers.get('location') ?? '');
  if (finished.status !== 303) throw Object.assign(new Error('refused'), await finished.json());
  return new URL(finished.headers.get('location') ?? '');
}

/** A form to an endpoint for apps. Rejects with the `error` of the answer. */
async function fromApps<T>(
  provider: Provider,
  path: string,
  form: Readonly<Record<string, string>>,
  program = '',
): Promise<T> {
  const headers = { 'user-agent': program };
  const request = { method: 'POST', headers, body: new URLSearchParams(form) };
  const reply = await provider.app.request(`${ORIGIN}/oauth2${path}`, request, PEER);
  const json = (await reply.json()) as { readonly error?: string };
  if (reply.status !== 200) throw Object.assign(new Error(json.error), json);
  return json as T;
}

async function exchangeCode(provider: Provider, exchange: CodeExchange) {
  const reply = await provider.app.request(`${ORIGIN}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'authorization_code', ...exchange }),
  });
  if (reply.status !== 200) throw new Error(await reply.text());
  return (await reply.json()) as { readonly access_token: string; readonly id_token: string };
}
