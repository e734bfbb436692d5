import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, MINUTE, type Fields, type Provider } from '../kit/harness.ts';
import { SoftwareAuthenticator } from '../kit/webauthn-authenticator.ts';
import { newestLink, noticesTo, press, tell } from '../notices/steps.ts';
import { codeOf, enrolTotp, isAlive, makeTarget, MINUTES, phone } from './attacker.ts';
import { disputeSteps } from './dispute-steps.ts';
import { RACES } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

/**
 * A link "This was not me" disputes a new second factor. Its user may be the owner, while a thief reads the mailbox; or a thief who had the
 * owner's session. The factor alone says nothing about that: only a login that also proves an older method lifts the dispute.
 */

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NONE = new URL('http://none');
const settings = {
  mfa: { policy: 'when_enrolled', factors: ['totp', 'webauthn', 'recovery_code', 'sms'], recovery_hours: 24 },
  notices: { factors: true },
};

describe.each(EITHER_DATABASE)('a second factor that a link disputes, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url, {}, settings);
  });
  afterAll(() => provider.close());
  const {
    creation,
    register,
    owner,
    addPasskey,
    addAddress,
    byPasskey,
    byMail,
    byMailAndPasskey,
    undo,
    finish,
    passkeysOf,
    appsOf,
    recoveriesOf,
  } = disputeSteps(() => provider);
  const unknown = { error_type: 'webauthn_registration_not_found' };

  describe('by the reader of the mailbox', () => {
    it('stays with the owner, who logs in with the address and the passkey', async () => {
      const { email, user_id, session } = await owner();
      const { key, id } = await addPasskey(session);
      await undo(email);
      expect((await byPasskey(key)).body).toMatchObject(unknown);
      const first = await byMail(email);
      expect(first.data['mfa']).toMatchObject({ factors: ['webauthn'] });
      const entered = await byPasskey(key, first.browser);
      expect([entered.status, entered.data['session']?.user_id]).toEqual([200, user_id]);
      expect(await recoveriesOf(user_id)).toMatchObject([{ state: 'canceled' }]);
      expect((await noticesTo(provider, email)).at(-1)?.text).toContain('was stopped');
      expect((await byPasskey(key)).data['session']).not.toBeNull();
      provider.clock.time += 25 * HOUR;
      expect(await finish(email)).not.toBe(200);
      expect(await passkeysOf(user_id)).toEqual([id]);
      expect((await byMail(email)).data['session']).toBeNull();
    });

    soakIt('stays also where it is a number or an app, and its owner proves the address beside it', async () => {
      const numbered = await owner();
      provider.clock.time += MINUTE;
      const added = await (await phone(provider).begin(numbered.session))();
      const [{ phone_id, phone_number }] = added.data['user'].phone_numbers as readonly [Fields];
      await undo(numbered.email);
      const { browser } = await byMail(numbered.email);
      const sent = await browser.post('/mfa/send_code', { phone_id, channel: 'sms' });
      const token = (await provider.newest(phone_number))?.code;
      await browser.post('/otps/authenticate', { token, method_id: sent.data['method_id'], ...MINUTES });
      expect(await recoveriesOf(numbered.user_id)).toMatchObject([{ state: 'canceled' }]);
      const guarded = await owner();
      const app = await enrolTotp(provider, guarded.session);
      await undo(guarded.email);
      const other = (await byMail(guarded.email)).browser;
      await other.post('/totps/recover', { recovery_code: app.recovery_codes[0], ...MINUTES });
      expect(await recoveriesOf(guarded.user_id)).toMatchObject([{ state: 'canceled' }]);
    });

    it('waits its whole time, also where they began a recovery before, and every contact is told', async () => {
      const { email, user_id, session } = await owner();
      const app = await enrolTotp(provider, session);
      const { email: other } = await addAddress(app.session);
      provider.clock.time += 8 * DAY;
      const fresh = await byMail(email);
      expect((await fresh.browser.post('/mfa/recovery/start')).status).toBe(200);
      await tell(provider);
      provider.clock.time += 20 * MINUTE;
      const again = (await byMail(email)).browser;
      const { data } = await again.post('/totps/authenticate', { totp_code: codeOf(provider, app.secret), ...MINUTES });
      await tell(provider);
      const { id, key } = await addPasskey(String(data['session_token']));
      await tell(provider);
      const undoing = await newestLink(provider, email);
      expect((await (await byMail(email)).browser.post('/mfa/recovery/start')).status).toBe(200);
      await tell(provider);
      provider.clock.time += 23 * HOUR;
      const before = (await noticesTo(provider, other)).length;
      expect((await press(provider, undoing ?? NONE, 'undo')).status).toBe(200);
      await tell(provider);
      const told = (await noticesTo(provider, other)).slice(before);
      expect(told.some(({ subject }) => subject.includes('has begun'))).toBe(true);
      provider.clock.time += 2 * HOUR;
      expect(await finish(email)).not.toBe(200);
      expect((await recoveriesOf(user_id)).filter(({ state }) => state === 'waiting')).toHaveLength(1);
      expect([await passkeysOf(user_id), await appsOf(user_id)]).toEqual([[id], 1]);
      expect((await byMailAndPasskey(email, key)).data['session']).not.toBeNull();
    });

    it('is not removed by a recovery that began before it', async () => {
      const { email, user_id, session } = await owner();
      const app = await enrolTotp(provider, session);
      await tell(provider);
      expect((await (await byMail(email)).browser.post('/mfa/recovery/start')).status).toBe(200);
      await tell(provider);
      provider.clock.time += 30 * MINUTE;
      // A browser adds a passkey without asking anybody, which is no login of two factors.
      const options = await creation(app.session, { conditional_mediation: true });
      const { data } = await register(new SoftwareAuthenticator().create(options), app.session);
      await tell(provider);
      provider.clock.time += 23 * HOUR + 30 * MINUTE;
      expect(await finish(email)).toBe(200);
      expect([await passkeysOf(user_id), await appsOf(user_id)]).toEqual([[data['webauthn_registration_id']], 0]);
      expect((await byMail(email)).data['session']).toBeNull();
    });

    it('is the one that goes, if the owner proves another one; older ones stay', async () => {
      const { email, user_id, session } = await owner();
      const app = await enrolTotp(provider, session);
      await tell(provider);
      provider.clock.time += 8 * DAY;
      const entering = (await byMail(email)).browser;
      const code = { totp_code: codeOf(provider, app.secret), ...MINUTES };
      const { data } = await entering.post('/totps/authenticate', code);
      const one = await addPasskey(String(data['session_token']));
      const two = await addPasskey(one.session);
      await undo(email);
      expect((await byMailAndPasskey(email, one.key)).data['session']).not.toBeNull();
      expect(await recoveriesOf(user_id)).toMatchObject([{ state: 'waiting' }]);
      expect((await byPasskey(two.key)).body).toMatchObject(unknown);
      provider.clock.time += 25 * HOUR;
      expect(await finish(email)).toBe(200);
      expect([await passkeysOf(user_id), await appsOf(user_id)]).toEqual([[one.id], 1]);
    });

    it('is kept or removed, and never both, as the owner’s login meets the end of the wait', async () => {
      for (let round = 0; round < RACES; round += 1) {
        const { email, user_id, session } = await owner();
        const { key, id } = await addPasskey(session);
        await undo(email);
        provider.clock.time += 25 * HOUR;
        await tell(provider);
        const link = await newestLink(provider, email);
        const { browser } = await byMail(email);
        const [entered, removed] = await Promise.all([
          byPasskey(key, browser),
          press(provider, link ?? NONE, 'finish'),
        ]);
        const isIn = entered.status === 200 && (await isAlive(provider, String(entered.data['session_token'])));
        expect([entered.status, removed.status].filter((status) => status >= 500)).toEqual([]);
        expect(isIn).toBe(removed.status !== 200);
        expect(await passkeysOf(user_id)).toEqual(isIn ? [id] : []);
      }
    });
  });

  describe('of a thief who had a session', () => {
    it('lets nobody in, is removed, and cannot be kept by an address that they added as well', async () => {
      const { email, user_id, session } = await owner();
      const thief = await addAddress(session);
      const { key } = await addPasskey(thief.session);
      await undo(email);
      expect(await newestLink(provider, thief.email)).toBeNull();
      expect((await byPasskey(key)).body).toMatchObject(unknown);
      expect((await byMail(thief.email)).data['user_id']).not.toBe(user_id);
      expect((await byMail(email)).data['session']).toBeNull();
      provider.clock.time += 25 * HOUR;
      expect(await finish(email)).toBe(200);
      expect(await passkeysOf(user_id)).toEqual([]);
      expect((await byMail(email)).data).toMatchObject({ user_id, session: { user_id } });
    });

    it('is not kept by a login with an address that they added shortly before', async () => {
      const { email, user_id, session } = await owner();
      const thief = await addAddress(session);
      await tell(provider);
      const { key } = await addPasskey(thief.session);
      await undo(email);
      provider.clock.time += 12 * HOUR;
      const first = await byMail(thief.email);
      expect(first.data).toMatchObject({ user_id, session: null, mfa: { factors: [] } });
      expect((await byPasskey(key, first.browser)).body['error_type']).toBe('mfa_factor_not_allowed');
      const primary = await byPasskey(key);
      expect(primary.body).toMatchObject(unknown);
      await tell(provider);
      expect(await newestLink(provider, thief.email)).toBeNull();
      provider.clock.time += 13 * HOUR;
      expect(await finish(email)).toBe(200);
      expect(await passkeysOf(user_id)).toEqual([]);
    });

    it('is not kept by an app that its thief proves beside a new address, which the account page offers no stop', async () => {
      const { email, user_id, session } = await owner();
      const thief = await addAddress(session);
      await tell(provider);
      const app = await enrolTotp(provider, thief.session);
      await undo(email);
      const { browser } = await byMail(thief.email);
      const code = { totp_code: codeOf(provider, app.secret), ...MINUTES };
      const entered = await browser.post('/totps/authenticate', code);
      const theirs = { session: String(entered.data['session_token']) };
      expect((await provider.call('GET', '/users/me/recovery', undefined, theirs)).data['recovery']).toBeNull();
      const stop = await provider.call('DELETE', '/users/me/recovery', undefined, theirs);
      expect([stop.status, stop.body['error_type']]).toEqual([403, 'mfa_required']);
      expect(await recoveriesOf(user_id)).toMatchObject([{ state: 'waiting' }]);
      provider.clock.time += 25 * HOUR;
      expect(await finish(email)).toBe(200);
      expect(await appsOf(user_id)).toBe(0);
    });

    it('goes also where the owner added one of their own before the undo, and proves that', async () => {
      const { email, user_id, session } = await owner();
      const theirs = await addPasskey(session);
      await tell(provider);
      const link = await newestLink(provider, email);
      const mine = await addPasskey(theirs.session);
      await tell(provider);
      expect((await press(provider, link ?? NONE, 'undo')).status).toBe(200);
      await tell(provider);
      const entered = await byMailAndPasskey(email, mine.key);
      expect(entered.data['session']).not.toBeNull();
      const session_token = String(entered.data['session_token']);
      const shown = await provider.call('GET', '/users/me/recovery', undefined, { session: session_token });
      expect(shown.data['recovery']).not.toBeNull();
      expect((await byPasskey(theirs.key)).body).toMatchObject(unknown);
      provider.clock.time += 25 * HOUR;
      expect(await finish(email)).toBe(200);
      expect(await passkeysOf(user_id)).toEqual([mine.id]);
      expect((await byPasskey(mine.key)).data['session']).not.toBeNull();
    });

    it('leaves no session as the thief logs in while the owner undoes it', async () => {
      for (let round = 0; round < RACES; round += 1) {
        const { email, session } = await owner();
        const { key } = await addPasskey(session);
        await tell(provider);
        const link = await newestLink(provider, email);
        const logins = [byPasskey(key), byPasskey(key)];
        const [undone, ...entered] = await Promise.all([press(provider, link ?? NONE, 'undo'), ...logins]);
        expect(undone.status).toBe(200);
        for (const { status, data } of entered) {
          if (status === 200) expect(await isAlive(provider, String(data['session_token']))).toBe(false);
        }
        expect((await byPasskey(key)).body).toMatchObject(unknown);
      }
      expect(provider.traces).toEqual([]);
    });
  });
});
