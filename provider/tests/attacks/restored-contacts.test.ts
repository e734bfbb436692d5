import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, MINUTE, type Fields, type Provider } from '../kit/harness.ts';
import { newestLink, press, tell } from '../notices/steps.ts';
import { makeTarget, MINUTES, uniqueEmail } from './attacker.ts';

/**
 * A thief of a session adds an address, and removes the owner's as soon as the link for the addition is over. The owner undoes that, and the
 * thief, who is faster than the owner's next login, removes it again.
 */
describe.each(EITHER_DATABASE)('an address that its owner brought back, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url);
  });
  afterAll(() => provider.close());

  const DAY = 24 * 60 * MINUTE;
  const NONE = new URL('http://none');
  const remove = async (email: string, by: Fields): Promise<number> => {
    const session = String(by['session_token']);
    const { emails } = (await provider.call('GET', '/users/me', undefined, { session })).data;
    const found = (emails as readonly Fields[]).find((each) => each['email'] === email);
    const path = `/users/emails/${String(found?.['email_id'])}`;
    return (await provider.call('DELETE', path, undefined, { session })).status;
  };
  const hasAddress = async (email: string, by: Fields): Promise<boolean> => {
    const session = String(by['session_token']);
    const { emails } = (await provider.call('GET', '/users/me', undefined, { session })).data;
    return (emails as readonly Fields[]).some((each) => each['email'] === email);
  };

  it('is the oldest of the account again: each further removal can be undone, too', async () => {
    const [owner, thief] = [uniqueEmail('owner'), uniqueEmail('thief')];
    const { session_token } = await provider.signIn(owner);
    const session = String(session_token);
    provider.clock.time += MINUTE;
    const sent = await provider.post('/otps/email/send/secondary', { email: thief }, { session });
    const code = { token: (await provider.newest(thief))?.code, method_id: sent.data['method_id'], ...MINUTES };
    expect((await provider.post('/otps/authenticate', code, { session })).status).toBe(200);
    await tell(provider);
    provider.clock.time += 8 * DAY;
    for (let round = 0; round < 3; round += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await remove(owner, await provider.signIn(thief))).toBe(200);
      await tell(provider);
      provider.clock.time += 20 * MINUTE;
      const undo = await newestLink(provider, owner);
      expect(undo?.pathname).toBe('/notices/undo');
      expect((await press(provider, undo ?? NONE, 'undo')).status).toBe(200);
      provider.clock.time += 20 * MINUTE;
      await tell(provider);
    }
    const again = await provider.signIn(owner);
    expect(await remove(thief, again)).toBe(200);
    expect([await hasAddress(owner, again), await hasAddress(thief, again)]).toEqual([true, false]);
    await tell(provider);
    expect(await newestLink(provider, thief)).toBeNull();
  });
});
