import { suite, type TestRunner } from '../runner.ts';
import { factorsOf, HOUR, MINUTE_MS, openTab, refusalOf, signedIn, type MakeFlowWorld } from './world.ts';

/** Logging in by a passcode in a text, and adding numbers and addresses by passcode (specification, section 7). */
export function otpPhoneFlow({ describe, it, expect }: TestRunner, name: string, makeWorld: MakeFlowWorld): void {
  suite(
    { describe, it, expect },
    `passcodes by phone: ${name}`,
    () => makeWorld({}),
    (test) => {
      for (const channel of ['sms', 'whatsapp'] as const) {
        test(`sign up an unknown number by ${channel}, and log it in as the same user after`, async (world) => {
          const number = world.phoneNumber();
          const { client } = openTab(world);
          const { method_id } = await client.otps[channel].loginOrCreate(number);
          const first = await client.otps.authenticate(await world.codeFor(number), method_id, HOUR);
          expect(first.user.phone_numbers.map((phone) => [phone.phone_number, phone.verified])).toEqual([
            [number, true],
          ]);
          expect(first.session.authentication_factors.map((factor) => factor.delivery_method)).toEqual([channel]);
          const later = openTab(world).client;
          const sent = await later.otps[channel].send(number);
          const again = await later.otps.authenticate(await world.codeFor(number), sent.method_id, HOUR);
          expect(again.user_id).toBe(first.user_id);
        });
      }

      test('go to known numbers and addresses only, without a session', async (world) => {
        const { client } = openTab(world);
        expect(await refusalOf(client.otps.sms.send(world.phoneNumber()))).toBe('phone_number_not_found');
        expect(await refusalOf(client.otps.whatsapp.send(world.phoneNumber()))).toBe('phone_number_not_found');
        expect(await refusalOf(client.otps.email.send(world.address('nobody')))).toBe('email_not_found');
      });

      test('add a number to the signed-in user, and a factor to the session', async (world) => {
        const { client } = await signedIn(world);
        const number = world.phoneNumber();
        const before = client.session.getSync()?.session_id;
        const { method_id } = await client.otps.sms.send(number, { expiration_minutes: 5 });
        expect(client.user.getSync()?.phone_numbers).toEqual([]);
        const reply = await client.otps.authenticate(await world.codeFor(number), method_id, HOUR);
        expect(reply.user.phone_numbers.map((phone) => phone.phone_number)).toEqual([number]);
        expect(reply.session.session_id).toBe(before);
        expect(factorsOf(client)).toEqual(['otp', 'otp']);
      });

      test('add an address to the signed-in user', async (world) => {
        const ada = world.address('ada');
        const work = world.address('ada.work');
        const { client } = await signedIn(world, ada);
        world.passTime(1000);
        const { method_id } = await client.otps.email.send(work);
        const reply = await client.otps.authenticate(await world.codeFor(work), method_id, HOUR);
        expect(reply.user.emails.map(({ email, verified }) => [email, verified])).toEqual([
          [ada, true],
          [work, true],
        ]);
      });

      test('add nothing in the session of another user', async (world) => {
        const { client: ada } = await signedIn(world);
        const { client: eve } = await signedIn(world, world.address('eve'));
        const number = world.phoneNumber();
        const { method_id } = await ada.otps.sms.send(number);
        const code = await world.codeFor(number);
        expect(await refusalOf(eve.otps.authenticate(code, method_id, HOUR))).toBe('otp_code_not_found');
        expect((await eve.user.get())?.phone_numbers).toEqual([]);
      });

      test('add no number or address of another user', async (world) => {
        const grace = world.address('grace');
        const number = world.phoneNumber();
        const { client: owner } = await signedIn(world, grace);
        const { method_id } = await owner.otps.sms.send(number);
        await owner.otps.authenticate(await world.codeFor(number), method_id, HOUR);
        const { client: ada } = await signedIn(world);
        expect(await refusalOf(ada.otps.whatsapp.send(number))).toBe('duplicate_phone_number');
        expect(await refusalOf(ada.otps.email.send(grace))).toBe('duplicate_email');
      });

      test('add an address with which a stranger signed up, and end the sign-up', async (world) => {
        const work = world.address('ada.work');
        const password = 'seven correct horses stapled';
        const { client: stranger } = openTab(world);
        await stranger.passwords.create({ email: work, password, ...HOUR });
        const { client } = await signedIn(world);
        const { method_id } = await client.otps.email.send(work);
        const reply = await client.otps.authenticate(await world.codeFor(work), method_id, HOUR);
        expect(reply.user.emails.map(({ verified }) => verified)).toEqual([true, true]);
        expect(await refusalOf(stranger.session.authenticate())).toBe('unauthorized_credentials');
        const again = openTab(world).client.passwords.authenticate({ email: work, password, ...HOUR });
        expect(await refusalOf(again)).toBe('unauthorized_credentials');
      });

      test('take such an address from a stranger who proved a number, and leave the number', async (world) => {
        const work = world.address('ada.work');
        const number = world.phoneNumber();
        const { client: stranger } = openTab(world);
        await stranger.passwords.create({ email: work, password: 'seven correct horses stapled', ...HOUR });
        const sent = await stranger.otps.sms.send(number);
        await stranger.otps.authenticate(await world.codeFor(number), sent.method_id, HOUR);
        const { client } = await signedIn(world);
        const { method_id } = await client.otps.email.send(work);
        await client.otps.authenticate(await world.codeFor(work), method_id, HOUR);
        expect(await refusalOf(stranger.session.authenticate())).toBe('unauthorized_credentials');
        const { client: later } = openTab(world);
        const login = await later.otps.sms.loginOrCreate(number);
        const { user } = await later.otps.authenticate(await world.codeFor(number), login.method_id, HOUR);
        expect([user.emails, user.phone_numbers.length, user.password]).toEqual([[], 1, null]);
      });

      test('are refused for what is no number, no code, or out of time', async (world) => {
        const number = world.phoneNumber();
        const { client } = openTab(world);
        expect(await refusalOf(client.otps.sms.loginOrCreate('4155552671'))).toBe('invalid_phone_number');
        expect(await refusalOf(client.otps.sms.loginOrCreate(number, { expiration_minutes: 11 }))).toBe(
          'invalid_expiration_minutes',
        );
        const { method_id } = await client.otps.sms.loginOrCreate(number, { expiration_minutes: 1 });
        expect(await refusalOf(client.otps.authenticate('12345', method_id, HOUR))).toBe('invalid_code');
        world.passTime(MINUTE_MS + 1);
        const code = await world.codeFor(number);
        expect(await refusalOf(client.otps.authenticate(code, method_id, HOUR))).toBe('otp_code_not_found');
      });
    },
  );
}
