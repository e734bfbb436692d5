import { describe, expect, it } from 'vitest';
import { sessions } from '#application/api/index.ts';
import { SessionWatch, type SessionCode } from '#application/session/session-watch.ts';
import { wireSession } from '#composition/wire-session.ts';
import { wireCore, type ClientSettings } from '#composition/core.ts';
import { later } from '#domain/later.ts';
import { heldLoad, TestWorld, TOKEN } from './world.ts';

const TOKENS = {
  session_token: 'token',
  session_jwt: 'jwt',
} as const;

/** A page whose code of a session arrives when the test says so. */
function opened(world = new TestWorld()) {
  const ports = world.tab('http://localhost:3000/');
  const settings: ClientSettings = {
    publicToken: TOKEN,
    origin: 'https://test.example',
    cookieOptions: {},
    endpointOptions: {},
    onFailure: () => undefined,
    telemetry: false,
    ports,
    own: ports,
    window: null,
  };
  const core = wireCore(settings, { events: null, late: () => Promise.reject(new Error('Not here.')) });
  const answers: ((isThere: boolean) => void)[] = [];
  const code = later<SessionCode>(() =>
    heldLoad(
      new Promise((resolve, reject) => {
        answers.push((isThere) =>
          isThere
            ? resolve(wireSession(settings, core.wire, core.sessions, core.keys))
            : reject(new TypeError('Failed to fetch')),
        );
      }),
    ),
  );
  const watch = new SessionWatch(code, core.sessions, ports);
  const checking: boolean[] = [];
  watch.checking$.subscribe((is) => checking.push(is));
  const asked = (): number => world.transport.requestsTo(sessions.authenticate).length;
  return { world, core, watch, answers, checking, asked };
}

describe('the code of a session', () => {
  it('is not loaded without one, however long the page is open', async () => {
    const { world, watch, answers, checking } = opened();
    watch.start();
    await world.clock.advance(600_000);
    expect([answers.length, checking]).toEqual([0, [false]]);
  });

  it('is loaded at once for a stored token, and the session is being checked until the server has answered', async () => {
    const { world, core, watch, answers, checking, asked } = opened();
    core.sessions.updateTokens(TOKENS);
    watch.start();
    expect([answers.length, checking]).toEqual([1, [false, true]]);
    answers[0]?.(true);
    await world.settle();
    expect([asked(), checking]).toEqual([1, [false, true, false]]);
  });

  it('is requested again after half a minute when it could not be loaded, and nobody is signed out', async () => {
    const { world, core, watch, answers, checking, asked } = opened();
    core.sessions.updateTokens(TOKENS);
    watch.start();
    answers[0]?.(false);
    await world.settle();
    expect([asked(), checking.at(-1), core.sessions.secret()]).toEqual([0, false, 'token']);
    await world.clock.advance(30_000);
    answers[1]?.(true);
    await world.settle();
    expect(asked()).toBe(1);
  });

  it('does nothing when it arrives after the client was destroyed', async () => {
    const { world, core, watch, answers, asked } = opened();
    core.sessions.updateTokens(TOKENS);
    watch.start();
    watch.stop();
    answers[0]?.(true);
    await world.clock.advance(600_000);
    expect(asked()).toBe(0);
  });
});
