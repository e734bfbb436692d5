import { suite, type TestRunner } from '../runner.ts';
import { HOUR, openTab, signedIn, type MakeFlowWorld } from './world.ts';

const keysOf = (value: object | undefined): readonly string[] => Object.keys(value ?? {}).sort();
const BASE = ['request_id', 'status_code'];
const AUTHENTICATED = ['session', 'session_jwt', 'session_token', 'user', 'user_id'];

/** What replies carry: the fields that the wire documents, and no more than those. */
export function repliesFlow({ describe, it, expect }: TestRunner, name: string, makeWorld: MakeFlowWorld): void {
  suite(
    { describe, it, expect },
    `replies: ${name}`,
    () => makeWorld({}),
    (test) => {
      test('of logins carry the user, the session and its tokens', async (world) => {
        const { client } = openTab(world);
        const email = world.address('ada');
        const sent = await client.otps.email.loginOrCreate(email);
        expect(keysOf(sent)).toEqual(['method_id', ...BASE]);
        expect([sent.status_code, sent.request_id.startsWith('request-id-')]).toEqual([200, true]);
        const reply = await client.otps.authenticate(await world.codeFor(email), sent.method_id, HOUR);
        expect(keysOf(reply)).toEqual([...AUTHENTICATED, 'method_id', ...BASE].sort());
        expect(keysOf(reply.session)).toEqual([
          'attributes',
          'authentication_factors',
          'custom_claims',
          'expires_at',
          'last_accessed_at',
          'roles',
          'session_id',
          'started_at',
          'user_id',
        ]);
        expect(keysOf(await client.session.authenticate())).toEqual([...AUTHENTICATED, ...BASE].sort());
        expect(keysOf(await client.session.revoke())).toEqual(BASE);
      });

      test('of the user carry every list, and nothing of the transport', async (world) => {
        const { client } = await signedIn(world);
        expect(keysOf((await client.user.get()) ?? {})).toEqual([
          'biometric_registrations',
          'created_at',
          'crypto_wallets',
          'emails',
          'name',
          'password',
          'phone_numbers',
          'providers',
          'roles',
          'status',
          'totps',
          'trusted_metadata',
          'untrusted_metadata',
          'user_id',
          'webauthn_registrations',
        ]);
        const changed = await client.user.update({ untrusted_metadata: { a: 1 } });
        expect(keysOf(changed)).toEqual(['crypto_wallets', 'emails', 'phone_numbers', ...BASE, 'user_id']);
      });

      test('of everything that is registered have the same fields', async (world) => {
        const { client, tab } = await signedIn(world);
        const number = world.phoneNumber();
        const { method_id } = await client.otps.sms.send(number);
        await client.otps.authenticate(await world.codeFor(number), method_id, HOUR);
        await client.passwords.resetBySession({ password: 'correct horse battery 7!' });
        const passkey = await client.webauthn.register({ is_passkey: true });
        expect(keysOf(passkey)).toEqual([...AUTHENTICATED, 'webauthn_registration_id', ...BASE].sort());
        const { sign, ...wallet } = world.signer('ethereum');
        const { challenge } = await client.cryptoWallets.authenticateStart(wallet);
        const signed = await client.cryptoWallets.authenticate({ ...wallet, signature: sign(challenge), ...HOUR });
        expect(keysOf(signed)).toEqual([...AUTHENTICATED, ...BASE].sort());
        await client.oauth.google.start();
        const [email] = signed.user.emails;
        const url = await world.comeBack(tab.browser.navigations.at(-1) ?? '', email?.email ?? '');
        const social = await client.oauth.authenticate(url.searchParams.get('token') ?? '', HOUR);
        const more = ['locale', 'profile_picture_url', 'provider_subject', 'provider_type', 'provider_values'];
        expect(keysOf(social)).toEqual([...AUTHENTICATED, ...more, ...BASE].sort());
        const values = ['access_token', 'expires_at', 'id_token', 'refresh_token', 'scopes'];
        expect(keysOf(social.provider_values)).toEqual(values);
        // A new login method or password ends an enrolment that is not verified yet.
        const totp = await client.totps.create({ expiration_minutes: 5 });
        expect(keysOf(totp)).toEqual(
          ['qr_code', 'recovery_codes', 'secret', 'totp_id', 'user', 'user_id', ...BASE].sort(),
        );
        const user = (await client.user.get()) ?? social.user;
        expect(keysOf(user.emails[0])).toEqual(['email', 'email_id', 'verified']);
        expect(keysOf(user.phone_numbers[0])).toEqual(['phone_id', 'phone_number', 'verified']);
        expect(keysOf(user.totps[0])).toEqual(['totp_id', 'verified']);
        expect(keysOf(user.password ?? {})).toEqual(['password_id', 'requires_reset']);
        expect(keysOf(user.crypto_wallets[0])).toEqual([
          'crypto_wallet_address',
          'crypto_wallet_id',
          'crypto_wallet_type',
          'verified',
        ]);
        expect(keysOf(user.webauthn_registrations[0])).toEqual([
          'aaguid',
          'attested',
          'authenticator_type',
          'backed_up',
          'backup_eligible',
          'created_at',
          'domain',
          'last_used_at',
          'model',
          'name',
          'user_agent',
          'verified',
          'webauthn_registration_id',
        ]);
        expect(keysOf(user.providers[0])).toEqual([
          'locale',
          'oauth_user_registration_id',
          'profile_picture_url',
          'provider_subject',
          'provider_type',
        ]);
        const types = ['otp', 'otp', 'password', 'webauthn', 'crypto', 'oauth'];
        expect(social.session.authentication_factors.map(({ type }) => type)).toEqual(types);
        expect(social.session.authentication_factors.map((factor) => keysOf(factor).join())).toEqual(
          [
            'email_factor',
            'phone_number_factor',
            '',
            'webauthn_factor',
            'crypto_wallet_factor',
            'google_oauth_factor',
          ].map((detail) =>
            ['created_at', 'delivery_method', 'last_authenticated_at', 'type', 'updated_at', detail]
              .filter((field) => field !== '')
              .sort()
              .join(),
          ),
        );
      });
    },
  );
}
