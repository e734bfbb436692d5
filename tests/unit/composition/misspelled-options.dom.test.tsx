import { createStytchUIClient } from '../../../src/composition/compat/ui-client.ts';
import { act } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type MountLoginOptions } from '../../../src/composition/ui-client.ts';
import { isRecord } from '../../../src/domain/shape.ts';
import type { StyleConfig } from '../../../src/domain/widget/theme.ts';
import type { MissingProof } from '../../../src/domain/sessions/mfa.ts';
import {
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
import { closeWidgets, open } from './mounted-login.ts';

afterEach(closeWidgets);

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
      passkeyOptions: of<PasskeyOptions>({
        link: true,
        offerAfterLogin: true,
        upgradeAfterLogin: true,
        signUp: true,
        extensions: true,
      }),
      sessionOptions: of<SessionOptions>({ sessionDurationMinutes: true }),
      accountOptions: of<AccountOptions>({ sections: true, signIn: true }),
      stepUp: { ...of<MissingProof>({ factors: true, reason: true }), factors: [], reason: 'too-old' },
      products: ['oauth', 'emailMagicLinks'],
      enableShadowDOM: false,
      defaultCountry: 'US',
      rememberLastMethod: true,
      helpUrl: '/help',
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
    const styles = of<StyleConfig>({
      preset: true,
      container: true,
      colors: true,
      buttons: true,
      inputs: true,
      fontFamily: true,
      hideHeaderText: true,
      logo: true,
    });
    act(() => void client.mountLogin({ ...(mount as object), elementId: '#login', config, styles }));
    await vi.waitFor(() => expect(tab.log.messages('warn').join()).toContain('There is no product "otps"'));
    expect(tab.log.messages('warn').filter((text) => text.startsWith('Of '))).toEqual([]);
  });
});

/** All sentences about the names of options are logged together. */
const SAID = /is no option|The login is empty|shows nothing/u;

describe('a login with a misspelled option', () => {
  const mountAndWarn = async (options: object) => {
    const { client, tab } = open();
    act(() => void client.mountLogin({ elementId: '#login', ...options }));
    await vi.waitFor(() => expect(tab.log.entries.some(({ message }) => SAID.test(message))).toBe(true));
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

  it('tells the developer each of them', async () => {
    const said = await mountAndWarn({ stlyes: {}, config: { product: [], otpOption: {}, products: ['otp'] } });
    expect(said).toEqual([
      'Of the mount, stlyes is no option. Did you mean styles?',
      'Of config, product is no option. Did you mean products?',
      'Of config, otpOption is no option. Did you mean otpOptions?',
    ]);
  });

  it('in its styles tells it once, however often the widget renders', async () => {
    const { client, tab } = open();
    const options = { elementId: '#login', config: { products: ['otp'] }, styles: { color: 'red' } } as never;
    for (let times = 0; times < 3; times += 1) act(() => void client.mountLogin(options));
    await vi.waitFor(() => expect(tab.log.messages('warn').join()).toContain('Did you mean'));
    expect([...tab.log.messages('warn')].sort()).toEqual([
      'Of styles, color is no option. Did you mean colors?',
      'styles.color is not valid and was ignored.',
    ]);
  });

  it.each([
    ['modrn', ' Did you mean modern?'],
    ['Ocean', ' Did you mean ocean?'],
    ['baroque', ''],
  ])('in the name of its preset tells it once: %s', async (preset, meant) => {
    const { client, tab } = open();
    const options = { elementId: '#login', config: { products: ['otp'] }, styles: { preset } } as never;
    for (let times = 0; times < 3; times += 1) act(() => void client.mountLogin(options));
    await vi.waitFor(() => expect(tab.log.messages('warn')).not.toEqual([]));
    act(() => void client.mountLogin(options));
    expect(tab.log.messages('warn')).toEqual([
      `styles.preset is '${preset}', not one of modern, soft, compact, paper, mono, warm, ocean, contrast.${meant} The default look is used.`,
    ]);
  });

  it('in its callbacks, or of another type, tells it once', async () => {
    const { client, tab } = open();
    const options = {
      elementId: '#login',
      config: { products: ['otp'], enableShadowDOM: 'yes', otpOptions: { expirationMinutes: 300 } },
      callbacks: { onevent: () => undefined, onError: 'console.log' },
    } as never;
    for (let times = 0; times < 3; times += 1) act(() => void client.mountLogin(options));
    await vi.waitFor(() => expect(tab.log.messages('warn').join()).toContain('onevent'));
    expect(tab.log.messages('warn')).toEqual([
      'config.enableShadowDOM must be true or false.',
      'config.otpOptions.expirationMinutes is 300: it must be a whole number of minutes from 1 to 10.',
      'Of callbacks, onevent is no option. Did you mean onEvent?',
      'callbacks.onError must be a function.',
    ]);
  });

  it.each(['mountAccount', 'mountPasskeyRegistration', 'mountIdentityProvider', 'mountResetPassword'] as const)(
    'of %s tells the developer, too',
    async (mount) => {
      const { client, tab } = open();
      const options = { elementId: '#login', config: { sessionOption: {} }, callbacks: { onEvents: () => undefined } };
      act(() => void client[mount](options as never));
      await vi.waitFor(() => expect(tab.log.messages('warn').join()).toContain('onEvents'));
      expect(tab.log.messages('warn')).toEqual(
        expect.arrayContaining([
          'Of config, sessionOption is no option. Did you mean sessionOptions?',
          'Of callbacks, onEvents is no option. Did you mean onEvent?',
        ]),
      );
    },
  );

  it('in the place of its element names the right one', () => {
    const { client } = open();
    expect(() => client.mountLogin({ element: '#login' } as never)).toThrow('no element matches elementId: undefined');
  });

  it('that are not there at all say what a mount needs', () => {
    const { client } = open();
    const compat = createStytchUIClient('public-token-test-1', { adapters: open().tab });
    const NAMES = ['Login', 'ResetPassword', 'PasskeyRegistration', 'Account', 'IdentityProvider'] as const;
    for (const owner of [client, compat] as unknown as Record<string, (options?: unknown) => unknown>[]) {
      for (const method of NAMES.map((name) => `mount${name}`).filter((name) => name in owner)) {
        for (const options of [[], [{}], [{ elementId: undefined }]]) {
          expect(() => owner[method]?.(...options)).toThrow(
            'Cannot mount the widget: no element matches elementId: undefined',
          );
        }
      }
    }
  });

  it.each([[['oauth']], [['oauth', 'otp']]])(
    'with products %j without a provider names what is missing',
    async (products) => {
      expect(await mountAndWarn({ config: { products } })).toContainEqual(
        expect.stringContaining('The product oauth shows nothing: oauthOptions.providers is missing'),
      );
    },
  );

  it.each(['help.example', 'javascript:alert(1)', ''])(
    'with the address %j for help says that no link shows',
    async (helpUrl) => {
      const unsafe = { config: { products: ['otp'], helpUrl } };
      expect(await mountAndWarn(unsafe)).toContainEqual(expect.stringContaining('config.helpUrl shows nothing'));
    },
  );

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
