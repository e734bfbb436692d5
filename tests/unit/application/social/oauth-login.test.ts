import { describe, expect, it } from 'vitest';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { openLogin } from '../open-widget.ts';
import { TestWorld } from '../world.ts';

const CONFIG: LoginConfig = {
  products: ['oauth', 'emailMagicLinks'],
  oauthOptions: {
    providers: [
      { type: 'google', custom_scopes: ['a b', 'c'], provider_params: { hd: 'x.example', 'login hint': 'é&=' } },
      { type: 'github' },
    ],
    loginRedirectURL: 'http://localhost:3000/in',
    signupRedirectURL: 'http://localhost:3000/up',
  },
};
const choose = (index: number) => ({ type: 'oauth/chosen', index }) as const;

async function chosen(index = 0, config = CONFIG, world = new TestWorld()) {
  const opened = openLogin(config, { world });
  opened.store.send(choose(index));
  await world.settle();
  return opened;
}
const wentTo = (opened: Awaited<ReturnType<typeof chosen>>): URL => new URL(opened.ports.browser.navigations[0] ?? '');

describe('a social login', () => {
  it('leaves the page with everything that the host said', async () => {
    const url = wentTo(await chosen());
    expect(url.pathname).toBe('/v1/public/oauth/google/start');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      public_token: 'public-token-test-1',
      custom_scopes: 'a b c',
      provider_hd: 'x.example',
      'provider_login hint': 'é&=',
      login_redirect_url: 'http://localhost:3000/in',
      signup_redirect_url: 'http://localhost:3000/up',
    });
  });

  it('shows no more than that', async () => {
    const url = wentTo(await chosen(0, { products: ['oauth'], oauthOptions: { providers: [{ type: 'github' }] } }));
    expect([...url.searchParams.keys()]).toEqual(['public_token']);
  });

  it('takes a challenge along where the project requires one', async () => {
    const world = new TestWorld();
    world.server.project['pkce_required_for_oauth'] = true;
    expect(wentTo(await chosen(0, CONFIG, world)).searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/u);
  });

  it('starts once for any number of presses, and stays busy until the page is left', async () => {
    const world = new TestWorld();
    const opened = openLogin(CONFIG, { world });
    for (const index of [1, 1, 0, 1]) opened.store.send(choose(index));
    await world.settle();
    opened.store.send(choose(1));
    await world.settle();
    expect(opened.ports.browser.navigations.map((url) => new URL(url).pathname)).toEqual([
      '/v1/public/oauth/github/start',
    ]);
    expect(opened.store.getState()).toMatchObject({ pending: 'oauth/chosen', pendingIndex: 1, error: null });
  });

  it('can be chosen again when the page comes back from the back-forward cache', async () => {
    const opened = await chosen();
    opened.ports.browser.wake();
    expect(opened.store.getState()).toMatchObject({ pending: null, pendingIndex: null });
    opened.store.send(choose(1));
    await opened.world.settle();
    expect(opened.ports.browser.navigations.length).toBe(2);
  });

  it('can be chosen again when the page was not left after all', async () => {
    const opened = await chosen();
    await opened.world.clock.advance(14_999);
    expect(opened.store.getState().pending).toBe('oauth/chosen');
    await opened.world.clock.advance(1);
    expect(opened.store.getState().pending).toBeNull();
  });

  it('does not touch what else is under way when the page wakes', async () => {
    const opened = openLogin(CONFIG);
    opened.store.send({ type: 'magicLink/requested', email: 'ada@example.com' });
    opened.ports.browser.wake();
    expect(opened.store.getState().pending).toBe('magicLink/requested');
  });

  it('says in the banner why it cannot begin', async () => {
    const providers = [{ type: 'google', custom_scopes: { length: 1 } as never }] as const;
    const opened = await chosen(0, { ...CONFIG, oauthOptions: { providers } });
    expect([opened.ports.browser.navigations, opened.store.getState().pending]).toEqual([[], null]);
    expect([opened.store.getState().error?.kind, opened.errors.length]).toEqual(['api', 1]);
  });

  it('notifies the developer once of a provider that is none', async () => {
    const world = new TestWorld();
    const providers = [{ type: 'myspace' as never }, { type: 'google' }] as const;
    const opened = openLogin({ products: ['oauth'], oauthOptions: { providers } }, { world });
    await world.settle();
    opened.store.send(choose(1));
    await world.settle();
    const said = opened.ports.log.messages('warn').filter((text) => text.includes('myspace'));
    expect(said.length).toBe(1);
    expect(wentTo(opened).pathname).toContain('/google/');
  });

  it('goes nowhere for a place that the configuration does not have', async () => {
    const opened = await chosen(9);
    expect([opened.ports.browser.navigations, opened.store.getState().pending]).toEqual([[], null]);
  });
});

describe('the way of the last login', () => {
  it('is remembered when a social login has come back, to whatever page', async () => {
    const opened = await chosen();
    const { world } = opened;
    expect(openLogin(CONFIG, { world }).store.getState().lastMethod).toBeNull();
    const back = new URL(
      world.server.returnFrom(opened.ports.browser.navigations[0] ?? '', { email: 'a@example.com' }),
    );
    const { client } = world.open();
    await client.oauth.authenticate(back.searchParams.get('token') ?? '', { session_duration_minutes: 5 });
    await client.session.revoke();
    expect(openLogin(CONFIG, { world }).store.getState().lastMethod).toBe('oauth:google');
  });

  it('is the one of whoever signs in beside the widget', async () => {
    const world = new TestWorld();
    const opened = openLogin(CONFIG, { world });
    await world.settle();
    await world.signIn(world.open().client);
    await world.settle();
    expect(opened.screen().name).toBe('AuthenticateFlowComplete');
    expect(openLogin(CONFIG, { world }).store.getState().lastMethod).toBe('email');
  });

  it('is forgotten, and not kept, where the host wants nothing remembered', async () => {
    const quiet = { ...CONFIG, rememberLastMethod: false };
    const world = new TestWorld();
    await world.signIn(world.open().client);
    openLogin(CONFIG, { world });
    await world.settle();
    expect(openLogin(CONFIG, { world }).store.getState().lastMethod).toBe('email');
    const opened = openLogin(quiet, { world });
    await world.settle();
    opened.store.send(choose(0));
    await world.settle();
    expect(openLogin(CONFIG, { world }).store.getState().lastMethod).toBeNull();
  });
});
