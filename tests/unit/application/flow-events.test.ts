import { skip } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { loginWidget, passkeyRegistrationWidget } from '#application/widget/widgets.ts';
import type { EventType } from '#domain/widget/host-events.ts';
import type { Intent } from '#domain/screens/event.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { LINK } from './host-flows.ts';
import { openWidget } from './open-widget.ts';
import { ADA, ALONE, GOOD, WITH_CODE, worldWith } from './passwords/open-passwords.ts';
import { asked, E164, PHONES } from './phone/open-phone.ts';
import { CHOSEN, CONFIG as PASSKEYS, READY, withPasskey } from './social/passkey-world.ts';
import { TestWorld } from './world.ts';
import { oneOf } from '../../soak.ts';

type OpenedWidget = ReturnType<typeof openWidget>;
type WidgetSetup = Parameters<typeof openWidget>[0];

/** One way of logging in: how the page comes to the last step, and that step. */
interface LoginWay {
  readonly config: LoginConfig;
  readonly world?: () => Promise<TestWorld>;
  readonly make?: (world: TestWorld) => Promise<WidgetSetup>;
  readonly signedIn?: boolean;
  /** The last step begins with the widget. */
  readonly opensAtOnce?: boolean;
  readonly steps?: readonly Intent[];
  readonly last: (opened: OpenedWidget) => unknown;
  readonly tells: EventType;
}

const DURATION = { session_duration_minutes: 60 };
const HOME = 'http://localhost:3000/';
const EMAIL: LoginConfig = { products: ['otp'], otpOptions: { methods: ['email'] } };
const WALLETS: LoginConfig = { products: ['crypto'] };
const SOCIAL: LoginConfig = { products: ['oauth'], oauthOptions: { providers: [{ type: 'google', one_tap: true }] } };
const login: WidgetSetup = (services, options) => loginWidget(services, options);

const send = { type: 'otp/requested', method: 'email', destination: ADA } as const;
const search = { type: 'password/emailEntered', email: ADA } as const;
const code =
  (to: string) =>
  ({ store, world }: OpenedWidget) =>
    store.send({ type: 'otp/codeEntered', code: world.server.codeFor(to) ?? '' });
const sends =
  (intent: Intent) =>
  ({ store }: OpenedWidget) =>
    store.send(intent);

/** The page behind a reset mail. */
const resetPage =
  (tokenType: 'login' | 'reset') =>
  async (world: TestWorld): Promise<WidgetSetup> => {
    const { client } = world.open();
    await client.passwords.resetByEmailStart({ email: ADA });
    const token = world.server.tokenFor(ADA, tokenType === 'login' ? 'login' : 'reset_password') ?? '';
    client.destroy();
    return (services, own) => loginWidget(services, { ...own, token }, tokenType);
  };
const passwordWorld = () => worldWith('password');

const socialToken = async ({ api, ports, world }: OpenedWidget): Promise<string> => {
  await api.oauth.google.start({ login_redirect_url: HOME });
  const back = world.server.returnFrom(ports.browser.navigations.at(-1) ?? '', { email: ADA });
  return new URL(back).searchParams.get('token') ?? '';
};

const WAYS: Readonly<Record<string, LoginWay>> = {
  'a code by email': { config: EMAIL, steps: [send], last: code(ADA), tells: 'OTP_AUTHENTICATE' },
  'a code by text': { config: PHONES, steps: [asked()], last: code(E164), tells: 'OTP_AUTHENTICATE' },
  'a code by WhatsApp': {
    config: PHONES,
    steps: [asked({ method: 'whatsapp' })],
    last: code(E164),
    tells: 'OTP_AUTHENTICATE',
  },
  'a code for somebody without a password': {
    config: WITH_CODE,
    world: () => worldWith('passwordless'),
    steps: [search],
    last: code(ADA),
    tells: 'OTP_AUTHENTICATE',
  },
  'a code of somebody who is signed in': {
    config: PHONES,
    signedIn: true,
    steps: [asked()],
    last: code(E164),
    tells: 'OTP_AUTHENTICATE',
  },
  'a new password': {
    config: ALONE,
    steps: [search],
    last: sends({ type: 'password/createRequested', email: ADA, password: GOOD }),
    tells: 'PASSWORD_CREATE',
  },
  'a password': {
    config: ALONE,
    world: passwordWorld,
    steps: [search],
    last: sends({ type: 'password/loginRequested', email: ADA, password: GOOD }),
    tells: 'PASSWORD_AUTHENTICATE',
  },
  'a reset': {
    config: ALONE,
    world: passwordWorld,
    make: resetPage('reset'),
    last: sends({ type: 'password/resetSubmitted', password: `${GOOD}!` }),
    tells: 'PASSWORD_RESET_BY_EMAIL',
  },
  'the login link of a reset mail': {
    config: ALONE,
    world: passwordWorld,
    make: resetPage('login'),
    opensAtOnce: true,
    last: () => undefined,
    tells: 'AUTHENTICATE_FLOW_COMPLETE',
  },
  'an Ethereum wallet': {
    config: WALLETS,
    last: sends({ type: 'wallet/chosen', wallet: 'metamask' }),
    tells: 'CRYPTO_WALLET_AUTHENTICATE',
  },
  'a Solana wallet': {
    config: WALLETS,
    last: ({ ports, store }) => {
      ports.wallet.wallets = ['phantom'];
      store.send({ type: 'wallet/chosen', wallet: 'phantom' });
    },
    tells: 'CRYPTO_WALLET_AUTHENTICATE',
  },
  'the passkey button': { config: PASSKEYS, world: withPasskey, last: sends(CHOSEN), tells: 'PASSKEY_AUTHENTICATE' },
  'a passkey in the field': {
    config: PASSKEYS,
    world: withPasskey,
    last: (opened) => {
      opened.ports.webauthn.inputs.push('username webauthn');
      opened.store.send(READY);
    },
    tells: 'PASSKEY_AUTHENTICATE',
  },
  'a link': {
    config: LINK,
    steps: [{ type: 'magicLink/requested', email: ADA }],
    last: ({ api, world }) => api.magicLinks.authenticate(world.server.tokenFor(ADA, 'magic_links') ?? '', DURATION),
    tells: 'AUTHENTICATE_FLOW_COMPLETE',
  },
  'a social login, back on the page': {
    config: SOCIAL,
    last: async (opened) => opened.api.oauth.authenticate(await socialToken(opened), DURATION),
    tells: 'AUTHENTICATE_FLOW_COMPLETE',
  },
  'a login in another tab': {
    config: LINK,
    last: ({ world }) => world.signIn(world.open().client),
    tells: 'AUTHENTICATE_FLOW_COMPLETE',
  },
  'a new passkey': {
    config: {},
    signedIn: true,
    make: async () => (services, own) => passkeyRegistrationWidget(services, own),
    last: sends({ type: 'passkey/createRequested' }),
    tells: 'PASSKEY_REGISTER',
  },
};

interface Page {
  /** Takes the widget away. */
  leave: () => void;
  isLastStep: boolean;
}

/** When the host takes the widget away. `opened` is null until there is a widget. */
type Order = (page: Page) => {
  readonly before?: (opened: Pick<OpenedWidget, 'sessions'>) => void;
  readonly after?: (opened: OpenedWidget) => void;
  readonly now?: boolean;
};

const whenChanged =
  (part: 'session$' | 'user$', leave: (page: Page) => void) =>
  (page: Page) =>
  ({ sessions }: Pick<OpenedWidget, 'sessions'>): void => {
    const heard = (): void => {
      if (page.isLastStep) leave(page);
    };
    if (part === 'session$') sessions.session$.pipe(skip(1)).subscribe(heard);
    else sessions.user$.pipe(skip(1)).subscribe(heard);
  };
const soon =
  (hops: number) =>
  async (page: Page): Promise<void> => {
    for (let left = hops; left > 0; left -= 1) await Promise.resolve();
    page.leave();
  };

const ORDERS: Readonly<Record<string, Order>> = {
  'never takes it away': () => ({}),
  'takes it away as it hears of the session, having listened first': (page) => ({
    before: whenChanged('session$', ({ leave }) => leave())(page),
  }),
  'takes it away as it hears of the session, having listened last': (page) => ({
    after: whenChanged('session$', ({ leave }) => leave())(page),
  }),
  'takes it away as it hears of the user, having listened first': (page) => ({
    before: whenChanged('user$', ({ leave }) => leave())(page),
  }),
  ...Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 8, 12].map((hops): [string, Order] => [
      `takes it away ${hops} microtasks after the session`,
      (page) => ({ before: whenChanged('session$', (at) => void soon(hops)(at))(page) }),
    ]),
  ),
  'takes it away at the first new screen': (page) => ({
    after: ({ store }) => {
      const { name } = store.getState().screen;
      store.state$.subscribe(({ screen }) => {
        if (screen.name !== name && !screen.name.startsWith('Crypto')) page.leave();
      });
    },
  }),
  'takes it away while the server is still asked': () => ({ now: true }),
};

async function heardOf(
  { config, make, signedIn, steps = [], last, ...way }: LoginWay,
  order: Order,
): Promise<unknown[]> {
  const world = (await way.world?.()) ?? new TestWorld();
  if (signedIn === true) await world.signIn(world.open().client, 'grace@example.com');
  const page: Page = { leave: () => undefined, isLastStep: false };
  const { before, after, now } = order(page);
  const made = (await make?.(world)) ?? login;
  const opened = openWidget(made, config, {
    world,
    ...(before && { before: (sessions) => before({ sessions }) }),
  });
  let isGone = false;
  // As `unmount`: what a widget does when it is destroyed may call it again.
  page.leave = () => {
    if (isGone) return;
    isGone = true;
    opened.widget.destroy();
  };
  if (way.opensAtOnce !== true) await world.settle();
  for (const step of steps) {
    opened.store.send(step);
    await world.settle();
  }
  opened.heard.length = 0;
  after?.(opened);
  page.isLastStep = true;
  const begun = last(opened);
  if (now === true) page.leave();
  await begun;
  await world.settle();
  await vi.waitFor(async () => {
    await world.settle();
    expect(opened.heard.length).toBeGreaterThan(0);
  });
  for (let turn = 0; turn < 20; turn += 1) await world.settle();
  return opened.heard.map(({ type }) => type);
}

/** Ways on which the server is asked at once. A ceremony, or a wallet's signature, ends with the widget. */
const ASKS_AT_ONCE = /code|password|^a reset/u;

describe.each(Object.entries(WAYS))('%s', (name, way) => {
  const orders = Object.entries(ORDERS).filter(([when]) => !when.includes('still asked') || ASKS_AT_ONCE.test(name));
  it.each(oneOf(10, orders, Object.keys(WAYS).indexOf(name)))('is told of to a host that %s', async (_, order) => {
    const heard = await heardOf(way, order);
    const complete: readonly EventType[] = way.tells === 'PASSKEY_REGISTER' ? [] : ['AUTHENTICATE_FLOW_COMPLETE'];
    const wanted = way.tells === 'AUTHENTICATE_FLOW_COMPLETE' ? complete : [way.tells, ...complete];
    expect(heard.filter((type) => type !== 'CRYPTO_WALLET_AUTHENTICATE_START')).toEqual(wanted);
  });
});
