import { suite, type TestRunner } from '../runner.ts';
import { HOUR, openClient, openTab, refusalOf, signedIn, signIn, type MakeFlowWorld } from './world.ts';

/** What users change of themselves (specification, section 7). */
export function userAccountFlow({ describe, it, expect }: TestRunner, name: string, makeWorld: MakeFlowWorld): void {
  suite(
    { describe, it, expect },
    `the user: ${name}`,
    () => makeWorld({}),
    (test) => {
      test('changes name and metadata, part by part, here and in the other tabs', async (world) => {
        const browser = world.newBrowser();
        const here = openClient(world, browser);
        await signIn(world, here);
        const there = openClient(world, browser);
        const reply = await here.user.update({
          name: { first_name: 'Ada', last_name: 'King' },
          untrusted_metadata: { theme: 'dark', size: 2 },
        });
        expect('__user' in reply).toBe(false);
        expect(reply.emails).toEqual(here.user.getSync()?.emails);
        await here.user.update({ name: { last_name: 'Lovelace' }, untrusted_metadata: { size: null } });
        const { name: called, untrusted_metadata } = there.user.getSync() ?? {};
        expect([called?.first_name, called?.last_name]).toEqual(['Ada', 'Lovelace']);
        expect(untrusted_metadata).toEqual({ theme: 'dark' });
        expect(await here.user.get()).toEqual(there.user.getSync());
      });

      test('notifies listeners of every change, and only of changes', async (world) => {
        const { client } = await signedIn(world);
        const heard: (string | undefined)[] = [];
        const end = client.user.onChange((user) => heard.push(user?.name.first_name));
        await client.user.update({ name: { first_name: 'Ada' } });
        await client.user.get();
        end();
        await client.user.update({ name: { first_name: 'Augusta' } });
        expect(heard).toEqual(['Ada']);
      });

      test('is null while no user is signed in', async (world) => {
        const { client } = openTab(world);
        expect(await client.user.get()).toBe(null);
        expect(await refusalOf(client.user.update({ name: { first_name: 'Ada' } }))).toBe('user_unauthenticated');
        expect(await refusalOf(client.user.deleteEmail('email-test-1'))).toBe('user_unauthenticated');
      });

      test('removes addresses, numbers and apps, and learns what is left', async (world) => {
        const { client } = await signedIn(world);
        const number = world.phoneNumber();
        const { method_id } = await client.otps.sms.send(number);
        await client.otps.authenticate(await world.codeFor(number), method_id, HOUR);
        const { totp_id, secret } = await client.totps.create({ expiration_minutes: 5 });
        await client.totps.authenticate({ totp_code: world.totpCodeFor(secret), ...HOUR });
        const { user_id = '', emails = [], phone_numbers = [] } = client.user.getSync() ?? {};
        const reply = await client.user.deleteEmail(emails[0]?.email_id ?? '');
        expect([reply.user_id, reply.user.emails, '__user' in reply]).toEqual([user_id, [], false]);
        await client.user.deleteTOTP(totp_id);
        expect([client.user.getSync()?.emails, client.user.getSync()?.totps]).toEqual([[], []]);
        expect(client.user.getSync()?.phone_numbers).toEqual(phone_numbers);
      });

      test('removes wallets, passkeys and social logins', async (world) => {
        const { client, tab } = await signedIn(world);
        const { sign, ...wallet } = world.signer('ethereum');
        const { challenge } = await client.cryptoWallets.authenticateStart(wallet);
        await client.cryptoWallets.authenticate({ ...wallet, signature: sign(challenge), ...HOUR });
        const { webauthn_registration_id } = await client.webauthn.register();
        const email = client.user.getSync()?.emails[0]?.email ?? '';
        await client.oauth.google.start();
        const url = await world.comeBack(tab.browser.navigations.at(-1) ?? '', email);
        const { user } = await client.oauth.authenticate(url.searchParams.get('token') ?? '', HOUR);
        await client.user.deleteCryptoWallet(user.crypto_wallets[0]?.crypto_wallet_id ?? '');
        await client.user.deleteWebauthnRegistration(webauthn_registration_id);
        await client.user.deleteOAuthRegistration(user.providers[0]?.oauth_user_registration_id ?? '');
        const left = await client.user.get();
        expect([left?.crypto_wallets, left?.webauthn_registrations, left?.providers]).toEqual([[], [], []]);
      });

      test('keeps the last way in', async (world) => {
        const { client } = await signedIn(world);
        const { email_id = '' } = client.user.getSync()?.emails[0] ?? {};
        expect(await refusalOf(client.user.deleteEmail(email_id))).toBe('cannot_delete_last_factor');
        expect((await client.user.get())?.emails.length).toBe(1);
      });

      test('removes nothing that is unknown, or belongs to another user', async (world) => {
        const { client } = await signedIn(world);
        const { client: grace } = await signedIn(world, world.address('grace'));
        const { email_id = '' } = grace.user.getSync()?.emails[0] ?? {};
        const { user } = client;
        expect(await refusalOf(user.deleteEmail(email_id))).toBe('email_not_found');
        expect(await refusalOf(user.deletePhoneNumber('none'))).toBe('phone_number_not_found');
        expect(await refusalOf(user.deleteTOTP('none'))).toBe('totp_not_found');
        expect(await refusalOf(user.deleteCryptoWallet('none'))).toBe('crypto_wallet_not_found');
        expect(await refusalOf(user.deleteOAuthRegistration('none'))).toBe('oauth_registration_not_found');
        expect(await refusalOf(user.deleteWebauthnRegistration('none'))).toBe('webauthn_registration_not_found');
        expect(await refusalOf(user.deleteBiometricRegistration('none'))).toBe('biometric_registration_not_found');
      });
    },
  );
}
