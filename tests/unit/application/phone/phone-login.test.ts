import { describe, expect, it } from 'vitest';
import { events, otps } from '#application/api/index.ts';
import { errorReply, offline } from '#kit/transport/fake-reply.ts';
import { asked, E164, LOCAL, openPhone, PHONES } from './open-phone.ts';

describe('logging in by telephone', () => {
  it.each(['sms', 'whatsapp'] as const)('goes by %s from the number over the passcode to the end', async (method) => {
    const { world, store, screen, heard, ...sent } = openPhone();
    store.send(asked({ method }));
    expect(store.getState().pending).toBe('phone/requested');
    await world.settle();
    expect(sent[method]()).toEqual([{ phone_number: E164, expiration_minutes: 5 }]);
    expect(screen()).toMatchObject({
      name: 'OTPAuthenticate',
      otp: { type: method, destination: E164, phone: { international: '+1 415 555 2671' } },
    });
    expect(world.server.inbox[0]).toMatchObject({ channel: method, to: E164 });
    store.send({ type: 'otp/codeEntered', code: world.server.inbox[0]?.code ?? '' });
    await world.settle();
    expect(screen().name).toBe('OTPConfirmation');
    expect(heard.map(({ type }) => type)).toEqual([
      'OTP_LOGIN_OR_CREATE',
      'OTP_AUTHENTICATE',
      'AUTHENTICATE_FLOW_COMPLETE',
    ]);
  });

  it('sends the configured minutes and locale, and no template of an email', async () => {
    const otpOptions = { ...PHONES.otpOptions, methods: ['sms'], expirationMinutes: 2, locale: 'pt-br' } as const;
    const { world, store, sms } = openPhone({ ...PHONES, otpOptions: { ...otpOptions, loginTemplateId: 'mail' } });
    store.send(asked());
    await world.settle();
    expect(sms()).toEqual([{ phone_number: E164, expiration_minutes: 2, locale: 'pt-br' }]);
  });

  it('resends by the same way to the same number', async () => {
    const { world, store, screen, sms, whatsapp } = openPhone();
    store.send(asked({ method: 'whatsapp' }));
    await world.settle();
    await world.clock.advance(60_000);
    store.send({ type: 'otp/resendRequested' });
    await world.settle();
    expect(whatsapp()).toHaveLength(2);
    expect(whatsapp()[1]).toEqual({ phone_number: E164, expiration_minutes: 5 });
    expect(sms()).toEqual([]);
    expect(screen()).toMatchObject({
      otp: {
        type: 'whatsapp',
        expiresAt: world.clock.now() + 300_000,
        phone: { country: 'US', international: '+1 415 555 2671' },
      },
    });
  });

  it('sends one request for ten presses', async () => {
    const { world, store, sms, phone } = openPhone();
    for (let press = 0; press < 10; press += 1) store.send(asked({ method: press % 2 ? 'whatsapp' : 'sms' }));
    await world.settle();
    expect(sms()).toHaveLength(1);
    expect(phone.asked).toEqual([`parse ${LOCAL}`]);
  });

  it('writes no number into the event log', async () => {
    const { world, store } = openPhone();
    store.send({ type: 'phone/edited', edit: 1, country: 'US', national: LOCAL });
    store.send(asked());
    await world.clock.advance(800);
    const logged = JSON.stringify(world.transport.requestsTo(events.log).map(({ body }) => body));
    expect(logged).toContain('render_login_screen');
    expect(logged.replaceAll(/\D/gu, '')).not.toContain('4155552671');
  });

  it('comes back to the entered number', async () => {
    const { world, store, screen } = openPhone();
    store.send(asked({ method: 'whatsapp', country: 'DE', national: '01512 3456789' }));
    await world.settle();
    store.send({ type: 'back' });
    expect(screen()).toEqual({
      name: 'Main',
      email: '',
      phone: { method: 'whatsapp', country: 'DE', national: '01512 3456789' },
    });
  });

  it.each([errorReply(400, 'unsubscribed_phone_number'), errorReply(400, 'invalid_phone_number'), offline()])(
    'says in the banner what the server refuses',
    async (answer) => {
      const { world, store, screen, errors } = openPhone();
      world.transport.answer(otps.smsLoginOrCreate, () => answer);
      store.send(asked());
      await world.settle();
      expect(screen().name).toBe('Main');
      expect(store.getState().error).toBe(errors[0]);
      expect(store.getState()).toMatchObject({ pending: null });
      expect(store.getState().phone?.invalid ?? false).toBe(false);
    },
  );
});

describe('a number that is none', () => {
  it.each(['415555', '', '  ', 'call me', '+', '+1 415'])(
    '%j is refused at the field, and nothing goes out',
    async (national) => {
      const { world, store, sms, errors } = openPhone();
      store.send({ type: 'phone/edited', edit: 1, country: 'US', national });
      store.send(asked({ national }));
      await world.settle();
      expect(store.getState()).toMatchObject({ pending: null, error: null, phone: { edit: 1, invalid: true } });
      expect(sms()).toEqual([]);
      expect(errors).toEqual([]);
      store.send({ type: 'phone/edited', edit: 2, country: 'US', national: LOCAL });
      expect(store.getState().phone?.invalid).toBe(false);
      store.send(asked({ edit: 2 }));
      await world.settle();
      expect(sms()).toHaveLength(1);
    },
  );
});
