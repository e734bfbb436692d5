import { otps, passwords, sessions, users } from '#application/api/index.ts';
import { HOUR, textOf, type Script, type Wire } from '../wire.ts';
import { CHALLENGE, EVIL, MINUTE_MS, OTHER_VERIFIER, signIn, VERIFIER, withTotp } from './people.ts';

const GOOD = 'correct horse battery 7!';
const BETTER = 'staple battery horse 9?';

async function withPassword(wire: Wire, who = 'ada'): Promise<string> {
  const session = await signIn(wire, who);
  return textOf(await wire.call(passwords.resetBySession, { password: GOOD }, { session }), 'session_token');
}

export const PASSWORDS: readonly Script[] = [
  {
    title: 'passwords sign up, log in and add a factor',
    run: async (wire) => {
      const email = wire.address('ada');
      await wire.call(users.search, { email });
      await wire.call(passwords.create, { email, password: GOOD, ...HOUR });
      await wire.call(users.search, { email });
      await wire.call(passwords.create, { email, password: GOOD, ...HOUR });
      const login = await wire.call(passwords.authenticate, { email, password: GOOD, ...HOUR });
      const session = textOf(login, 'session_token');
      await wire.call(passwords.authenticate, { email, password: GOOD, ...HOUR }, { session });
    },
  },
  {
    title: 'wrong, weak, breached and endless passwords are refused',
    run: async (wire) => {
      const email = wire.address('ada');
      await wire.call(passwords.create, { email, password: 'short', ...HOUR });
      await wire.call(passwords.create, { email, password: '12345678', ...HOUR });
      await wire.call(passwords.create, { email, password: 'x'.repeat(4097), ...HOUR });
      await wire.call(passwords.create, { email: 'ada', password: GOOD, ...HOUR });
      await wire.call(passwords.create, { email, password: GOOD, session_duration_minutes: 1 });
      await wire.call(passwords.authenticate, { email, password: GOOD, ...HOUR });
      await signIn(wire);
      await wire.call(passwords.create, { email, password: GOOD, ...HOUR });
      await wire.call(users.search, { email });
      await wire.call(passwords.strengthCheck, { password: GOOD });
      await wire.call(passwords.strengthCheck, { password: 'aB1', email });
      await wire.call(passwords.strengthCheck, { password: 'password' });
      await wire.call(passwords.strengthCheck, { email });
    },
  },
  {
    title: 'whoever proves an address that another prepared must reset the password',
    run: async (wire) => {
      const email = wire.address('ada');
      const prepared = await wire.call(passwords.create, { email, password: GOOD, ...HOUR });
      const session = textOf(prepared, 'session_token');
      await wire.call(users.update, { name: { first_name: 'Eve' }, untrusted_metadata: { a: 1 } }, { session });
      await signIn(wire);
      await wire.call(sessions.authenticate, {}, { session });
      await wire.call(passwords.authenticate, { email, password: GOOD, ...HOUR });
    },
  },
  {
    title: 'a reset by email sets a password, ends other sessions and works once',
    run: async (wire) => {
      const email = wire.address('ada');
      const before = await withPassword(wire);
      await wire.call(passwords.resetByEmailStart, { email: wire.address('nobody') });
      await wire.call(passwords.resetByEmailStart, { email });
      const token = await wire.world.tokenFor(email, 'reset_password');
      await wire.call(passwords.resetByEmailCheck, { token });
      await wire.call(passwords.resetByEmail, { token, password: 'short', ...HOUR });
      await wire.call(passwords.resetByEmail, { token, password: BETTER, ...HOUR });
      await wire.call(passwords.resetByEmailCheck, { token });
      await wire.call(sessions.authenticate, {}, { session: before });
      await wire.call(passwords.authenticate, { email, password: GOOD, ...HOUR });
      await wire.call(passwords.authenticate, { email, password: BETTER, ...HOUR });
    },
  },
  {
    title: 'resets by email are held to their proof key, their time and registered pages',
    run: async (wire) => {
      const email = wire.address('ada');
      await signIn(wire);
      await wire.call(passwords.resetByEmailStart, { email, reset_password_redirect_url: EVIL });
      await wire.call(passwords.resetByEmailStart, { email, login_redirect_url: EVIL });
      await wire.call(passwords.resetByEmailStart, { email, reset_password_expiration_minutes: 1 });
      await wire.call(passwords.resetByEmailStart, { email, login_expiration_minutes: 1 });
      await wire.call(passwords.resetByEmailStart, { email: 'ada' });
      const start = { email, code_challenge: CHALLENGE, reset_password_expiration_minutes: 5 };
      await wire.call(passwords.resetByEmailStart, start);
      const token = await wire.world.tokenFor(email, 'reset_password');
      const reset = async (extras: object) =>
        wire.call(passwords.resetByEmail, { token, password: BETTER, ...HOUR, ...extras });
      await reset({});
      await reset({ code_verifier: OTHER_VERIFIER });
      wire.world.passTime(5 * MINUTE_MS);
      await reset({ code_verifier: VERIFIER });
    },
  },
  {
    title: 'a reset by the old password or in a session needs the second factor, where there is one',
    run: async (wire) => {
      const { session } = await withTotp(wire);
      const email = wire.address('ada');
      const body = { email, existing_password: GOOD, new_password: BETTER, ...HOUR };
      await wire.call(passwords.resetByExistingPassword, body);
      await wire.call(passwords.resetBySession, { password: GOOD }, { session: await signIn(wire) });
      const set = await wire.call(passwords.resetBySession, { password: GOOD, ...HOUR }, { session });
      await wire.call(passwords.resetByExistingPassword, body);
      await wire.call(passwords.resetByExistingPassword, body, { session: textOf(set, 'session_token') });
      await wire.call(passwords.resetBySession, { password: GOOD });
    },
  },
  {
    title: 'a new password ends other sessions and keeps the one that set it',
    run: async (wire) => {
      const session = await withPassword(wire);
      const other = await signIn(wire);
      const email = wire.address('ada');
      const reset = { email, existing_password: GOOD, new_password: BETTER, ...HOUR };
      await wire.call(passwords.resetByExistingPassword, { ...reset, new_password: 'short' });
      const set = await wire.call(passwords.resetByExistingPassword, reset, { session });
      await wire.call(sessions.authenticate, {}, { session: other });
      await wire.call(sessions.authenticate, {}, { session: textOf(set, 'session_token') });
      const { method_id } = await wire.call(otps.smsLoginOrCreate, { phone_number: '+14155552310' });
      const token = await wire.world.codeFor('+14155552310');
      const phone = await wire.call(otps.authenticate, { token, method_id, ...HOUR });
      await wire.call(passwords.resetBySession, { password: GOOD }, { session: textOf(phone, 'session_token') });
    },
  },
];
