import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, MINUTE, type Fields, type Provider } from '../kit/harness.ts';
import { newestLink, press, tell } from '../notices/steps.ts';
import { codeOf, enrolTotp, makeTarget, MINUTES } from './attacker.ts';
import { disputeSteps } from './dispute-steps.ts';

/**
 * A link disputes what a thief added. The thief goes on: with a second theft, whose undo must not lift the first dispute, and by removing
 * the owner's address, after which their own one is the oldest.
 */

const HOUR = 60 * MINUTE;
const NONE = new URL('http://none');
const settings = {
  mfa: { policy: 'when_enrolled', factors: ['totp', 'webauthn', 'recovery_code', 'sms'], recovery_hours: 24 },
  notices: { factors: true },
};

describe.each(EITHER_DATABASE)('a dispute that a thief goes on with, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url, {}, settings);
  });
  afterAll(() => provider.close());
  const { owner, addPasskey, addAddress, byPasskey, byMail, undo, finish, passkeysOf, appsOf, recoveriesOf } =
    disputeSteps(() => provider);

  it('stays as the owner undoes a second theft', async () => {
    const { email, user_id, session } = await owner();
    const app = await enrolTotp(provider, session);
    await tell(provider);
    provider.clock.time += 8 * 24 * HOUR;
    const enter = async () => {
      const entering = (await byMail(email)).browser;
      provider.clock.time += MINUTE;
      const code = { totp_code: codeOf(provider, app.secret), ...MINUTES };
      return String((await entering.post('/totps/authenticate', code)).data['session_token']);
    };
    const first = await addPasskey(await enter());
    await undo(email);
    provider.clock.time += HOUR;
    const second = await addPasskey(await enter());
    await undo(email);
    for (const { key } of [first, second])
      expect((await byPasskey(key)).body).toMatchObject({ error_type: 'webauthn_registration_not_found' });
    provider.clock.time += 25 * HOUR;
    expect(await finish(email)).toBe(200);
    expect([await passkeysOf(user_id), await appsOf(user_id)]).toEqual([[], 1]);
  });

  it('stays as the thief removes the owner’s address, and their own one is the oldest', async () => {
    const { email, user_id, session } = await owner();
    const thief = await addAddress(session);
    await tell(provider);
    provider.clock.time += MINUTE;
    const app = await enrolTotp(provider, thief.session);
    await undo(email);
    const enter = async () => {
      const { browser } = await byMail(thief.email);
      provider.clock.time += MINUTE;
      const code = { totp_code: codeOf(provider, app.secret), ...MINUTES };
      return browser.post('/totps/authenticate', code);
    };
    const entered = await enter();
    expect(entered.status).toBe(200);
    const theirs = { session: String(entered.data['session_token']) };
    const { data } = await provider.call('GET', '/users/me', undefined, theirs);
    const [first] = data['emails'] as readonly [Fields];
    expect(first['email']).toBe(email);
    const removed = await provider.call('DELETE', `/users/emails/${String(first['email_id'])}`, undefined, theirs);
    expect(removed.status).toBe(200);
    await tell(provider);
    const link = await newestLink(provider, email);
    expect((await enter()).status).toBe(200);
    expect(await recoveriesOf(user_id)).toMatchObject([{ state: 'waiting' }]);
    provider.clock.time += HOUR;
    // The oldest address comes back, and its owner ends the wait; nobody else does.
    expect((await press(provider, link ?? NONE, 'undo')).status).toBe(200);
    provider.clock.time += 25 * HOUR;
    expect(await finish(thief.email)).toBe(0);
    expect(await finish(email)).toBe(200);
    expect(await appsOf(user_id)).toBe(0);
  });

  it('has no link for the thief whose address is the only one left', async () => {
    const { email, user_id, session } = await owner();
    const thief = await addAddress(session);
    await tell(provider);
    provider.clock.time += MINUTE;
    const app = await enrolTotp(provider, thief.session);
    await undo(email);
    const { browser } = await byMail(thief.email);
    provider.clock.time += MINUTE;
    const code = { totp_code: codeOf(provider, app.secret), ...MINUTES };
    const theirs = { session: String((await browser.post('/totps/authenticate', code)).data['session_token']) };
    const { data } = await provider.call('GET', '/users/me', undefined, theirs);
    const [first] = data['emails'] as readonly [Fields];
    await provider.call('DELETE', `/users/emails/${String(first['email_id'])}`, undefined, theirs);
    await tell(provider);
    provider.clock.time += 25 * HOUR;
    expect(await finish(thief.email)).toBe(0);
    expect(await recoveriesOf(user_id)).toMatchObject([{ state: 'waiting' }]);
  });
});
