import { suite, type TestRunner } from '../runner.ts';
import {
  HOUR,
  MINUTE_MS,
  openClient,
  openTab,
  refusalOf,
  signedIn,
  type FlowWorld,
  type MakeFlowWorld,
} from './world.ts';

const OLD = 'correct horse battery 7!';
const NEW = 'a long and winding road 9?';

/** Somebody who has a password, and is in some browser. */
async function withPassword(world: FlowWorld) {
  const email = world.address('ada');
  const { client } = await signedIn(world, email);
  await client.passwords.resetBySession({ password: OLD });
  return { client, email };
}

/** Setting a new password by email (specification, sections 4 and 7). */
export function passwordResetFlow({ describe, it, expect }: TestRunner, name: string, makeWorld: MakeFlowWorld): void {
  suite(
    { describe, it, expect },
    `password reset: ${name}`,
    () => makeWorld({}),
    (test) => {
      test('sets the new password in whatever browser the link is opened, and signs in', async (world) => {
        const { client, email } = await withPassword(world);
        await client.passwords.resetByEmailStart({ email });
        const opening = openTab(world).client;
        const token = await world.tokenFor(email, 'reset_password');
        await opening.passwords.resetByEmail({ token, password: NEW, ...HOUR });
        expect(opening.user.getSync()?.user_id).toBe(client.user.getSync()?.user_id);
        const later = openTab(world).client;
        expect(await refusalOf(later.passwords.authenticate({ email, password: OLD, ...HOUR }))).toBe(
          'unauthorized_credentials',
        );
        await later.passwords.authenticate({ email, password: NEW, ...HOUR });
      });

      test('ends the sessions that there were, and every link that was on its way', async (world) => {
        const { client, email } = await withPassword(world);
        await client.magicLinks.email.loginOrCreate(email);
        const link = await world.tokenFor(email);
        await client.passwords.resetByEmailStart({ email });
        const token = await world.tokenFor(email, 'reset_password');
        const instead = await world.tokenFor(email, 'login');
        const opening = openTab(world).client;
        await opening.passwords.resetByEmail({ token, password: NEW, ...HOUR });
        expect(await refusalOf(client.session.authenticate())).toBe('unauthorized_credentials');
        expect(await refusalOf(opening.magicLinks.authenticate(link, HOUR))).toBe('unable_to_auth_magic_link');
        expect(await refusalOf(opening.magicLinks.authenticate(instead, HOUR))).toBe('unable_to_auth_magic_link');
      });

      test('offers to log in without a password instead', async (world) => {
        const { client, email } = await withPassword(world);
        await client.passwords.resetByEmailStart({ email });
        const opening = openTab(world).client;
        await opening.magicLinks.authenticate(await world.tokenFor(email, 'login'), HOUR);
        expect(opening.user.getSync()?.user_id).toBe(client.user.getSync()?.user_id);
      });

      test('takes no link of another purpose', async (world) => {
        const { client, email } = await withPassword(world);
        await client.magicLinks.email.loginOrCreate(email);
        const link = await world.tokenFor(email);
        await client.passwords.resetByEmailStart({ email });
        const token = await world.tokenFor(email, 'reset_password');
        const asReset = { token: link, password: NEW, ...HOUR };
        expect(await refusalOf(client.passwords.resetByEmail(asReset))).toBe('unable_to_auth_magic_link');
        await client.passwords.resetByEmail({ token, password: NEW, ...HOUR });
      });

      test('logs in without a new password by its own link, which is used up, and leaves the password', async (world) => {
        const { client, email } = await withPassword(world);
        await client.passwords.resetByEmailStart({ email });
        const token = await world.tokenFor(email, 'reset_password');
        const opening = openTab(world).client;
        await opening.magicLinks.authenticate(token, HOUR);
        expect(opening.user.getSync()?.user_id).toBe(client.user.getSync()?.user_id);
        const again = { token, password: NEW, ...HOUR };
        expect(await refusalOf(opening.passwords.resetByEmail(again))).toBe('unable_to_auth_magic_link');
        await openTab(world).client.passwords.authenticate({ email, password: OLD, ...HOUR });
      });

      test('keeps the authenticator app, which the session then has to use again', async (world) => {
        const { client, email } = await withPassword(world);
        const { secret } = await client.totps.create({ expiration_minutes: 5 });
        await client.totps.authenticate({ totp_code: world.totpCodeFor(secret), ...HOUR });
        await client.passwords.resetByEmailStart({ email });
        const token = await world.tokenFor(email, 'reset_password');
        await client.passwords.resetByEmail({ token, password: NEW, ...HOUR });
        expect(client.user.getSync()?.totps.length).toBe(1);
        expect(await refusalOf(client.totps.recoveryCodes())).toBe('mfa_required');
        world.passTime(MINUTE_MS / 2);
        await client.totps.authenticate({ totp_code: world.totpCodeFor(secret), ...HOUR });
        expect((await client.totps.recoveryCodes()).totps.length).toBe(1);
      });

      test('works once, in time, and not before the new password is good enough', async (world) => {
        const { client, email } = await withPassword(world);
        await client.passwords.resetByEmailStart({ email });
        const token = await world.tokenFor(email, 'reset_password');
        expect(await refusalOf(client.passwords.resetByEmail({ token, password: 'ada', ...HOUR }))).toBe(
          'weak_password',
        );
        await client.passwords.resetByEmail({ token, password: NEW, ...HOUR });
        const again = { token, password: OLD, ...HOUR };
        expect(await refusalOf(client.passwords.resetByEmail(again))).toBe('unable_to_auth_magic_link');
        await client.passwords.resetByEmailStart({ email, reset_password_expiration_minutes: 5 });
        const late = { token: await world.tokenFor(email, 'reset_password'), password: OLD, ...HOUR };
        world.passTime(5 * MINUTE_MS + 1);
        expect(await refusalOf(client.passwords.resetByEmail(late))).toBe('unable_to_auth_magic_link');
      });

      test('does not reveal which addresses are known, and accepts registered URLs only', async (world) => {
        const { client, email } = await withPassword(world);
        const nobody = { email: world.address('nobody') };
        expect((await client.passwords.resetByEmailStart(nobody)).status_code).toBe(200);
        const elsewhere = { email, reset_password_redirect_url: 'https://evil.example/' };
        expect(await refusalOf(client.passwords.resetByEmailStart(elsewhere))).toBe(
          'no_match_for_provided_magic_link_url',
        );
      });
    },
  );

  suite(
    { describe, it, expect },
    `password reset with a proof key: ${name}`,
    () => makeWorld({ pkceRequired: true }),
    (test) => {
      test('works where it began, after a reload too', async (world) => {
        const { email } = await withPassword(world);
        const browser = world.newBrowser();
        const asking = openClient(world, browser);
        await asking.passwords.resetByEmailStart({ email });
        asking.destroy();
        const opening = openClient(world, browser);
        const token = await world.tokenFor(email, 'reset_password');
        await opening.passwords.resetByEmail({ token, password: NEW, ...HOUR });
        expect(opening.session.getSync() === null).toBe(false);
      });

      test('logs in by its own link with a proof key that only its browser has', async (world) => {
        const { email } = await withPassword(world);
        const browser = world.newBrowser();
        const asking = openClient(world, browser);
        await asking.passwords.resetByEmailStart({ email });
        await asking.magicLinks.authenticate(await world.tokenFor(email, 'reset_password'), HOUR);
        expect(asking.session.getSync() === null).toBe(false);
      });

      test('is refused in another browser, and is not spent by that', async (world) => {
        const { email } = await withPassword(world);
        const { client: asking } = openTab(world);
        const { client: other } = openTab(world);
        await asking.passwords.resetByEmailStart({ email });
        const token = await world.tokenFor(email, 'reset_password');
        const reset = { token, password: NEW, ...HOUR };
        expect(await refusalOf(other.passwords.resetByEmail(reset))).toBe('pkce_expected_code_verifier');
        await asking.passwords.resetByEmail(reset);
      });

      test('works by the first of two emails', async (world) => {
        const { client, email } = await withPassword(world);
        await client.passwords.resetByEmailStart({ email });
        const token = await world.tokenFor(email, 'reset_password');
        await client.passwords.resetByEmailStart({ email });
        await client.passwords.resetByEmail({ token, password: NEW, ...HOUR });
      });

      test('opens the email’s login link with the same key, and separate links with theirs', async (world) => {
        const { client, email } = await withPassword(world);
        await client.passwords.resetByEmailStart({ email });
        await client.magicLinks.email.loginOrCreate(email);
        const link = await world.tokenFor(email);
        await client.magicLinks.authenticate(link, HOUR);
        await client.passwords.resetByEmailStart({ email });
        await client.magicLinks.authenticate(await world.tokenFor(email, 'login'), HOUR);
      });
    },
  );
}
