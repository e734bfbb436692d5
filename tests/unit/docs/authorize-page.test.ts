import { afterEach, beforeEach, expect, it, vi } from 'vitest';

type OnSession = (session: { readonly user_id: string } | null) => void;

const PAGE = new URL('../../../examples/mcp/public/authorize.js', import.meta.url).pathname;

let opened = 0;
let mounted: string[];
let onSession: OnSession;

/** Opens the page of `docs/your-other-app.md` at that query, with a client that mounts nothing. */
async function open(query: string, user_id?: string): Promise<void> {
  const mount = (name: string) => (): object => {
    mounted.push(name);
    return { unmount: () => mounted.push(`no ${name}`) };
  };
  class PorticoUIClient {
    mountLogin = mount('login');
    mountIdentityProvider = mount('identity provider');
    session = {
      getSync: () => (user_id === undefined ? null : { user_id }),
      onChange: (tell: OnSession) => (onSession = tell),
    };
  }
  vi.stubGlobal('Portico', { PorticoUIClient });
  vi.stubGlobal('location', { search: query });
  vi.stubGlobal('fetch', async () => Response.json({ apiUrl: 'https://login.example' }));
  opened += 1;
  await import(`${PAGE}?${opened}`);
}

beforeEach(() => {
  mounted = [];
  onSession = () => undefined;
});

afterEach(() => vi.unstubAllGlobals());

it('logs a visitor in before a request, and after the session has ended', async () => {
  await open('?client_id=planner');
  expect(mounted).toEqual(['login']);
  onSession({ user_id: 'ada' });
  onSession(null);
  expect(mounted).toEqual(['login', 'no login', 'identity provider', 'no identity provider', 'login']);
});

it.each(['?client_id=planner&prompt=none', '?client_id=planner&post_logout_redirect_uri='])(
  'answers %s without a login, signed in or not',
  async (query) => {
    await open(query);
    expect(mounted).toEqual(['identity provider']);
    await open(query, 'ada');
    onSession(null);
    expect(mounted).toEqual(['identity provider', 'identity provider']);
  },
);
