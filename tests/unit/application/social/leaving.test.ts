import { describe, expect, it } from 'vitest';
import { oauth, projects } from '#application/api/index.ts';
import { errorReply } from '#kit/transport/fake-reply.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { openLogin } from '../open-widget.ts';
import { TestWorld } from '../world.ts';

const CONFIG: LoginConfig = {
  products: ['oauth', 'emailMagicLinks'],
  oauthOptions: { providers: [{ type: 'google', one_tap: true }, { type: 'apple' }] },
};
const LINK = { type: 'magicLink/requested', email: 'ada@example.com' } as const;
const TOO_LONG_MS = 15_000;

const choose = (index: number) => ({ type: 'oauth/chosen', index }) as const;
const places = ({ ports }: ReturnType<typeof openLogin>) =>
  ports.browser.navigations.map((url) => new URL(url).pathname);

/** Google was chosen, and what has to be known of the project does not come. */
async function slow() {
  const world = new TestWorld();
  const gate = world.transport.hold(projects.bootstrap);
  const opened = openLogin(CONFIG, { world });
  await world.settle();
  opened.store.send(choose(0));
  await world.settle();
  return { ...opened, gate };
}

/** An account was chosen in the prompt, and the server does not answer. */
async function prompted(refusal?: string) {
  const world = new TestWorld();
  const opened = openLogin(CONFIG, { world });
  if (refusal !== undefined) world.transport.answer(oauth.oneTapSubmit, () => errorReply(400, refusal));
  opened.store.send({ type: 'oneTap/requested', index: 0, parentId: 'place' });
  await world.settle();
  const gate = world.transport.hold(oauth.oneTapSubmit);
  opened.ports.oneTap.choose(world.server.idTokenOf({ email: 'ada@example.com' }));
  await world.settle();
  return { ...opened, gate };
}

describe('a page that is slow to be left', () => {
  it('is left late for what was chosen, where nothing else was begun', async () => {
    const opened = await slow();
    opened.ports.browser.wake();
    opened.gate.release();
    await opened.world.settle();
    expect(places(opened)).toEqual(['/v1/public/oauth/google/start']);
  });

  it('is left for the provider that was chosen last', async () => {
    const opened = await slow();
    await opened.world.clock.advance(TOO_LONG_MS);
    opened.store.send(choose(1));
    opened.gate.release();
    await opened.world.settle();
    expect(places(opened)).toEqual(['/v1/public/oauth/apple/start']);
    expect(opened.store.getState()).toMatchObject({ pending: 'oauth/chosen', pendingIndex: 1 });
  });

  it('is not left any more by who has asked for a link meanwhile', async () => {
    const opened = await slow();
    await opened.world.clock.advance(TOO_LONG_MS);
    opened.store.send(LINK);
    opened.gate.release();
    await opened.world.settle();
    expect([places(opened), opened.screen().name]).toEqual([[], 'EmailConfirmation']);
  });

  it('is left for an account that One Tap was given, but by who has asked for a link since', async () => {
    const first = await prompted();
    first.ports.browser.wake();
    first.gate.release();
    await first.world.settle();
    expect(places(first)).toHaveLength(1);
    const second = await prompted();
    second.store.send(LINK);
    second.gate.release();
    await second.world.settle();
    expect([places(second), second.screen().name]).toEqual([[], 'EmailConfirmation']);
  });

  it('shows nothing of a failed account to a user who has requested a link since', async () => {
    const opened = await prompted('no_signup_redirect_urls_set');
    opened.store.send(LINK);
    opened.gate.release();
    await opened.world.settle();
    expect(opened.store.getState()).toMatchObject({ error: null, screen: { name: 'EmailConfirmation' } });
    expect(opened.errors).toEqual([]);
  });
});
