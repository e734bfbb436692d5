import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEV_SECRET } from '#provider/api/backend/credentials.ts';
import { basic, EITHER_DATABASE, MINUTE, type Fields, type Provider } from '../kit/harness.ts';
import { tell } from '../notices/steps.ts';
import { codeOf, enrolTotp, makeTarget, MINUTES } from './attacker.ts';
import { disputeSteps } from './dispute-steps.ts';

/**
 * A link disputes what a thief added. The thief goes on: with a second theft, whose undo must not lift the first dispute, and with the
 * address that they added as well, beside which the disputed app is no proof for a change.
 */

const HOUR = 60 * MINUTE;
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

  /** A thief who added an address and an app, which the owner's link disputes. */
  const disputedApp = async () => {
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
      const entered = await browser.post('/totps/authenticate', code);
      expect(entered.status).toBe(200);
      return { session: String(entered.data['session_token']) };
    };
    return { email, user_id, thief, enter };
  };
  const removedByServer = async (user_id: string, email: string): Promise<void> => {
    const { db, project } = provider.services;
    const { email_id } = await db
      .selectFrom('emails')
      .select('email_id')
      .where('user_id', '=', user_id)
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    const headers = { authorization: basic(project.project_id, DEV_SECRET) };
    const removed = await provider.app.request(`/v1/users/emails/${email_id}`, { method: 'DELETE', headers });
    expect(removed.status).toBe(200);
  };

  it('stays as the oldest address is removed, and that of the thief is the only one left', async () => {
    const { email, user_id, thief, enter } = await disputedApp();
    await removedByServer(user_id, email);
    await enter();
    expect(await recoveriesOf(user_id)).toMatchObject([{ state: 'waiting' }]);
    await tell(provider);
    provider.clock.time += 25 * HOUR;
    expect(await finish(thief.email)).toBe(0);
    expect(await recoveriesOf(user_id)).toMatchObject([{ state: 'waiting' }]);
  });

  it('leaves the app no proof for other servers, also when it is no longer new', async () => {
    const { enter, email, user_id } = await disputedApp();
    provider.clock.time += 30 * HOUR;
    const theirs = await enter();
    const { data } = await provider.call('POST', '/sessions/authenticate', {}, theirs);
    const marks = (data['session'].authentication_factors as readonly Fields[]).map((factor) => [
      factor['type'],
      factor['recently_added'] ?? false,
    ]);
    expect(marks).toEqual([
      ['otp', false],
      ['totp', true],
    ]);
    expect(await finish(email)).toBe(200);
    expect(await appsOf(user_id)).toBe(0);
  });

  it('is not avoided by a thief who enters with the disputed app, and changes the account', async () => {
    const { email, user_id, enter } = await disputedApp();
    const theirs = await enter();
    const { data } = await provider.call('GET', '/users/me', undefined, theirs);
    const [{ totp_id }] = data['totps'] as readonly [Fields];
    const [{ email_id }] = data['emails'] as readonly [Fields];
    for (const path of [`/users/totps/${String(totp_id)}`, `/users/emails/${String(email_id)}`]) {
      const removed = await provider.call('DELETE', path, undefined, theirs);
      expect([removed.status, removed.body['error_type']]).toEqual([403, 'mfa_required']);
    }
    provider.clock.time += 25 * HOUR;
    expect(await finish(email)).toBe(200);
    expect(await appsOf(user_id)).toBe(0);
  });
});
