import { describe, expect, it } from 'vitest';
import { oauth } from '#application/api/index.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import type { OneTapPosition } from '#domain/social/one-tap-positions.ts';
import { errorReply, offline } from '#kit/transport/fake-reply.ts';
import { openLogin } from '../open-widget.ts';
import { TestWorld } from '../world.ts';
import { soakIt } from '../../../soak-tests.ts';

const config = (position?: OneTapPosition): LoginConfig => ({
  products: ['oauth'],
  oauthOptions: {
    providers: [{ type: 'google', one_tap: true, cancel_on_tap_outside: false, ...(position ? { position } : {}) }],
    loginRedirectURL: 'http://localhost:3000/in',
    signupRedirectURL: 'http://localhost:3000/up',
  },
});

function open(position?: OneTapPosition, prepare: (world: TestWorld) => void = () => undefined) {
  const world = new TestWorld();
  prepare(world);
  const opened = openLogin(config(position), { world });
  const request = async (parentId: string | null = 'place'): Promise<void> => {
    opened.store.send({ type: 'oneTap/requested', index: 0, parentId });
    await world.settle();
  };
  return { ...opened, request, oneTap: opened.ports.oneTap, state: () => opened.store.getState().oneTap };
}

describe('One Tap', () => {
  it('is awaited, then stands in the widget', async () => {
    const { world, store, request, oneTap, state } = open();
    await world.settle();
    expect(state()).toEqual({ status: 'idle' });
    const asked = request();
    expect(state()).toEqual({ status: 'pending' });
    await asked;
    expect(state()).toEqual({ status: 'rendered', place: 'embedded' });
    expect(oneTap.prompts[0]).toMatchObject({ parentId: 'place', cancelOnTapOutside: false });
    expect(store.getState().pending).toBeNull();
  });

  it('stands over the page where the browser draws it, or the widget has no place for it', async () => {
    const first = open();
    first.oneTap.drawnByBrowser = true;
    await first.request();
    expect([first.state(), first.oneTap.prompts[0]?.parentId]).toEqual([
      { status: 'rendered', place: 'floating' },
      undefined,
    ]);
    const second = open();
    await second.request(null);
    expect(second.state()).toEqual({ status: 'rendered', place: 'floating' });
  });

  it('is not begun where it may stand in the widget only, and cannot', async () => {
    const { world, request, oneTap, state, errors } = open('embeddedOnly');
    oneTap.drawnByBrowser = true;
    await request();
    expect([state(), oneTap.prompts.length, errors]).toEqual([{ status: 'refused', fault: null }, 0, []]);
    expect(world.transport.requestsTo(oauth.oneTapStart)).toEqual([]);
  });

  it('is tried in the widget if it cannot be shown over the page, with one request to the server', async () => {
    const { world, request, oneTap } = open('floatingOrEmbedded');
    oneTap.refusal = 'skipped';
    await request();
    expect(oneTap.prompts.map(({ parentId }) => parentId)).toEqual([undefined, 'place']);
    expect(world.transport.requestsTo(oauth.oneTapStart).length).toBe(1);
  });

  it('leaves the page when an account is chosen, as a social login does', async () => {
    const { world, request, oneTap, state, ports } = open();
    await request();
    oneTap.choose(world.server.idTokenOf({ email: 'ada@example.com' }));
    expect(state()).toEqual({ status: 'leaving' });
    await world.settle();
    const url = new URL(ports.browser.navigations[0] ?? '');
    expect([url.pathname, url.searchParams.get('stytch_token_type')]).toEqual(['/up', 'oauth']);
    ports.browser.wake();
    expect(state()).toEqual({ status: 'cancelled' });
  });

  it('says in the banner, and to the host, that a chosen account came to nothing', async () => {
    const { world, request, oneTap, state, store, errors } = open();
    await request();
    world.transport.answer(oauth.oneTapSubmit, () => errorReply(400, 'no_signup_redirect_urls_set'));
    oneTap.choose('a.b.c');
    await world.settle();
    expect(state()).toEqual({ status: 'refused', fault: 'no_signup_redirect_urls_set' });
    expect(store.getState().error).toMatchObject({ error_type: 'no_signup_redirect_urls_set' });
    expect(errors.length).toBe(1);
  });

  it('falls back to the plain button when it is cancelled, and does not come again', async () => {
    const { store, request, oneTap, state, errors } = open();
    await request();
    oneTap.cancel();
    expect(state()).toEqual({ status: 'cancelled' });
    expect(errors).toMatchObject([{ error_type: 'user_cancel' }]);
    store.send({ type: 'oneTap/removed' });
    expect(state()).toEqual({ status: 'cancelled' });
  });

  for (const fault of ['unregistered_origin', 'invalid_client', 'oauth_config_not_found'] as const) {
    it(`notifies the developer and the host of ${fault}, and shows nothing in the banner`, async () => {
      const { world, request, oneTap, state, store, errors } = open();
      if (fault === 'oauth_config_not_found') {
        world.transport.answer(oauth.oneTapStart, () => errorReply(400, fault));
      } else oneTap.refusal = fault;
      await request();
      expect(state()).toEqual({ status: 'refused', fault });
      expect(errors).toMatchObject([{ error_type: fault }]);
      expect(store.getState().error).toBeNull();
    });
  }

  it('notifies the host of a person’s own refusal', async () => {
    const { request, oneTap, state, errors } = open();
    oneTap.refusal = 'user_cancel';
    await request();
    expect([state(), errors]).toMatchObject([
      { status: 'refused', fault: 'user_cancel' },
      [{ error_type: 'user_cancel', error_message: 'Google One Tap was cancelled: user_cancel.' }],
    ]);
  });

  soakIt('makes no noise of a blocked script', async () => {
    for (const [refusal, fault] of [
      ['not_displayed', null],
      ['skipped', null],
      ['opt_out', null],
    ] as const) {
      const { request, oneTap, state, errors } = open();
      oneTap.refusal = refusal;
      await request();
      expect([state(), errors]).toEqual([{ status: 'refused', fault }, []]);
    }
  });

  it('leaves the plain button when there is no network', async () => {
    const { request, state, store, errors } = open(undefined, (world) =>
      world.transport.answer(oauth.oneTapStart, () => offline()),
    );
    await request();
    expect([state(), store.getState().error, errors.length]).toEqual([{ status: 'refused', fault: null }, null, 1]);
  });

  it('is taken away with its place, and with the widget', async () => {
    const { world, widget, store, request, oneTap, state } = open();
    await request();
    store.send({ type: 'oneTap/removed' });
    await world.settle();
    expect([oneTap.isShown, state()]).toEqual([false, { status: 'idle' }]);
    await request();
    expect(oneTap.isShown).toBe(true);
    widget.destroy();
    await world.settle();
    expect(oneTap.isShown).toBe(false);
  });

  it('is begun once when its place is taken away and put back at once, as StrictMode does', async () => {
    const { world, store, request, oneTap } = open();
    store.send({ type: 'oneTap/requested', index: 0, parentId: 'place' });
    store.send({ type: 'oneTap/removed' });
    await request();
    expect([oneTap.prompts.length, world.transport.requestsTo(oauth.oneTapStart).length]).toEqual([1, 1]);
  });
});
