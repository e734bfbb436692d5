import { expect, vi } from 'vitest';
import {
  cryptoWallets,
  idp,
  magicLinks,
  otps,
  passwords,
  totps,
  webauthn,
  type Endpoint,
} from '#application/api/index.ts';
import { accountWidget, loginWidget, passkeyRegistrationWidget } from '#application/widget/widgets.ts';
import type { EventType } from '#domain/widget/host-events.ts';
import type { Intent } from '#domain/screens/event.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { consentWorld, openConsent, REQUEST } from './consent/open-consent.ts';
import { openLogin, openWidget } from './open-widget.ts';
import { worldWithApp } from './mfa/mfa-world.ts';
import { ADA, ALONE, GOOD, WITH_LINK, worldWith } from './passwords/open-passwords.ts';
import { asked, PHONES } from './phone/open-phone.ts';
import { CHOSEN, CONFIG as PASSKEYS, withPasskey } from './social/passkey-world.ts';
import { TestWorld } from './world.ts';

export type OpenLogin = Omit<ReturnType<typeof openLogin>, 'widget'>;

const EMAIL: LoginConfig = { products: ['otp'], otpOptions: { methods: ['email'] } };
export const LINK: LoginConfig = { products: ['emailMagicLinks'] };
const send = { type: 'otp/requested', method: 'email', destination: ADA } as const;
const search = { type: 'password/emailEntered', email: ADA } as const;
const create = { type: 'password/createRequested', email: ADA, password: GOOD } as const;

/** Does one thing after the other, each when nothing is awaited any more: signing takes the platform's own time. */
export async function walk<O extends OpenLogin>(
  opened: O,
  ...intents: readonly (Intent | (() => Intent))[]
): Promise<O> {
  await opened.world.settle();
  for (const intent of intents) {
    opened.store.send(typeof intent === 'function' ? intent() : intent);
    await vi.waitFor(async () => {
      await opened.world.settle();
      expect(opened.store.getState().pending).toBeNull();
    });
  }
  return opened;
}

const at =
  (
    config: LoginConfig,
    intents: readonly Intent[],
    world: () => TestWorld | Promise<TestWorld> = () => new TestWorld(),
  ) =>
  async (): Promise<OpenLogin> =>
    walk(openLogin(config, { world: await world() }), ...intents);
const withCode = (config: LoginConfig, first: Intent, to: string) => async (): Promise<OpenLogin> => {
  const opened = openLogin(config);
  return walk(opened, first, () => ({ type: 'otp/codeEntered', code: opened.world.server.codeFor(to) ?? '' }));
};
const reset = (type: 'login' | 'reset') => async (): Promise<OpenLogin> => {
  const world = await worldWith('password');
  const { client } = world.open();
  await client.passwords.resetByEmailStart({ email: ADA });
  const token = world.server.tokenFor(ADA, type === 'login' ? 'login' : 'reset_password') ?? '';
  const opened = openWidget((services, own) => loginWidget(services, { ...own, token }, type), ALONE, { world });
  return walk(
    opened,
    ...(type === 'login' ? [] : [{ type: 'password/resetSubmitted', password: `${GOOD}!` } as const]),
  );
};
const managing =
  (...intents: readonly Intent[]) =>
  async () => {
    const world = new TestWorld();
    await world.signIn(world.open().client);
    const opened = openWidget((services, options) => accountWidget(services, options), {}, { world });
    return walk(opened, ...intents);
  };

const registering =
  (...intents: readonly Intent[]) =>
  async (): Promise<OpenLogin> => {
    const world = new TestWorld();
    await world.signIn(world.open().client);
    return walk(
      openWidget((services, own) => passkeyRegistrationWidget(services, own), {}, { world }),
      ...intents,
    );
  };
/** The app is told in the page itself, where the server's answer leads nowhere. */
export const consenting = (intent: Intent) => async (): Promise<OpenLogin> => {
  const world = consentWorld();
  await world.signIn(world.open().client);
  world.transport.answer(idp.authorizeSubmit, () => ({ redirect_uri: '' }));
  const opened = openConsent(REQUEST, world);
  return walk(opened, intent);
};
const beside = async (): Promise<OpenLogin> => {
  const opened = await walk(openLogin(LINK));
  await opened.world.signIn(opened.world.open().client);
  return walk(opened);
};

/** A login with a password that waits for its second factor. */
const secondFactor = async (): Promise<OpenLogin> => {
  const { world, secret } = await worldWithApp();
  const opened = openLogin(EMAIL, { world });
  const sent = { type: 'otp/codeEntered' } as const;
  await walk(opened, send, () => ({ ...sent, code: world.server.codeFor(ADA) ?? '' }));
  opened.store.send({ type: 'factor/asked', request: { kind: 'totp', code: world.server.totpCode(secret) } });
  await vi.waitFor(async () => {
    await world.settle();
    expect(opened.screen().name).toBe('AuthenticateFlowComplete');
  });
  return opened;
};

/** The call whose reply is the data, or the data itself. */
type Data = Pick<Endpoint, 'name'> | Readonly<Record<string, unknown>>;
export interface Flow {
  readonly walk: () => Promise<OpenLogin>;
  readonly data: Data;
  readonly more?: object;
}

const verify = withCode(EMAIL, send, ADA);
const EMPTY = {};
const skipped: Intent = { type: 'passkey/skipped' };

/** Every event of the public interface, each by the flows that lead to it: a new one does not compile without any. */
export const FLOWS: { readonly [Type in EventType]: Readonly<Record<string, Flow>> } = {
  MAGIC_LINK_LOGIN_OR_CREATE: {
    'a link': {
      walk: at(LINK, [{ type: 'magicLink/requested', email: ADA }]),
      data: magicLinks.loginOrCreate,
      more: { email: ADA },
    },
    'a link for somebody without a password': {
      walk: at(WITH_LINK, [search], () => worldWith('passwordless')),
      data: magicLinks.loginOrCreate,
      more: { email: ADA },
    },
  },
  OTP_LOGIN_OR_CREATE: {
    'a code by email': { walk: at(EMAIL, [send]), data: otps.emailLoginOrCreate },
    'a code by text': { walk: at(PHONES, [asked()]), data: otps.smsLoginOrCreate },
    'a code by WhatsApp': { walk: at(PHONES, [asked({ method: 'whatsapp' })]), data: otps.whatsappLoginOrCreate },
  },
  OTP_AUTHENTICATE: { 'a code': { walk: verify, data: otps.authenticate } },
  PASSWORD_CREATE: { 'a new password': { walk: at(ALONE, [search, create]), data: passwords.create } },
  PASSWORD_AUTHENTICATE: {
    'a password': {
      walk: at(ALONE, [search, { ...create, type: 'password/loginRequested' }], () => worldWith('password')),
      data: passwords.authenticate,
    },
  },
  PASSWORD_RESET_BY_EMAIL_START: {
    'a forgotten password': {
      walk: at(ALONE, [search, { type: 'password/forgotten', email: ADA }], () => worldWith('password')),
      data: passwords.resetByEmailStart,
    },
  },
  PASSWORD_RESET_BY_EMAIL: { 'a reset': { walk: reset('reset'), data: passwords.resetByEmail } },
  CRYPTO_WALLET_AUTHENTICATE_START: {
    'a wallet': {
      walk: at({ products: ['crypto'] }, [{ type: 'wallet/chosen', wallet: 'metamask' }]),
      data: cryptoWallets.authenticateStartPrimary,
    },
  },
  CRYPTO_WALLET_AUTHENTICATE: {
    'a wallet': {
      walk: at({ products: ['crypto'] }, [{ type: 'wallet/chosen', wallet: 'metamask' }]),
      data: cryptoWallets.authenticate,
    },
  },
  PASSKEY_AUTHENTICATE: { 'a passkey': { walk: at(PASSKEYS, [CHOSEN], withPasskey), data: webauthn.authenticate } },
  SECOND_FACTOR_AUTHENTICATE: {
    'a code of the authenticator app': {
      walk: secondFactor,
      data: totps.authenticate,
    },
  },
  PASSKEY_REGISTER: {
    'a new passkey': { walk: registering({ type: 'passkey/createRequested' }), data: webauthn.register },
  },
  PASSKEY_SKIP: { 'no passkey': { walk: registering(skipped), data: EMPTY } },
  PASSKEY_DONE: { 'enough passkeys': { walk: registering(skipped, { type: 'passkey/done' }), data: EMPTY } },
  OAUTH_AUTHORIZE_FLOW_START: {
    'an app': {
      walk: consenting({ type: 'consent/allowed' }),
      data: { client_id: REQUEST.client_id, redirect_uri: REQUEST.redirect_uri, scope: REQUEST.scope },
    },
  },
  OAUTH_AUTHORIZE_FLOW_COMPLETE: { 'an app let in': { walk: consenting({ type: 'consent/allowed' }), data: EMPTY } },
  OAUTH_AUTHORIZE_FLOW_CONSENT_DENIED: {
    'an app kept out': { walk: consenting({ type: 'consent/denied' }), data: EMPTY },
  },
  ACCOUNT_CHANGED: {
    'a new name': {
      walk: managing({ type: 'account/asked', change: { kind: 'name', name: { first_name: 'Ada' } } }),
      data: { change: 'nameChanged' },
    },
  },
  AUTHENTICATE_FLOW_COMPLETE: {
    'a code': { walk: verify, data: EMPTY },
    'a password': { walk: at(ALONE, [search, create]), data: EMPTY },
    'a reset': { walk: reset('reset'), data: EMPTY },
    'a login link of a reset mail': { walk: reset('login'), data: EMPTY },
    'a wallet': { walk: at({ products: ['crypto'] }, [{ type: 'wallet/chosen', wallet: 'metamask' }]), data: EMPTY },
    'a passkey': { walk: at(PASSKEYS, [CHOSEN], withPasskey), data: EMPTY },
    'a login beside the widget': { walk: beside, data: EMPTY },
  },
};
