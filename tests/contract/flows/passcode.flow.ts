import { suite, type TestRunner } from '../runner.ts';
import { HOUR, MINUTE_MS, openClient, refusalOf, type MakeFlowWorld } from './world.ts';

const not = (code: string): string => (code === '123456' ? '654321' : '123456');

/** Logging in by an emailed passcode (specification, section 4). */
export function passcodeFlow({ describe, it, expect }: TestRunner, name: string, makeWorld: MakeFlowWorld): void {
  suite(
    { describe, it, expect },
    `passcode login: ${name}`,
    () => makeWorld({ pkceRequired: false }),
    (test) => {
      test('signs up an unknown address, and the session, user and tokens are there', async (world) => {
        const ada = world.address('ada');
        const client = openClient(world, world.newBrowser());
        const { method_id } = await client.otps.email.loginOrCreate(ada);
        const reply = await client.otps.authenticate(await world.codeFor(ada), method_id, HOUR);
        expect(client.session.getSync()).toEqual(reply.session);
        expect(client.user.getSync()).toEqual(reply.user);
        expect(reply.user.emails.map(({ email, verified }) => [email, verified])).toEqual([[ada, true]]);
        expect(client.session.getTokens()?.session_token).toBe(reply.session_token);
        expect(reply.session.authentication_factors.map(({ type }) => type)).toEqual(['otp']);
        client.destroy();
      });

      test('logs a known address in as the same user', async (world) => {
        const ada = world.address('ada');
        const browser = world.newBrowser();
        const ids: (string | undefined)[] = [];
        for (let login = 0; login < 2; login += 1) {
          const client = openClient(world, browser);
          const { method_id } = await client.otps.email.loginOrCreate(ada);
          ids.push((await client.otps.authenticate(await world.codeFor(ada), method_id, HOUR)).user_id);
          await client.session.revoke();
          client.destroy();
        }
        expect(ids[0]).toBe(ids[1]);
      });

      test('refuses a wrong code, and takes the right one after it', async (world) => {
        const ada = world.address('ada');
        const client = openClient(world, world.newBrowser());
        const { method_id } = await client.otps.email.loginOrCreate(ada);
        const code = await world.codeFor(ada);
        expect(await refusalOf(client.otps.authenticate(not(code), method_id, HOUR))).toBe('otp_code_not_found');
        expect(client.session.getSync()).toBe(null);
        await client.otps.authenticate(code, method_id, HOUR);
        client.destroy();
      });

      test('refuses even the right code after five wrong ones', async (world) => {
        const ada = world.address('ada');
        const client = openClient(world, world.newBrowser());
        const { method_id } = await client.otps.email.loginOrCreate(ada);
        const code = await world.codeFor(ada);
        for (let attempt = 0; attempt < 5; attempt += 1) {
          await refusalOf(client.otps.authenticate(not(code), method_id, HOUR));
        }
        expect(await refusalOf(client.otps.authenticate(code, method_id, HOUR))).toBe('otp_code_not_found');
        client.destroy();
      });

      test('refuses a code that was used or that expired, and takes one that a newer one followed', async (world) => {
        const ada = world.address('ada');
        const client = openClient(world, world.newBrowser());
        const used = await client.otps.email.loginOrCreate(ada);
        const usedCode = await world.codeFor(ada);
        await client.otps.authenticate(usedCode, used.method_id, HOUR);
        expect(await refusalOf(client.otps.authenticate(usedCode, used.method_id, HOUR))).toBe('otp_code_not_found');

        await client.otps.email.loginOrCreate(ada);
        const firstCode = await world.codeFor(ada);
        const again = await client.otps.email.loginOrCreate(ada);
        await client.otps.authenticate(firstCode, again.method_id, HOUR);
        const expired = await client.otps.email.loginOrCreate(ada, { expiration_minutes: 2 });
        world.passTime(2 * MINUTE_MS + 1);
        expect(await refusalOf(client.otps.authenticate(await world.codeFor(ada), expired.method_id, HOUR))).toBe(
          'otp_code_not_found',
        );
        client.destroy();
      });

      test('refuses an address that is none', async (world) => {
        const client = openClient(world, world.newBrowser());
        expect(await refusalOf(client.otps.email.loginOrCreate('ada@example'))).toBe('invalid_email');
        client.destroy();
      });
    },
  );
}
