import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  errorToStytchError,
  NoCurrentSessionError,
  SDKAPIUnreachableError,
  StytchAPIError,
  StytchAPISchemaError,
  StytchAPIUnreachableError,
  StytchError,
  StytchHeadlessClient,
  StytchSDKAPIError,
  StytchSDKError,
  StytchSDKUsageError,
  UserCancellationError,
} from 'portico/compat';
import { clientOptions } from '#composition/compat/client-options.ts';
import { consentOptions, loginOptions } from '#composition/compat/options.ts';
import { stringsOf } from '#composition/compat/strings.ts';
import { defaultDarkTheme, defaultTheme, styleToTheme, stylesOfTheme } from '#composition/compat/theme.ts';
import { SDKAPIError, SDKAPIUnreachableError as Unreachable, SDKSchemaError, SDKUsageError } from 'portico/headless';
import { nativeError } from '#domain/native-errors.ts';
import { contrast, rgbOf, themeOf } from '#domain/widget/theme.ts';
import { de } from '#presentation/messages/de/login.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { TestWorld, TOKEN } from '../application/world.ts';

const LIVE = 'public-token-live-1';

const FIELDS = { status_code: 401, error_type: 'invalid_code', error_message: 'No.', error_url: '' };

describe('the error classes', () => {
  it('know what a client throws by what it is', () => {
    const api = new SDKAPIError(FIELDS);
    const kinds = [StytchAPIError, StytchAPISchemaError, StytchAPIUnreachableError, StytchSDKUsageError];
    const which = (error: unknown) => kinds.map((kind) => error instanceof kind);
    expect(which(api)).toEqual([true, false, false, false]);
    expect(which(new SDKSchemaError([]))).toEqual([false, true, false, false]);
    expect(which(new Unreachable('network'))).toEqual([false, false, true, false]);
    expect(which(new SDKUsageError('a', 'b'))).toEqual([false, false, false, true]);
    expect(which(new Error('no'))).toEqual([false, false, false, false]);
    expect([api instanceof StytchSDKAPIError, api instanceof StytchError, api instanceof StytchSDKError]).toEqual([
      true,
      true,
      false,
    ]);
    expect(new Unreachable('network') instanceof SDKAPIUnreachableError).toBe(true);
    class OwnError extends StytchAPIError {}
    expect([api instanceof OwnError, new OwnError(FIELDS) instanceof StytchAPIError]).toEqual([false, true]);
  });

  it('can be made, and made of anything', () => {
    expect(new StytchAPIError(FIELDS)).toMatchObject({ name: 'StytchAPIError', ...FIELDS });
    expect(StytchAPIError.from(new Error('Odd'))).toMatchObject({
      error_type: 'unknown_error',
      error_message: 'Odd',
    });
    const api = new SDKAPIError(FIELDS);
    expect(StytchAPIError.from(api)).toBe(api);
  });

  it('distinguish native errors by their names', () => {
    const thrown = nativeError('no_current_session');
    expect([thrown instanceof NoCurrentSessionError, thrown instanceof UserCancellationError]).toEqual([true, false]);
    expect(new UserCancellationError()).toBeInstanceOf(StytchSDKError);
    expect(errorToStytchError({ code: 'user_cancellation' }) instanceof UserCancellationError).toBe(true);
    expect(errorToStytchError({ code: 'user_cancellation' }) instanceof NoCurrentSessionError).toBe(false);
    expect(errorToStytchError({ code: 'user_cancellation' }).name).toBe('UserCancellationError');
    expect(errorToStytchError(new Error('?')).name).toBe('InternalError');
  });
});

/** Texts of the reference that no text of ours says: what it is about is said otherwise, or is not there. */
const UNSAID: ReadonlySet<string> = new Set([
  'button.edit',
  'button.hidePassword',
  'crypto.setupNewWallet.content',
  'crypto.troubleHelp',
  'crypto.wallet.binance',
  'crypto.wallet.coinbase',
  'crypto.wallet.metamask',
  'crypto.wallet.otherEthereum',
  'crypto.wallet.otherSolana',
  'crypto.wallet.phantom',
  'crypto.wallet.vessel',
  'emailConfirmation.emailSent',
  'formField.countryCode.label',
  'link.openInGmail',
  'link.openInOutlook',
  'link.openInYahoo',
  'password.createAccount.title',
  'password.didntGetItResend',
  'password.requirement.suggestion',
  'password.requirement.warning',
  'password.setPassword.title',
  'password.strength',
  'password.strength.requirementsNotMet',
  'watermark.altText',
]);

describe('strings', () => {
  /** The English texts by their keys: the packages carry them for whoever translates them. */
  const textsOf = (name: string): Readonly<Record<string, string>> =>
    Object.fromEntries(
      [
        ...readFileSync(join(ROOT, 'node_modules', name, 'messages/en.po'), 'utf8').matchAll(
          /^msgid "(.+)"\nmsgstr ((?:".*"\n?)+)/gmu,
        ),
      ].map(([, key, text]) => [key ?? '', [...(text ?? '').matchAll(/"(.*)"/gu)].map(([, line]) => line).join('')]),
    );
  const texts = textsOf('vendor-client-v5');

  it('of every key of the reference are ours, but for what is listed', () => {
    const both = { ...textsOf('@stytch/vanilla-js'), ...texts };
    expect(Object.keys(both).length).toBeGreaterThan(190);
    const unsaid = Object.entries(both).filter(([key, text]) => {
      const ours = Object.keys(stringsOf({ [key]: text }) ?? {});
      return ours.length === 0 || !ours.every((key) => Object.hasOwn(de, key));
    });
    expect(unsaid.map(([key]) => key).sort()).toEqual([...UNSAID].sort());
  });

  it('are read in their notation', () => {
    const { 'passcode.sentConfirmation': sent = '', 'password.strengthError.minimumLength': least = '' } = texts;
    expect(sent).toContain('<bold>');
    const ours = stringsOf({
      'passcode.sentConfirmation': sent,
      'password.strengthError.minimumLength': least,
      'passcode.expirationCountdown': 'Noch {timeRemaining}',
      'main.title': 'Ours',
      'a.key.of.nobody': 'Kept',
    });
    expect(ours).toEqual({
      'otp.sent': 'A 6-digit passcode was sent to you at {destination}.',
      'strength.length': 'Must be at least {n} characters long',
      'otp.expiresIn': 'Noch {time}',
      'main.title': 'Ours',
      'a.key.of.nobody': 'Kept',
    });
    expect(stringsOf(undefined)).toBeUndefined();
    expect(stringsOf({ 'login.title': undefined })).toEqual({});
  });

  it('for providers are one where they differ in its name alone, and are kept for the warning where not', () => {
    const google = { 'oauth.continueWithGoogle': 'Weiter mit Google' };
    expect(stringsOf(google)).toEqual({ 'oauth.continue': 'Weiter mit {provider}' });
    expect(stringsOf({ ...google, 'oauth.continueWithGitHub': 'Weiter mit GitHub' })).toEqual({
      'oauth.continue': 'Weiter mit {provider}',
    });
    const two = { ...google, 'oauth.continueWithGitHub': 'GitHub nehmen' };
    expect(stringsOf(two)).toEqual(two);
  });
});

describe('looks', () => {
  it.each([
    ['light', defaultTheme],
    ['dark', defaultDarkTheme],
  ])('of the default theme for the %s pass every check, and can be read', (_, theme) => {
    const warnings: string[] = [];
    const { tokens } = themeOf(stylesOfTheme(theme), (message) => warnings.push(message));
    expect(warnings).toEqual([]);
    expect(tokens.get('--portico-container-width')).toBe('400px');
    const pairs = [
      ['foreground', 'background', 4.5],
      ['primary-foreground', 'primary', 4.5],
      ['muted-foreground', 'background', 4.5],
      ['destructive', 'background', 4.5],
      ['success', 'background', 4.5],
      ['input', 'background', 3],
    ] as const;
    for (const [one, other, least] of pairs) {
      const ratio = contrast(rgbOf(theme[one]) ?? [0, 0, 0], rgbOf(theme[other]) ?? [0, 0, 0]);
      expect(ratio, `${one} on ${other}`).toBeGreaterThanOrEqual(least);
    }
  });

  it('of 5.x are a theme, and back', () => {
    const styles = { container: { width: '410px' }, buttons: { primary: { backgroundColor: '#123456' } } };
    const { theme, options } = styleToTheme({ ...styles, hideHeaderText: true, logo: { logoImageUrl: '/l.png' } });
    expect(stylesOfTheme(theme)).toMatchObject(styles);
    expect(options).toEqual({ hideHeaderText: true, logo: { url: '/l.png', alt: '' } });
  });
});

describe('options', () => {
  it('of 6.x name one address for live and test', () => {
    for (const token of [LIVE, TOKEN]) {
      expect(clientOptions(token, { customBaseUrl: 'login.example.com', keepSessionAlive: false })).toEqual({
        apiUrl: 'login.example.com',
        endpointOptions: {},
      });
    }
    const endpointOptions = { testApiDomain: 'http://localhost:4100' };
    expect(clientOptions(TOKEN, { endpointOptions })).toEqual({
      apiUrl: 'http://localhost:4100',
      endpointOptions: {},
    });
  });

  it('with a domain that is none log a warning, and the domain is ignored, as on the wire', () => {
    const tab = new TestWorld().tab();
    const endpointOptions = { testApiDomain: 'https://example.com/auth', dfppaDomain: '', misspelled: 'x' };
    const options = { adapters: tab, endpointOptions, cookieOptions: { misspelled: 'x' }, misspelled: 'x' } as never;
    expect(clientOptions(TOKEN, options)).toEqual({ adapters: tab, cookieOptions: {}, endpointOptions: {} });
    expect(tab.log.messages('warn')).toEqual([
      'endpointOptions.testApiDomain is not a domain or origin and is ignored: "https://example.com/auth"',
      'endpointOptions.dfppaDomain is not a domain or origin and is ignored: ""',
    ]);
    new StytchHeadlessClient(TOKEN, options).destroy();
  });

  it('that name an address, but not for the kind of the token, log which server is called', () => {
    const calls = (token: string, options: object): readonly string[] => {
      const tab = new TestWorld().tab();
      expect(clientOptions(token, { adapters: tab, ...options })).toEqual({ adapters: tab, endpointOptions: {} });
      return tab.log.messages('warn');
    };
    const test =
      'testApiDomain is not given, so that this client calls https://test.stytch.com. Give apiUrl to call your own server.';
    const live =
      'apiDomain is not given, so that this client calls https://api.stytch.com. Give apiUrl to call your own server.';
    expect(calls(TOKEN, { endpointOptions: { apiDomain: 'login.example.com' } })).toEqual([test]);
    expect(calls(LIVE, { endpointOptions: { testApiDomain: 'http://localhost:4100' } })).toEqual([live]);
    expect(calls(TOKEN, { customBaseUrl: undefined })).toEqual([test]);
    expect(calls(LIVE, { endpointOptions: { apiDomain: undefined } })).toEqual([live]);
    for (const none of [{}, { endpointOptions: {} }, { endpointOptions: undefined }])
      expect(calls(LIVE, none)).toEqual([]);
  });

  it('name our own option too, with its strict rule', () => {
    const wrong = { adapters: new TestWorld().tab(), apiUrl: undefined } as never;
    expect(() => new StytchHeadlessClient(TOKEN, wrong)).toThrow(
      'apiUrl is undefined: is its environment variable set? Give apiUrl',
    );
  });

  it('of cookies that are empty texts, or a domain that does not apply, count as not given', () => {
    const cookies = (cookieOptions: object, host: string) =>
      clientOptions(TOKEN, { cookieOptions }, host).cookieOptions;
    const empty = { opaqueTokenCookieName: '', path: '', domain: '', availableToSubdomains: false };
    expect(cookies(empty, 'app.example.com')).toEqual({ availableToSubdomains: false });
    const shared = { domain: 'example.com', availableToSubdomains: true, path: '/app' };
    expect(cookies(shared, 'app.example.com')).toEqual(shared);
    expect(cookies({ ...shared, domain: 'shop.localhost' }, 'app.shop.localhost')).toMatchObject({
      domain: 'shop.localhost',
    });
    expect(cookies(shared, 'localhost')).toEqual({ availableToSubdomains: true, path: '/app' });
    expect(cookies({ domain: 'example.com' }, 'app.example.com')).toEqual({});
    for (const none of [null, { cookieOptions: null }]) {
      expect(clientOptions(TOKEN, none as never)).toEqual({ endpointOptions: {} });
    }
  });

  it('leave out what is no way to log in', () => {
    const passkeyOptions = { domain: 'example.com', link: false };
    const config = { products: ['passkeyRegistration', 'otp'], passkeyOptions } as const;
    expect(loginOptions({ config }).config).toEqual({ products: ['otp'], passkeyOptions });
    expect(loginOptions({ config: { products: ['passkeyRegistration'] } }).config).toEqual({});
    expect(loginOptions({ config: { products: 'otp' as never } }).config).toEqual({ products: 'otp' });
  });

  it('make a consent screen from the names of scopes', () => {
    const { getIDPConsentManifest } = consentOptions({
      getIDPConsentManifest: ({ scopes, clientName }) => [`${clientName}: ${scopes.join(' ')}`],
    });
    const scopes = [
      { scope: 'openid', description: 'Who you are' },
      { scope: 'read:plans', description: 'Your plans' },
    ];
    expect(getIDPConsentManifest?.({ scopes, clientName: 'Planner' })).toEqual(['Planner: openid read:plans']);
    expect(consentOptions({}).getIDPConsentManifest).toBeUndefined();
    expect(consentOptions({}).reportsBeforeLeaving).toBe(true);
  });
});
