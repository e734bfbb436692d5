import { describe, expect, it } from 'vitest';
import { sessions } from '#application/api/index.ts';
import { errorReply } from '#kit/transport/fake-reply.ts';
import { TestWorld, type OpenClient } from './world.ts';

const CYCLE_MS = 180_000;

/** Two tabs. The first is frozen while it refreshes, and the second takes over. Each call gets its own token. */
async function takenOver() {
  const world = new TestWorld();
  const [one, two] = [world.open(), world.open()] as [OpenClient, OpenClient];
  const known = await world.signIn(one.client, 'ada@example.com', 60_000);
  const answers: ((reply: unknown) => void)[] = [];
  const reply = (call: number) => {
    const { user, session } = known;
    return { user, session, session_token: `token-${call}`, session_jwt: `jwt-${call}` };
  };
  world.transport.answer(sessions.authenticate, () => new Promise((resolve) => answers.push(resolve)));
  await world.clock.advance(CYCLE_MS);
  expect(answers).toHaveLength(1);
  await world.clock.advance(9_500);
  expect(answers).toHaveLength(2);
  return {
    world,
    tabs: [one, two],
    calls: () => answers.length,
    token: () => two.client.session.getTokens()?.session_token,
    answer: async (call: number, value: unknown = reply(call)) => {
      answers[call - 1]?.(value);
      await world.clock.advance(400);
    },
  };
}

describe('a refresh that another tab takes over', () => {
  it('leaves the token of the tab that took over, when the answers come in the order of the calls', async () => {
    const { answer, calls, token } = await takenOver();
    await answer(1);
    expect(token()).toBe('token-1');
    // The token changed during the call: the tab asks again with the new one.
    await answer(2);
    expect(calls()).toBe(3);
    await answer(3);
    expect(token()).toBe('token-3');
    expect(calls()).toBe(3);
  });

  it('leaves the newer token, when the frozen tab gets its answer last', async () => {
    const { answer, calls, token } = await takenOver();
    await answer(2);
    await answer(1);
    expect([token(), calls()]).toEqual(['token-2', 2]);
  });

  it('does not end the session by the refusal that the frozen tab gets', async () => {
    const { answer, tabs, token } = await takenOver();
    await answer(1, errorReply(401, 'unauthorized_credentials'));
    for (const { client } of tabs) expect(client.session.getSync()).not.toBeNull();
    await answer(2);
    expect(token()).toBe('token-2');
  });
});

describe('a background refresh', () => {
  it('does not undo the token that a second factor got meanwhile for the same session', async () => {
    const world = new TestWorld();
    const { client } = world.open();
    const { user, session } = await world.signIn(client, 'ada@example.com', 60_000);
    let token = client.session.getTokens()?.session_token;
    let answer = (): void => undefined;
    world.transport.answer(
      sessions.authenticate,
      () =>
        new Promise((resolve) => {
          const reply = { user, session, session_token: token, session_jwt: token };
          answer = () => resolve(reply);
        }),
    );
    await world.clock.advance(CYCLE_MS);
    token = 'of-the-second-factor';
    client.session.updateSession({ session_token: token, session_jwt: token });
    answer();
    await world.settle();
    answer();
    await world.settle();
    expect(client.session.getTokens()?.session_token).toBe(token);
  });
});

describe('a call of the app', () => {
  it('is repeated with the token that another tab stored meanwhile, and stores the answer to that', async () => {
    const world = new TestWorld();
    const [one, two] = [world.open(), world.open()] as [OpenClient, OpenClient];
    const { user, session } = await world.signIn(one.client, 'ada@example.com', 60_000);
    const answers: ((token: string) => void)[] = [];
    world.transport.answer(
      sessions.authenticate,
      () =>
        new Promise((resolve) => {
          answers.push((token) => resolve({ user, session, session_token: token, session_jwt: token }));
        }),
    );
    const checked = one.client.session.authenticate();
    await world.settle();
    two.client.session.updateSession({ session_token: 'newer', session_jwt: 'newer' });
    answers[0]?.('older');
    await world.settle();
    answers[1]?.('newest');
    await checked;
    expect(answers).toHaveLength(2);
    expect(one.client.session.getTokens()?.session_token).toBe('newest');
  });
});
