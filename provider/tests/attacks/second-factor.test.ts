import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER_DATABASE, type Fields, type Provider, type ProviderResponse } from '../kit/harness.ts';
import {
  APP,
  codeOf,
  consent,
  enrolTotp,
  makeTarget,
  MINUTES,
  passkey,
  phone,
  plantAll,
  secondAddress,
  uniqueEmail,
  wallet,
  WAYS_IN,
} from './attacker.ts';

const PASSWORD = 'correct horse battery staple';
const OTHER = 'a wholly different phrase of mine';

describe.each(EITHER_DATABASE)(
  'an attacker who has the password of a user with an authenticator app, on %s',
  (_, url) => {
    let provider: Provider;
    let email: string;
    let user: Fields;
    let app: Awaited<ReturnType<typeof enrolTotp>>;
    let session: string;

    /** An owner with one factor of each kind, and a thief who knows the password. */
    beforeAll(async () => {
      provider = await makeTarget(url);
      email = uniqueEmail('guarded');
      const { session_token } = await provider.signIn(email);
      const first = { session: String(session_token) };
      const set = await provider.post('/passwords/session/reset', { password: PASSWORD }, first);
      const planted = [wallet, passkey, phone, secondAddress].map((make) => make(provider));
      app = await enrolTotp(provider, await plantAll(set.data['session_token'], planted));
      user = (await provider.call('GET', '/users/me', undefined, { session: app.session })).data;
      session = await logIn();
    });
    afterAll(() => provider.close());

    const logIn = async (): Promise<string> => {
      const { data } = await provider.post('/passwords/authenticate', { email, password: PASSWORD, ...MINUTES });
      return String(data['session_token']);
    };

    const expectRefused = ({ status, body }: ProviderResponse): void => {
      expect([status, body['error_type']]).toEqual([403, 'mfa_required']);
      expect(body['error_message']).toContain('authenticator app');
    };

    it('the recovery codes stay hidden', async () => {
      const reply = await provider.post('/totps/recovery_codes', {}, { session });
      expectRefused(reply);
      for (const code of app.recovery_codes) expect(JSON.stringify(reply.body)).not.toContain(code);
    });

    it('the attacker removes nothing, the authenticator app included', async () => {
      const paths = [
        `/users/totps/${app.totp_id}`,
        `/users/emails/${user['emails'][1].email_id}`,
        `/users/phone_numbers/${user['phone_numbers'][0].phone_id}`,
        `/users/crypto_wallets/${user['crypto_wallets'][0].crypto_wallet_id}`,
        `/users/webauthn_registrations/${user['webauthn_registrations'][0].webauthn_registration_id}`,
      ];
      for (const path of paths) expectRefused(await provider.call('DELETE', path, undefined, { session }));
      const { data } = await provider.call('GET', '/users/me', undefined, { session });
      expect({ ...data, request_id: '' }).toEqual({ ...user, request_id: '' });
    });

    it('the attacker renames no passkey', async () => {
      const { webauthn_registration_id } = user['webauthn_registrations'][0];
      const path = `/webauthn/update/${webauthn_registration_id}`;
      expectRefused(await provider.call('PUT', path, { name: 'theirs' }, { session }));
    });

    it('the attacker adds no other login method', async () => {
      const starts: readonly [string, object][] = [
      ['/crypto_wallets/authenticate/start/secondary', { crypto_wallet_type: 'ethereum', crypto_wallet_address: `0x${'1'.repeat(40)}` }],
      ['/webauthn/register/start', { domain: 'localhost', return_passkey_credential_options: true }],
      ['/otps/sms/send/secondary', { phone_number: '+14155550199' }],
      ['/otps/whatsapp/send/secondary', { phone_number: '+14155550199' }],
      ['/otps/email/send/secondary', { email: uniqueEmail('added') }],
      ['/magic_links/email/send/secondary', { email: uniqueEmail('added') }],
    ]; // prettier-ignore
      for (const [path, body] of starts) expectRefused(await provider.post(path, body, { session }));
      expectRefused(await consent(provider, session));
    });

    it('a session without the second factor cannot finish what the owner began', async () => {
      for (const make of WAYS_IN) {
        const finish = await make(provider).begin(app.session);
        expectRefused(await finish(session));
      }
    });

    it('the attacker changes the password neither by session nor with the old one', async () => {
      expectRefused(await provider.post('/passwords/session/reset', { password: OTHER }, { session }));
      const body = { email, existing_password: PASSWORD, new_password: OTHER, ...MINUTES };
      expectRefused(await provider.post('/passwords/existing_password/reset', body, { session }));
      expectRefused(await provider.post('/passwords/existing_password/reset', body));
      expect(await logIn()).toMatch(/./u);
    });

    it('the second factor of another user’s session gives the attacker nothing', async () => {
      const other = await provider.signIn(uniqueEmail('other'));
      const theirs = await enrolTotp(provider, other['session_token']);
      const body = { email, existing_password: PASSWORD, new_password: OTHER, ...MINUTES };
      expectRefused(await provider.post('/passwords/existing_password/reset', body, { session: theirs.session }));
    });

    it('the attacker cannot add a second authenticator app', async () => {
      const { body } = await provider.post('/totps', { expiration_minutes: 60 }, { session });
      expect(body['error_type']).toBe('mfa_required');
    });

    it('a code or a recovery code lets the owner do all of this', async () => {
      const entered = await provider.post(
        '/totps/authenticate',
        { totp_code: codeOf(provider, app.secret), ...MINUTES },
        { session: await logIn() },
      );
      const recovered = await provider.post(
        '/totps/recover',
        { recovery_code: app.recovery_codes[0], ...MINUTES },
        { session: await logIn() },
      );
      for (const { data } of [entered, recovered]) {
        const shown = await provider.post('/totps/recovery_codes', {}, { session: data['session_token'] });
        expect(shown.status).toBe(200);
        expect(shown.data['totps'][0].totp_id).toBe(app.totp_id);
      }
      const consented = await consent(provider, String(recovered.data['session_token']));
      expect(consented.status).toBe(200);
      const apps = await provider.call('GET', '/users/connected_apps', undefined, {
        session: String(recovered.data['session_token']),
      });
      expect(JSON.stringify(apps.data)).toContain(APP);
      const path = `/users/totps/${app.totp_id}`;
      const removed = await provider.call('DELETE', path, undefined, { session: entered.data['session_token'] });
      expect(removed.status).toBe(200);
      expect((await provider.post('/totps/recovery_codes', {}, { session: await logIn() })).status).toBe(200);
    });
  },
);
