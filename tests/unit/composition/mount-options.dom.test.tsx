import { act, cleanup, render } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { idp, sessions } from '../../../src/application/api/index.ts';
import { Login, PorticoProvider } from '../../../src/composition/react.tsx';
import { PorticoUIClient } from '../../../src/composition/ui-client.ts';
import { ConfigError, type LoginConfig } from '../../../src/domain/widget-config.ts';
import { loadPart } from '../../../src/presentation/parts/load-part.ts';
import { consentWorld, PROFILE, REQUEST } from '../application/consent/open-consent.ts';
import { TestWorld, TOKEN } from '../application/world.ts';

const clients: PorticoUIClient[] = [];
for (const part of ['login', 'phones', 'consent'] as const) await loadPart(part);

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
  for (const client of clients.splice(0)) client.destroy();
});

function open(world = new TestWorld(), href = 'http://localhost:3000/') {
  const tab = world.tab(href);
  const client = new PorticoUIClient(TOKEN, { adapters: tab, telemetry: false });
  clients.push(client);
  document.body.append(Object.assign(document.createElement('div'), { id: 'login' }));
  return { world, tab, client };
}

const shown = (): string => document.querySelector('#login')?.textContent ?? '';
const shows = (text: string) =>
  vi.waitFor(async () => {
    await act(() => new Promise<void>((done) => void setTimeout(done, 10)));
    expect(document.body.textContent).toContain(text);
  }, 5_000);

describe('a login', () => {
  it('without a config shows email magic links', async () => {
    const { client } = open();
    act(() => void client.mountLogin({ elementId: '#login' }));
    await shows('Sign up or log in');
    expect(document.querySelectorAll('#login input[type=email]')).toHaveLength(1);
  });

  it('as a component needs no config either', async () => {
    const { client } = open();
    render(
      <PorticoProvider client={client}>
        <Login />
      </PorticoProvider>,
    );
    await shows('Sign up or log in');
  });

  it.each<[string, LoginConfig, string]>([
    ['by email', { products: ['otp'] }, 'email'],
    ['by email, with options', { products: ['otp'], otpOptions: { expirationMinutes: 5 } }, 'email'],
    ['by email, with null for options', { products: ['otp'], otpOptions: null as never }, 'email'],
  ])('with passcodes of no named method sends them %s', async (_, config, type) => {
    const { client } = open();
    act(() => void client.mountLogin({ elementId: '#login', config }));
    await shows('Sign up or log in');
    expect(document.querySelectorAll(`#login input[type=${type}]`)).toHaveLength(1);
  });

  it('with email magic links beside passcodes of no named method sends those by text', async () => {
    const { client } = open();
    act(() => void client.mountLogin({ elementId: '#login', config: { products: ['emailMagicLinks', 'otp'] } }));
    await shows('Text');
  });

  it.each([
    ['login', 'config must be an object'],
    [{ products: 'otp' }, 'config.products must be an array of strings'],
    [{ otpOptions: [] }, 'config.otpOptions must be an object'],
    [{ products: ['otp'], otpOptions: { methods: 'sms' } }, 'config.otpOptions.methods must be an array of strings'],
    [{ oauthOptions: { providers: [null] } }, 'config.oauthOptions.providers must be an array of objects'],
    [
      { sessionOptions: { sessionDurationMinutes: '5' } },
      'config.sessionOptions.sessionDurationMinutes must be a number',
    ],
    [{ otpOptions: { expirationMinutes: '5' } }, 'config.otpOptions.expirationMinutes must be a number'],
    [
      { emailMagicLinksOptions: { signupExpirationMinutes: '5' } },
      'config.emailMagicLinksOptions.signupExpirationMinutes must be a number',
    ],
    [
      { passwordOptions: { resetPasswordExpirationMinutes: '5' } },
      'config.passwordOptions.resetPasswordExpirationMinutes must be a number',
    ],
  ])('with %j as its config is refused by name', (config, message) => {
    const { client } = open();
    const mounts = [
      () => client.mountLogin({ elementId: '#login', config: config as never }),
      () => client.mountResetPassword({ elementId: '#login', config: config as never, passwordResetToken: 't' }),
    ];
    for (const mount of mounts) expect(mount).toThrow(new ConfigError(message));
    expect(shown()).toBe('');
  });

  it.each([[undefined], [{}], [null], [5], ['#nowhere'], ['##']])('for %j as its elementId is refused', (elementId) => {
    const { client } = open();
    expect(() => client.mountLogin({ elementId: elementId as never })).toThrow(
      'Cannot mount the widget: no element matches the selector ',
    );
  });

  it('warns once of each product and delivery method that does not exist', async () => {
    const { client, tab } = open();
    const products = ['otp', 'otps', 'constructor'] as never;
    const config: LoginConfig = { products, otpOptions: { methods: ['email', 'mail' as never] } };
    act(() => void client.mountLogin({ elementId: '#login', config }));
    const warnings = () => tab.log.messages('warn').filter((text) => text.startsWith('There is no '));
    await vi.waitFor(() => expect(warnings()).toHaveLength(3), 5_000);
    const known = 'there are emailMagicLinks, oauth, otp, crypto, passwords, passkeys';
    expect(warnings()).toEqual([
      `There is no product "otps"; ${known}.`,
      `There is no product "constructor"; ${known}.`,
      'There is no delivery method "mail"; there are sms, whatsapp, email.',
    ]);
  });
});

describe('a consent page', () => {
  const href = `http://localhost:3000/authorize?${new URLSearchParams(REQUEST).toString()}`;

  it.each([
    [undefined, 'framed'],
    [true, 'asked'],
  ])('with allowFraming %j in a frame is %s', async (allowFraming, outcome) => {
    const world = consentWorld();
    await world.signIn(world.open().client);
    const { tab, client } = open(world, href);
    tab.browser.isFramed = true;
    act(() => void client.mountIdentityProvider({ elementId: '#login', ...(allowFraming && { allowFraming }) }));
    await vi.waitFor(async () => {
      await act(() => world.settle());
      expect(world.transport.requestsTo(idp.authorizeStart)).toHaveLength(outcome === 'asked' ? 1 : 0);
      // Allow, Deny, and another account.
      expect(document.querySelectorAll('#login button').length).toBe(outcome === 'asked' ? 3 : 0);
    }, 5_000);
  });

  it.each([
    [undefined, 60],
    [{ sessionDurationMinutes: 15 }, 15],
  ])('with sessionOptions %j makes a session of %i minutes of a trusted token', async (sessionOptions, minutes) => {
    const world = consentWorld();
    const { client } = open(world, href);
    const options = {
      elementId: '#login',
      authTokenParams: {
        trustedAuthToken: world.server.trustedToken(PROFILE, 'eve@example.com'),
        tokenProfileID: PROFILE,
      },
    };
    act(() => void client.mountIdentityProvider({ ...options, ...(sessionOptions && { config: { sessionOptions } }) }));
    await vi.waitFor(async () => {
      await act(() => world.settle());
      expect(world.transport.requestsTo(sessions.attest)[0]?.body).toMatchObject({ session_duration_minutes: minutes });
    }, 5_000);
  });
});
