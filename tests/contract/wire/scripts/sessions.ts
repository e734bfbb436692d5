import { otps, ownSessions, sessions, totps, users } from '#application/api/index.ts';
import { at, HOUR, textOf, type Script } from '../wire.ts';
import { MINUTE_MS, otherThan, signIn, withTotp } from './people.ts';

const STEP_MS = MINUTE_MS / 2;

export const SESSIONS: readonly Script[] = [
  {
    title: 'sessions are confirmed, lengthened, never shortened, and ended',
    run: async (wire) => {
      const session = await signIn(wire);
      const first = await wire.call(sessions.authenticate, {}, { session });
      await wire.call(sessions.authenticate, { session_duration_minutes: 5 }, { session });
      await wire.call(sessions.authenticate, { session_duration_minutes: 120 }, { session });
      await wire.call(sessions.authenticate, { session_duration_minutes: 0 }, { session });
      await wire.call(sessions.authenticate, { session_duration_minutes: 527_041 }, { session });
      await wire.call(sessions.authenticate, {}, { session: textOf(first, 'session_jwt') });
      await wire.call(sessions.authenticate, {});
      await wire.call(sessions.authenticate, {}, { session: 'nonsense' });
      await wire.call(sessions.revoke, {}, { session });
      await wire.call(sessions.revoke, {}, { session });
      await wire.call(users.me, null, { session });
    },
  },
  {
    title: 'sessions of one user are listed, and end one by one',
    run: async (wire) => {
      const away = await signIn(wire);
      wire.world.passTime(MINUTE_MS);
      const session = await signIn(wire);
      const { sessions: live } = await wire.call(ownSessions.list, null, { session });
      const [, other] = live as readonly { readonly session_id: string }[];
      const params = { session_id: other?.session_id ?? '' };
      await wire.call(ownSessions.list, null);
      await wire.call(ownSessions.revokeOther, {}, { params });
      await wire.call(ownSessions.revokeOther, {}, { session, params: { session_id: 'none' } });
      await wire.call(ownSessions.revokeOther, {}, { session, params });
      await wire.call(ownSessions.revokeOther, {}, { session, params });
      await wire.call(users.me, null, { session: away });
      await wire.call(ownSessions.list, null, { session });
    },
  },
  {
    title: 'all other sessions end at once, and a page of the list begins after its cursor',
    run: async (wire) => {
      const away = await signIn(wire);
      wire.world.passTime(MINUTE_MS);
      const session = await signIn(wire);
      const listed = await wire.call(ownSessions.list, null, { session });
      const [first] = listed['sessions'] as readonly { session_id: string; last_accessed_at: string }[];
      const cursor = `${Date.parse(first?.last_accessed_at ?? '')}.${first?.session_id}`;
      const { sessions: rest } = await wire.call(ownSessions.listAfter, null, { session, params: { cursor } });
      await wire.call(ownSessions.listAfter, null, { session, params: { cursor: 'nowhere' } });
      await wire.call(ownSessions.listAfter, null, { params: { cursor } });
      await wire.call(ownSessions.revokeOthers, {});
      await wire.call(ownSessions.revokeOthers, {}, { session });
      await wire.call(users.me, null, { session: away });
      await wire.call(ownSessions.revokeOthers, {}, { session });
      await wire.call(ownSessions.list, null, { session });
      if ((rest as readonly object[]).length !== 1) throw new Error('one session comes after the first');
    },
  },
  {
    title: 'a number that is removed ends the sessions that stand on it, but for the one that removes it',
    run: async (wire) => {
      const session = await signIn(wire);
      const phone_number = '+14155552321';
      const { method_id } = await wire.call(otps.smsSendSecondary, { phone_number }, { session });
      const token = await wire.world.codeFor(phone_number);
      const added = await wire.call(otps.authenticate, { token, method_id, ...HOUR }, { session });
      const both = textOf(added, 'session_token');
      const sent = await wire.call(otps.smsLoginOrCreate, { phone_number });
      const code = await wire.world.codeFor(phone_number);
      const by = await wire.call(otps.authenticate, { token: code, method_id: sent['method_id'], ...HOUR });
      const mail = await signIn(wire);
      const id = at(added, 'user.phone_numbers.0.phone_id');
      await wire.call(users.deletePhoneNumber, null, { session: both, params: { id } });
      await wire.call(users.me, null, { session: textOf(by, 'session_token') });
      await wire.call(users.me, null, { session: mail });
      await wire.call(users.me, null, { session: both });
    },
  },
  {
    title: 'sessions end by the clock',
    run: async (wire) => {
      const session = await signIn(wire);
      wire.world.passTime(60 * MINUTE_MS);
      await wire.call(sessions.authenticate, {}, { session });
    },
  },
  {
    title: 'a login in a session makes its older tokens and JWTs worthless',
    run: async (wire) => {
      const session = await signIn(wire);
      const { session_jwt } = await wire.call(sessions.authenticate, {}, { session });
      await signIn(wire, 'ada', session);
      await wire.call(sessions.authenticate, {}, { session });
      await wire.call(sessions.authenticate, {}, { session: String(session_jwt) });
    },
  },
  {
    title: 'a factor that is proven again keeps when it was proven first, and becomes the last',
    run: async (wire) => {
      const session = await signIn(wire);
      const made = await wire.call(totps.create, { expiration_minutes: 60 }, { session });
      const code = () => wire.world.totpCodeFor(textOf(made, 'secret'));
      const proven = await wire.call(totps.authenticate, { totp_code: code(), ...HOUR }, { session });
      const again = await signIn(wire, 'ada', textOf(proven, 'session_token'));
      wire.world.passTime(STEP_MS);
      await wire.call(totps.authenticate, { totp_code: code(), ...HOUR }, { session: again });
    },
  },
];

export const TOTPS: readonly Script[] = [
  {
    title: 'authenticator apps are made, verified and used, each code once',
    run: async (wire) => {
      const session = await signIn(wire);
      await wire.call(totps.recoveryCodes, {}, { session });
      await wire.call(totps.authenticate, { totp_code: '123456', ...HOUR }, { session });
      await wire.call(totps.create, { expiration_minutes: 4 }, { session });
      await wire.call(totps.create, { expiration_minutes: 5 }, { session });
      const made = await wire.call(totps.create, { expiration_minutes: 60 }, { session });
      await wire.call(totps.recoveryCodes, {}, { session });
      const recovery_code = at(made, 'recovery_codes.0');
      await wire.call(totps.recover, { recovery_code, ...HOUR }, { session });
      const code = wire.world.totpCodeFor(textOf(made, 'secret'));
      await wire.call(totps.authenticate, { totp_code: '12345', ...HOUR }, { session });
      await wire.call(totps.authenticate, { totp_code: otherThan(code), ...HOUR }, { session });
      await wire.call(totps.authenticate, { totp_code: code, session_duration_minutes: 1 }, { session });
      const proven = textOf(
        await wire.call(totps.authenticate, { totp_code: code, ...HOUR }, { session }),
        'session_token',
      );
      await wire.call(totps.authenticate, { totp_code: code, ...HOUR }, { session: proven });
      await wire.call(totps.create, { expiration_minutes: 60 }, { session: proven });
      await wire.call(totps.recoveryCodes, {}, { session: proven });
      const recovered = await wire.call(
        totps.recover,
        { recovery_code: recovery_code.toUpperCase().replaceAll('-', ' '), ...HOUR },
        { session: proven },
      );
      const last = textOf(recovered, 'session_token');
      await wire.call(totps.recover, { recovery_code, ...HOUR }, { session: last });
      await wire.call(totps.recoveryCodes, {}, { session: last });
      await wire.call(totps.create, { expiration_minutes: 60 });
    },
  },
  {
    title: 'an app that was not verified in time is forgotten',
    run: async (wire) => {
      const session = await signIn(wire);
      const made = await wire.call(totps.create, { expiration_minutes: 5 }, { session });
      wire.world.passTime(5 * MINUTE_MS);
      const totp_code = wire.world.totpCodeFor(textOf(made, 'secret'));
      await wire.call(totps.authenticate, { totp_code, ...HOUR }, { session });
      await wire.call(totps.recoveryCodes, {}, { session });
    },
  },
];

export const USERS: readonly Script[] = [
  {
    title: 'users read and change themselves',
    run: async (wire) => {
      const session = await signIn(wire);
      await wire.call(users.me, null, { session });
      const name = { first_name: 'Ada', last_name: 'Lovelace' };
      await wire.call(users.update, { name, untrusted_metadata: { a: 1, b: { c: [2] } } }, { session });
      await wire.call(users.update, { name: { last_name: null }, untrusted_metadata: { a: null } }, { session });
      await wire.call(users.update, { name: { first_name: 7 } }, { session });
      await wire.call(users.update, { name: { first_name: 'x'.repeat(129) } }, { session });
      await wire.call(users.update, { untrusted_metadata: { constructor: 1 } }, { session });
      await wire.call(users.update, { untrusted_metadata: { long: 'x'.repeat(5000) } }, { session });
      await wire.call(users.update, { name: {} });
      await wire.call(users.search, { email: 'ada' });
      await wire.call(users.me, null, { session });
    },
  },
  {
    title: 'factors are removed, but not the last way in',
    run: async (wire) => {
      const session = await signIn(wire);
      const me = await wire.call(users.me, null, { session });
      const email_id = at(me, 'emails.0.email_id');
      await wire.call(users.deleteEmail, null, { session, params: { id: email_id } });
      const phone_number = '+14155552320';
      const { method_id } = await wire.call(otps.smsSendSecondary, { phone_number }, { session });
      const token = await wire.world.codeFor(phone_number);
      const added = await wire.call(otps.authenticate, { token, method_id, ...HOUR }, { session });
      const both = textOf(added, 'session_token');
      await wire.call(users.deleteEmail, null, { session: both, params: { id: email_id } });
      await wire.call(users.deleteEmail, null, { session: both, params: { id: email_id } });
      const phone_id = at(added, 'user.phone_numbers.0.phone_id');
      await wire.call(users.deletePhoneNumber, null, { session: both, params: { id: phone_id } });
      for (const endpoint of [
        users.deleteTOTP,
        users.deleteCryptoWallet,
        users.deleteOAuthRegistration,
        users.deleteWebauthnRegistration,
        users.deleteBiometricRegistration,
      ]) {
        await wire.call(endpoint, null, { session: both, params: { id: 'unknown' } });
        await wire.call(endpoint, null, { params: { id: 'unknown' } });
      }
    },
  },
  {
    title: 'factors are not removed without the second factor',
    run: async (wire) => {
      const { session } = await withTotp(wire);
      const weak = await signIn(wire);
      const me = await wire.call(users.me, null, { session });
      const id = at(me, 'totps.0.totp_id');
      await wire.call(users.deleteTOTP, null, { session: weak, params: { id } });
      await wire.call(users.deleteTOTP, null, { session, params: { id } });
      await wire.call(totps.recoveryCodes, {}, { session: weak });
    },
  },
];
