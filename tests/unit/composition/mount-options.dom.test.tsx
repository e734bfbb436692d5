import { act, cleanup, render } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { idp, sessions } from '../../../src/application/api/index.ts';
import { Login, PorticoProvider } from '../../../src/composition/react.tsx';
import { PorticoUIClient, type MountLoginOptions } from '../../../src/composition/ui-client.ts';
import { isRecord } from '../../../src/domain/shape.ts';
import type { MissingProof } from '../../../src/domain/sessions/mfa.ts';
import {
  ConfigError,
  type AccountOptions,
  type EmailMagicLinksOptions,
  type LoginConfig,
  type OAuthOptions,
  type OAuthProviderOptions,
  type OTPOptions,
  type PasskeyOptions,
  type PasswordOptions,
  type SessionOptions,
} from '../../../src/domain/widget/widget-config.ts';
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
  });

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
    [{ oauthOptions: { providers: [], layout: 3 } }, 'config.oauthOptions.layout must be a string'],
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
    await vi.waitFor(() => expect(warnings()).toHaveLength(3));
    const known = 'there are emailMagicLinks, oauth, otp, crypto, passwords, passkeys';
    expect(warnings()).toEqual([
      `There is no product "otps"; ${known}.`,
      `There is no product "constructor"; ${known}.`,
      'There is no delivery method "mail"; there are sms, whatsapp, email.',
    ]);
  });
});

describe('a login with every option', () => {
  type CompleteOptions<T> = Required<{ [Name in keyof T]: T[Name] extends object | undefined ? object : unknown }>;
  const of = <T,>(names: Readonly<Record<keyof T & string, true>>): object => names;

  it('has no name that is called misspelled: a new one that is missing here does not compile', async () => {
    const { client, tab } = open();
    const types = {
      emailMagicLinksOptions: of<EmailMagicLinksOptions>({
        loginRedirectURL: true,
        loginExpirationMinutes: true,
        signupRedirectURL: true,
        signupExpirationMinutes: true,
        loginTemplateId: true,
        signupTemplateId: true,
        createUserAsPending: true,
        domainHint: true,
        locale: true,
      }),
      oauthOptions: {
        ...of<OAuthOptions>({ providers: true, loginRedirectURL: true, signupRedirectURL: true, layout: true }),
        layout: 'row',
        providers: [
          {
            ...of<OAuthProviderOptions>({
              type: true,
              custom_scopes: true,
              provider_params: true,
              one_tap: true,
              position: true,
              cancel_on_tap_outside: true,
            }),
            type: 'github',
          },
        ],
      },
      otpOptions: {
        ...of<OTPOptions>({
          methods: true,
          expirationMinutes: true,
          loginTemplateId: true,
          signupTemplateId: true,
          locale: true,
        }),
        methods: ['sms'],
      },
      passwordOptions: of<PasswordOptions>({
        loginRedirectURL: true,
        loginExpirationMinutes: true,
        resetPasswordRedirectURL: true,
        resetPasswordExpirationMinutes: true,
        resetPasswordTemplateId: true,
        suggestPassphrase: true,
        locale: true,
      }),
      passkeyOptions: of<PasskeyOptions>({ link: true, offerAfterLogin: true }),
      sessionOptions: of<SessionOptions>({ sessionDurationMinutes: true }),
      accountOptions: of<AccountOptions>({ sections: true, signIn: true }),
      stepUp: { ...of<MissingProof>({ factors: true, reason: true }), factors: [], reason: 'too-old' },
      products: ['oauth', 'emailMagicLinks'],
      enableShadowDOM: false,
      defaultCountry: 'US',
      rememberLastMethod: true,
    } satisfies CompleteOptions<LoginConfig>;
    for (const part of Object.values(types)) {
      if (isRecord(part))
        for (const name of Object.keys(part)) if (name.endsWith('Minutes')) Object.assign(part, { [name]: 5 });
    }
    const mount: Record<Exclude<keyof MountLoginOptions, 'elementId' | 'config'>, undefined> = {
      styles: undefined,
      callbacks: undefined,
      strings: undefined,
      language: undefined,
    };
    const config = { ...types, products: ['otps'] } as never;
    act(() => void client.mountLogin({ ...(mount as object), elementId: '#login', config }));
    await vi.waitFor(() => expect(tab.log.messages('warn')).not.toEqual([]));
    expect(tab.log.messages('warn').filter((text) => text.startsWith('Of '))).toEqual([]);
    expect(tab.log.messages('warn')[0]).toContain('There is no product "otps"');
  });
});

describe('a login with a misspelled option', () => {
  const mountAndWarn = async (options: object) => {
    const { client, tab } = open();
    act(() => void client.mountLogin({ elementId: '#login', ...options }));
    await vi.waitFor(() => expect(tab.log.entries.length).toBeGreaterThan(0));
    return tab.log.entries.map(({ message }) => message);
  };

  it.each([
    [{ style: {} }, 'Of the mount, style is no option. Did you mean styles?'],
    [{ callback: {} }, 'Of the mount, callback is no option. Did you mean callbacks?'],
    [{ config: { product: ['otp'] } }, 'Of config, product is no option. Did you mean products?'],
    [
      { config: { products: ['otp'], otpOptions: { method: ['email'] } } },
      'Of config.otpOptions, method is no option. Did you mean methods?',
    ],
    [
      { config: { sessionOptions: { sessionDuration: 5 } } },
      'Of config.sessionOptions, sessionDuration is no option. Did you mean sessionDurationMinutes?',
    ],
    [
      { config: { products: ['oauth'], oauthOptions: { providers: [{ type: 'google', onetap: true }] } } },
      'Of an OAuth provider, onetap is no option. Did you mean one_tap?',
    ],
  ])('%j tells the developer', async (options, message) => {
    expect(await mountAndWarn(options)).toContain(message);
  });

  it.each([
    [{ config: { products: [] } }],
    [{ config: { products: ['oauth'] } }],
    [{ config: { products: ['otps'] } }],
    [{ config: { products: ['otp'], otpOptions: { methods: ['mail'] } } }],
  ])('that leaves it empty tells the developer: %j', async (options) => {
    expect((await mountAndWarn(options)).at(-1)).toContain('The login is empty');
  });

  it('of an id names the likely selector', () => {
    const { client } = open();
    expect(() => client.mountLogin({ elementId: 'login' })).toThrow("Did you mean '#login'?");
  });
});

describe('the place of a widget', () => {
  it('may be an element, or a shadow root', async () => {
    const { client } = open();
    const element = document.querySelector('#login') as Element;
    const root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
    for (const elementId of [element, root]) {
      act(() => void client.mountLogin({ elementId }));
      act(() => void client.mountLogin({ elementId }));
      await vi.waitFor(() => expect(elementId.querySelectorAll('input[type=email]')).toHaveLength(1));
    }
  });

  it('may be in a shadow root, as a component', async () => {
    const { client } = open();
    const container = document.body
      .appendChild(document.createElement('div'))
      .attachShadow({ mode: 'open' })
      .appendChild(document.createElement('div'));
    render(<Login client={client} />, { container });
    await vi.waitFor(() => expect(container.querySelectorAll('input[type=email]')).toHaveLength(1));
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
    });
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
    });
  });
});
