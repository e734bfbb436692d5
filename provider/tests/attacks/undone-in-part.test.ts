import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, MINUTE, type Provider } from '../kit/harness.ts';
import { noticesTo, open, press, tell } from '../notices/steps.ts';
import { makeTarget, secondAddress, uniqueEmail } from './attacker.ts';

/**
 * An intruder adds an address, and removes the owner's a while later: two messages. The link of the newer one undoes the removal alone, so
 * its page says what an earlier change added and the account still has.
 */

const KEPT = /This cannot be undone here:[^]*was added\./u;

describe.each(EITHER_DATABASE)('the link of the newer of two messages, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url);
  });
  afterAll(() => provider.close());

  /** Resolves with the links of the addition and the removal. */
  const taken = async () => {
    const email = uniqueEmail('owner');
    const { session_token, user_id, user } = await provider.signIn(email);
    await tell(provider);
    provider.clock.time += MINUTE;
    const way = secondAddress(provider);
    const finish = await way.begin(String(session_token));
    const session = String((await finish()).data['session_token']);
    await tell(provider);
    provider.clock.time += MINUTE;
    const path = `/users/emails/${String(user.emails[0].email_id)}`;
    expect((await provider.call('DELETE', path, undefined, { session })).status).toBe(200);
    const [added, removed] = await noticesTo(provider, email);
    return { email, user_id, way, added: new URL(added?.link ?? ''), removed: new URL(removed?.link ?? '') };
  };

  it('says what was added before, which the older one removes also afterwards', async () => {
    const { email, user_id, way, added, removed } = await taken();
    expect((await open(provider, removed)).text).toMatch(KEPT);
    expect((await open(provider, added)).text).not.toMatch(KEPT);
    expect((await press(provider, removed, 'undo')).status).toBe(200);
    expect(await way.enter()).toBe(user_id);
    expect((await press(provider, added, 'undo')).status).toBe(200);
    expect(await way.enter()).not.toBe(user_id);
    expect((await provider.signIn(email))['user_id']).toBe(user_id);
  });

  it('says nothing of what the older one has undone', async () => {
    const { email, user_id, way, added, removed } = await taken();
    expect((await press(provider, added, 'undo')).status).toBe(200);
    expect(await way.enter()).not.toBe(user_id);
    // It ends with the older one.
    expect((await open(provider, removed)).status).toBe(404);
    expect((await provider.signIn(email))['user_id']).toBe(user_id);
  });
});
