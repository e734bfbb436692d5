import { describe, expect, it } from 'vitest';
import { loginWidget } from '#application/widget/widgets.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { openLogin, openWidget } from './open-widget.ts';
import { TestWorld } from './world.ts';

const OTP: LoginConfig = { products: ['otp'], otpOptions: { methods: ['email', 'sms'] } };
const LINKS: LoginConfig = { products: ['emailMagicLinks'] };
const PASSWORDS: LoginConfig = { products: ['passwords', 'emailMagicLinks'] };
const ADA = 'ada@example.com';
const MINUTE_MS = 60_000;

async function atPasscode(world = new TestWorld()) {
  const opened = openLogin(OTP, { world });
  opened.store.send({ type: 'otp/requested', method: 'email', destination: ADA });
  await world.settle();
  expect(opened.screen().name).toBe('OTPAuthenticate');
  return opened;
}

/** Loads the page of a tab again; a reload removes no widget first. */
const reload = ({ world, ports }: { world: TestWorld; ports: ReturnType<TestWorld['tab']> }, config = OTP) =>
  openLogin(config, { world, tab: ports });

describe('a page that is loaded again', () => {
  it('returns to the passcode, which is valid there, and forgets it after the login', async () => {
    const before = await atPasscode();
    const after = reload(before);
    expect(after.screen()).toEqual(before.screen());
    after.store.send({ type: 'otp/codeEntered', code: before.world.server.inbox[0]?.code ?? '' });
    await before.world.settle();
    expect(after.screen()).toEqual({ name: 'OTPConfirmation' });
    expect(reload(before).screen().name).toBe('Main');
  });

  it('returns to the passcode for a telephone number, with the way back to its field', async () => {
    const before = openLogin(OTP);
    before.store.send({ type: 'phone/requested', method: 'sms', edit: 1, country: 'US', national: '2025550123' });
    await before.world.settle();
    expect(before.screen()).toMatchObject({ name: 'OTPAuthenticate', otp: { destination: '+12025550123' } });
    const after = reload(before);
    expect(after.screen()).toEqual(before.screen());
    after.store.send({ type: 'back' });
    await after.world.settle();
    expect(after.screen()).toMatchObject({ name: 'Main', phone: { method: 'sms' } });
  });

  it('returns to the notice of a link, for half an hour', async () => {
    const before = openLogin(LINKS);
    before.store.send({ type: 'magicLink/requested', email: ADA });
    await before.world.settle();
    expect(reload(before, LINKS).screen()).toEqual({ name: 'EmailConfirmation', email: ADA });
    before.world.clock.jump(30 * MINUTE_MS);
    expect(reload(before, LINKS).screen().name).toBe('Main');
  });

  it('starts anew once the code has expired, after the way back, and in another tab', async () => {
    const before = await atPasscode();
    expect(openLogin(OTP, { world: before.world }).screen().name).toBe('Main');
    before.world.clock.jump(6 * MINUTE_MS);
    expect(reload(before).screen().name).toBe('Main');

    const left = await atPasscode();
    left.store.send({ type: 'back' });
    expect(reload(left).screen().name).toBe('Main');
  });

  it('starts anew with a session, and with other products', async () => {
    const before = await atPasscode();
    expect(reload(before, { products: ['oauth'] }).screen().name).toBe('Main');
    const { client } = before.world.open({ telemetry: false });
    await before.world.signIn(client, 'bo@example.com');
    expect(reload(before).screen().name).toBe('Main');
  });

  it.each<[string, LoginConfig]>([
    ['passwords alone', { products: ['passwords'] }],
    ['passwords and links', PASSWORDS],
    ['codes for telephones', { products: ['otp'], otpOptions: { methods: ['sms'] } }],
    ['codes beside links', { products: ['otp', 'emailMagicLinks'] }],
  ])(
    'starts anew in a login with %s, which has no code by email, and returns on the page that has it',
    async (_, other) => {
      const before = await atPasscode();
      const elsewhere = reload(before, other);
      expect(elsewhere.screen()).toEqual({ name: 'Main', email: '' });
      elsewhere.store.send({ type: 'wallet/othersOpened' });
      elsewhere.store.send({ type: 'back' });
      await before.world.settle();
      expect(elsewhere.screen().name).toBe('Main');
      expect(reload(before).screen()).toEqual(before.screen());
    },
  );

  it('starts anew with a link of a login that has links, in one that has none', async () => {
    const before = openLogin(LINKS);
    before.store.send({ type: 'magicLink/requested', email: ADA });
    await before.world.settle();
    for (const products of [['otp'], ['passwords']] as const)
      expect(reload(before, { products }).screen().name).toBe('Main');
    expect(reload(before, PASSWORDS).screen()).toEqual(before.screen());
  });

  it('starts anew after a login elsewhere in the app and a logout', async () => {
    const before = await atPasscode();
    const again = before.world.open({ telemetry: false, adapters: before.ports });
    await before.world.signIn(again.client, 'bo@example.com');
    await again.client.session.revoke();
    expect(reload(before).screen().name).toBe('Main');
  });

  it('starts anew when the host mounts the widget again in the same page', async () => {
    const { widget, services } = await atPasscode();
    widget.destroy();
    const options = { config: OTP, callbacks: {} };
    expect(loginWidget(services, options).store.getState().screen.name).toBe('Main');
  });

  it('returns to the step also where React mounts twice, as it does in development', async () => {
    const before = await atPasscode();
    const { widget, services } = reload(before);
    widget.destroy();
    const options = { config: OTP, callbacks: {} };
    expect(loginWidget(services, options).store.getState().screen).toEqual(before.screen());
  });

  it('shows the reset form on the page of a reset email, whatever was kept', async () => {
    const before = await atPasscode();
    const make = (...given: Parameters<typeof loginWidget>) => loginWidget(given[0], given[1], 'reset');
    const after = openWidget((services, options) => make(services, options), PASSWORDS, {
      world: before.world,
      tab: before.ports,
    });
    expect(after.screen()).toMatchObject({ name: 'PasswordResetForm' });
  });

  it('keeps no code, token or password', async () => {
    const { ports, services, world } = await atPasscode();
    const kept = ports.tabStorage.get(services.keys.storage('step'));
    expect(kept).toContain(ADA);
    expect(kept).not.toContain(world.server.inbox[0]?.code);
  });

  it('ignores what it did not write itself', async () => {
    const { ports, services, world, screen } = await atPasscode();
    const key = services.keys.storage('step');
    const good = ports.tabStorage.get(key) ?? '';
    const until = world.clock.now() + MINUTE_MS;
    const kept = screen();
    const damaged = [
      '',
      'null',
      '[]',
      good.slice(0, -1),
      JSON.stringify({ screen: kept }),
      JSON.stringify({ screen: kept, until: 'soon' }),
      JSON.stringify({ screen: null, until }),
      ...[
        { name: 'Account' },
        { name: 'toString' },
        { name: 'OTPAuthenticate' },
        { ...kept, otp: { type: 'email', methodId: 'a', destination: {}, expiresAt: until } },
        { ...kept, otp: { type: 'fax', methodId: 'a', destination: ADA, expiresAt: until } },
        { ...kept, otp: { type: 'sms', methodId: 'a', destination: ADA, expiresAt: until, phone: 7 } },
        { name: 'EmailConfirmation', email: { toString: 1 } },
        { name: 'PasswordCreateOrLogin', email: ADA, userType: 'passwordless', message: { kind: 'code' } },
        { name: 'PasswordCreateOrLogin', email: ADA, userType: 'new' },
        { name: 'PasswordDedupe', email: ADA, reason: 'none' },
      ].map((strange) => JSON.stringify({ screen: strange, until })),
    ];
    for (const value of damaged) {
      ports.tabStorage.set(key, value);
      expect([value, reload({ world, ports }, { ...PASSWORDS, products: ['passwords', 'otp'] }).screen()]).toEqual([
        value,
        { name: 'Main', email: '' },
      ]);
    }
    ports.tabStorage.set(key, good);
    expect(reload({ world, ports }).screen()).toEqual(kept);
  });
});
