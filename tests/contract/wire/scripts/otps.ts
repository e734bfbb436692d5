import { otps, sessions, totps } from '#application/api/index.ts';
import { HOUR, textOf, type Script } from '../wire.ts';
import { MINUTE_MS, otherThan, signIn, withTotp } from './people.ts';

export const OTPS: readonly Script[] = [
  {
    title: 'email passcodes sign up and log in, in the session that is presented',
    run: async (wire) => {
      const session = await signIn(wire);
      const again = await signIn(wire, 'ada', session);
      await wire.call(sessions.authenticate, {}, { session });
      await wire.call(sessions.authenticate, {}, { session: again });
      await signIn(wire, 'grace', again);
    },
  },
  {
    title: 'wrong, late, replaced and used passcodes say why they do not count',
    run: async (wire) => {
      const email = wire.address('ada');
      const enter = async (token: string, method_id: unknown, minutes = 60) =>
        wire.call(otps.authenticate, { token, method_id, session_duration_minutes: minutes });
      const send = async () => {
        const { method_id } = await wire.call(otps.emailLoginOrCreate, { email, expiration_minutes: 2 });
        return { method_id, code: await wire.world.codeFor(email) };
      };
      const [first, second, third, fourth] = [await send(), await send(), await send(), await send()];
      await enter('12345', fourth.method_id);
      await enter('１２３４５６', fourth.method_id);
      await enter(fourth.code, fourth.method_id, 4);
      await enter(fourth.code, 'email-test-unknown');
      for (let tries = 0; tries < 6; tries += 1) await enter(otherThan(third.code), third.method_id);
      await enter(first.code, fourth.method_id);
      await enter(second.code, fourth.method_id);
      await enter(second.code, second.method_id);
      const late = await send();
      wire.world.passTime(2 * MINUTE_MS);
      await enter(late.code, late.method_id);
    },
  },
  {
    title: 'sends are refused for what is no address, unknown, or out of range',
    run: async (wire) => {
      await wire.call(otps.emailLoginOrCreate, { email: 'ada' });
      await wire.call(otps.emailLoginOrCreate, { email: wire.address('ada'), expiration_minutes: 11 });
      await wire.call(otps.emailLoginOrCreate, { email: wire.address('ada'), expiration_minutes: 1.5 });
      await wire.call(otps.emailSendPrimary, { email: wire.address('nobody') });
      await wire.call(otps.emailLoginOrCreate, { email: 7 });
      await wire.call(otps.emailLoginOrCreate, {});
      await wire.call(otps.emailLoginOrCreate, {}, { raw: '{' });
      await wire.call(otps.emailLoginOrCreate, {}, { raw: '[]' });
      await wire.call(otps.authenticate, { token: '123456', method_id: 'x'.repeat(300), ...HOUR });
      await wire.call(otps.smsLoginOrCreate, { phone_number: '14155552671' });
      await wire.call(otps.smsSendPrimary, { phone_number: '+14155552999' });
      await wire.call(otps.smsLoginOrCreate, { phone_number: '+14155552998', autofill_session_duration_minutes: 1 });
      await wire.call(otps.whatsappLoginOrCreate, { phone_number: '+14155552998', expiration_minutes: 0 });
    },
  },
  {
    title: 'texts log in and add a number to the signed-in user',
    run: async (wire) => {
      const [mine, added] = ['+14155552301', '+14155552302'];
      const enter = async (to: string, method_id: unknown, session?: string) => {
        const token = await wire.world.codeFor(to);
        return textOf(await wire.call(otps.authenticate, { token, method_id, ...HOUR }, { session }), 'session_token');
      };
      const sent = await wire.call(otps.smsLoginOrCreate, { phone_number: mine, enable_autofill: true });
      const session = await enter(mine, sent['method_id']);
      const known = await wire.call(otps.whatsappSendPrimary, { phone_number: mine });
      await enter(mine, known['method_id']);
      const { method_id } = await wire.call(otps.whatsappSendSecondary, { phone_number: added }, { session });
      await enter(added, method_id);
      await enter(added, method_id, await signIn(wire, 'eve'));
      await enter(added, method_id, session);
      const eve = await signIn(wire, 'eve');
      await wire.call(otps.smsSendSecondary, { phone_number: mine }, { session: eve });
      await wire.call(otps.smsSendSecondary, { phone_number: '+14155552303' });
    },
  },
  {
    title: 'addresses are added by the user who asked, and only by them',
    run: async (wire) => {
      const session = await signIn(wire);
      const [second, eves] = [wire.address('second'), wire.address('eve')];
      const eve = await signIn(wire, 'eve');
      await wire.call(otps.emailSendSecondary, { email: eves }, { session });
      await wire.call(otps.emailSendSecondary, { email: second }, { session: 'nonsense' });
      const { method_id } = await wire.call(otps.emailSendSecondary, { email: second }, { session });
      const token = await wire.world.codeFor(second);
      await wire.call(otps.authenticate, { token, method_id, ...HOUR });
      await wire.call(otps.authenticate, { token, method_id, ...HOUR }, { session: eve });
      await wire.call(otps.authenticate, { token, method_id, ...HOUR }, { session });
    },
  },
  {
    title: 'an address is not added without the second factor',
    run: async (wire) => {
      const { session } = await withTotp(wire);
      const weak = await signIn(wire);
      const email = wire.address('second');
      await wire.call(otps.emailSendSecondary, { email }, { session: weak });
      const { method_id } = await wire.call(otps.emailSendSecondary, { email }, { session });
      const token = await wire.world.codeFor(email);
      await wire.call(otps.authenticate, { token, method_id, ...HOUR }, { session: weak });
      await wire.call(otps.authenticate, { token, method_id, ...HOUR }, { session });
      await wire.call(totps.recoveryCodes, {}, { session: weak });
    },
  },
];
