import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FakeWorld } from '#kit/fake-world.ts';
import { FakeCrypto } from '#kit/ports/fake-crypto.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { ServerCookies } from '#kit/transport/server-cookies.ts';
import { importUser } from '#provider/operation/operators/users/import-users.ts';
import { DEMO_PROJECT, projectFrom } from '#provider/project/settings/project.ts';
import { documentHost, type DocumentHost } from '../../../provider/tests/kit/document-host.ts';
import { ANY_DATABASE, makeProvider, type Provider } from '../../../provider/tests/kit/harness.ts';
import { importLineOf, oldSystems } from '../../../provider/tests/kit/old-systems.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { PorticoClient } from '#composition/client.ts';
import { KyTransport } from '#infrastructure/http/ky-transport.ts';
import { fetchOf } from '../../contract/flows/on-provider.ts';
import { SITE } from '../../contract/flows/world.ts';
import { exampleNamed } from './examples.ts';

interface OldSession {
  token(): Promise<string | null>;
  end(): Promise<unknown>;
}
type From = (sdk: object) => OldSession;
interface Samples {
  readonly fromClerk: From;
  readonly fromAuth0: From;
  readonly fromFirebase: From;
  readonly fromSupabase: From;
  readonly fromStytch: From;
  moveSession(client: PorticoClient, profile_id: string, old: OldSession): Promise<boolean>;
}

mkdirSync(join(ROOT, '.cache'), { recursive: true });
const dir = mkdtempSync(join(ROOT, '.cache/docs-moving-'));
const clock = new VirtualClock();
let host: DocumentHost;
let provider: Provider;
let systems: Awaited<ReturnType<typeof oldSystems>>;
let samples: Samples;
let tabs = 0;

beforeAll(async () => {
  host = await documentHost();
  systems = await oldSystems(host);
  const profiles = Object.values(systems).map(({ profile }) => ({
    ...profile,
    migration_ends_at: '2099-01-01T00:00:00Z',
  }));
  const project = projectFrom({ trusted_auth_token_profiles: profiles });
  provider = await makeProvider(ANY_DATABASE, { clock, project });
  for (const file of ['old-sessions.ts', 'move-session.ts']) writeFileSync(join(dir, file), exampleNamed(file).source);
  const modules = await Promise.all(
    ['old-sessions.ts', 'move-session.ts'].map(
      (file) => import(/* @vite-ignore */ pathToFileURL(join(dir, file)).href),
    ),
  );
  samples = Object.assign({}, ...modules) as Samples;
});
afterAll(async () => {
  rmSync(dir, { recursive: true, force: true });
  await Promise.all([provider?.close(), host?.close()]);
});

const opened: PorticoClient[] = [];
afterAll(() => opened.forEach((client) => client.destroy()));

/** A browser with a tab of the app. */
function browser() {
  const world = new FakeWorld(clock);
  const transport = new KyTransport({ fetch: fetchOf(provider, new ServerCookies(world.jar)) });
  return () => {
    const adapters = { ...world.tab(SITE), transport, crypto: new FakeCrypto((tabs += 1)) };
    const client = new PorticoClient(DEMO_PROJECT.public_token, { adapters, apiUrl: 'http://localhost:4100' });
    opened.push(client);
    return client;
  };
}

/** The parts of each SDK that the page uses: its session ends once, and has a token until then. */
function sdk(fresh: () => Promise<string>) {
  const state = { isSignedIn: true };
  const token = async () => (state.isSignedIn ? fresh() : null);
  const end = () => {
    state.isSignedIn = false;
    return Promise.resolve();
  };
  return {
    state,
    clerk: { session: { getToken: token }, signOut: end },
    auth0: {
      isAuthenticated: () => Promise.resolve(state.isSignedIn),
      getTokenSilently: () => Promise.resolve('opaque'),
      getIdTokenClaims: async () => ({ __raw: await fresh() }),
      logout: end,
    },
    firebase: {
      authStateReady: () => Promise.resolve(),
      get currentUser() {
        return state.isSignedIn ? { getIdToken: fresh } : null;
      },
      signOut: end,
    },
    supabase: {
      auth: {
        refreshSession: async () => ({ data: { session: state.isSignedIn ? { access_token: await fresh() } : null } }),
        signOut: end,
      },
    },
    stytch: {
      session: {
        getSync: () => (state.isSignedIn ? {} : null),
        authenticate: async () => ({ session_jwt: await fresh() }),
        revoke: end,
      },
    },
  };
}

describe('the page about sessions of another system', () => {
  const CASES = [
    ['clerk', 'clerk', 'fromClerk'],
    ['auth0', 'auth0', 'fromAuth0'],
    ['firebase', 'firebase', 'fromFirebase'],
    ['supabase', 'supabase', 'fromSupabase'],
    ['olderSupabase', 'supabase', 'fromSupabase'],
    ['stytch', 'stytch', 'fromStytch'],
  ] as const;

  it.each(CASES)('moves that of %s, with its profile and the script of the page', async (name, kind, from) => {
    const { system, profile } = systems[name];
    const parts = sdk(() => system.token(clock.now()));
    const old = samples[from](parts[kind]);
    const open = browser();
    const profile_id = String(profile['profile_id']);
    // Nobody is imported yet: the login comes.
    expect(await samples.moveSession(open(), profile_id, old)).toBe(false);
    expect(parts.state.isSignedIn).toBe(true);
    const email = `${name}@example.com`;
    const by = { name: 'Grace', address: null, request_id: null };
    expect(await importUser(provider.services, importLineOf(system, email), by)).toMatchObject({ result: 'imported' });
    const client = open();
    expect(await samples.moveSession(client, profile_id, old)).toBe(true);
    expect(client.user.getSync()?.emails[0]?.email).toBe(email);
    expect(parts.state.isSignedIn).toBe(false);
    // The next page, and one after a sign-out.
    parts.state.isSignedIn = true;
    expect(await samples.moveSession(open(), profile_id, old)).toBe(true);
    expect(parts.state.isSignedIn).toBe(false);
    await client.session.revoke();
    expect(await samples.moveSession(open(), profile_id, old)).toBe(false);
  });

  it('leaves the old session alone while the keys of the old system cannot be read, and moves it later', async () => {
    const { system, profile } = systems.clerk;
    const parts = sdk(() => system.token(clock.now()));
    const old = samples.fromClerk(parts.clerk);
    const other = await makeProvider(ANY_DATABASE, {
      clock,
      project: projectFrom({ trusted_auth_token_profiles: [{ ...profile, migration_ends_at: '2099-01-01T00:00:00Z', jwks_uri: host.answer('/down', (_, response) => response.writeHead(503).end()) }] }), // prettier-ignore
    });
    const world = new FakeWorld(clock);
    const transport = new KyTransport({ fetch: fetchOf(other, new ServerCookies(world.jar)) });
    const adapters = { ...world.tab(SITE), transport, crypto: new FakeCrypto((tabs += 1)) };
    const client = new PorticoClient(DEMO_PROJECT.public_token, { adapters, apiUrl: 'http://localhost:4100' });
    opened.push(client);
    expect(await samples.moveSession(client, 'clerk', old)).toBe(false);
    expect(parts.state.isSignedIn).toBe(true);
    await other.close();
  });
});
