import { createStytchUIClient } from '#composition/compat/ui-client.ts';
import { act } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { closeWidgets, open } from './mounted-login.ts';

afterEach(closeWidgets);

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
