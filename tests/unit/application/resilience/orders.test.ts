import { describe, expect, it } from 'vitest';
import type { Intent } from '#domain/screens/event.ts';
import type { Screen } from '#domain/screens/screen.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { openLogin } from '../open-widget.ts';
import { ADA, GOOD, WITH_LINK, worldWith } from '../passwords/open-passwords.ts';
import { asked } from '../phone/open-phone.ts';
import { TestWorld } from '../world.ts';
import { impatiently, orders, seen, type OpenLogin } from './orders.ts';

const BOB = 'bob@example.com';
const EVERY: LoginConfig = {
  products: ['otp', 'crypto', 'oauth'],
  otpOptions: { methods: ['email', 'sms'] },
  oauthOptions: { providers: [{ type: 'google' }, { type: 'apple' }] },
};

type OrderStep = (opened: OpenLogin) => unknown;
const send =
  (intent: Intent): OrderStep =>
  ({ store }) =>
    store.send(intent);
const back = send({ type: 'back' });
const search = (email: string): OrderStep => send({ type: 'password/emailEntered', email });
const code = (destination: string): OrderStep => send({ type: 'otp/requested', method: 'email', destination });
const enter: OrderStep = ({ store, world }) =>
  store.send({ type: 'otp/codeEntered', code: world.server.codeFor(ADA) ?? '' });
const wallet = (kind: 'metamask' | 'phantom'): OrderStep => send({ type: 'wallet/chosen', wallet: kind });
const edit =
  (check: number, password: string): OrderStep =>
  async ({ store, world }) => {
    store.send({ type: 'password/edited', check, email: ADA, password });
    await world.clock.advance(500);
  };
const at = (screen: Partial<Screen>) => ({ screen, pending: null, error: null, toasts: [] });
const withPassword = (): Promise<TestWorld> => worldWith('password');
const withoutPassword = (): Promise<TestWorld> => worldWith('passwordless');
const form = at({ name: 'PasswordCreateOrLogin', email: BOB, userType: 'new' });
const passcode = at({ name: 'OTPAuthenticate', otp: { type: 'email', destination: BOB } as never });
const complete = at({ name: 'AuthenticateFlowComplete' });

interface Row {
  readonly config: LoginConfig;
  readonly world?: () => Promise<TestWorld>;
  /** What leads to where it begins, with every answer. */
  readonly first: readonly OrderStep[];
  /** What is done while no answer comes. */
  readonly acts: readonly OrderStep[];
  readonly ends: object;
  /** How many answers there are to put in order; two unless given. */
  readonly answers?: number;
}

const password: Pick<Row, 'config' | 'world' | 'first'> = {
  config: WITH_LINK,
  world: withPassword,
  first: [search(ADA)],
};
const codes: Pick<Row, 'config' | 'first'> = { config: EVERY, first: [code(ADA)] };

const ROWS: Readonly<Record<string, Row>> = {
  'a forgotten password, back, another address': {
    ...password,
    acts: [send({ type: 'password/forgotten', email: ADA }), back, search(BOB)],
    ends: form,
  },
  'a wrong password, back, another address': {
    ...password,
    acts: [send({ type: 'password/loginRequested', email: ADA, password: 'wrong' }), back, search(BOB)],
    ends: form,
  },
  'a link in its place, back, another address': {
    ...password,
    acts: [send({ type: 'magicLink/requested', email: ADA }), back, search(BOB)],
    ends: form,
  },
  'a password to be, back, another address': {
    ...password,
    world: withoutPassword,
    acts: [send({ type: 'password/insteadRequested', email: ADA }), back, search(BOB)],
    ends: form,
  },
  'another link, back, another address': {
    ...password,
    world: withoutPassword,
    acts: [send({ type: 'password/passwordlessRequested', email: ADA }), back, search(BOB)],
    ends: form,
  },
  'another reset mail, back, another address': {
    ...password,
    first: [search(ADA), send({ type: 'password/forgotten', email: ADA })],
    acts: [send({ type: 'password/resendRequested', email: ADA }), back, search(BOB)],
    ends: form,
  },
  'three addresses, each left for the next': {
    ...password,
    acts: [
      send({ type: 'password/forgotten', email: ADA }),
      back,
      search(ADA),
      back,
      send({ type: 'magicLink/requested', email: ADA }),
      back,
      search(BOB),
    ],
    ends: form,
    answers: 4,
  },
  'two passwords to check': {
    config: WITH_LINK,
    first: [search(BOB)],
    acts: [edit(1, 'a'), edit(2, GOOD)],
    ends: { ...form, strength: { check: 2, error: null, strength: { valid_password: true } } },
  },
  'a password to check, back, another address': {
    config: WITH_LINK,
    first: [search(ADA)],
    acts: [edit(1, GOOD), back, search(BOB)],
    ends: { ...form, strength: null },
  },
  'another code, back, a code to another address': {
    ...codes,
    acts: [send({ type: 'otp/resendRequested' }), back, code(BOB)],
    ends: passcode,
  },
  'a wrong code, back, a code to another address': {
    ...codes,
    acts: [send({ type: 'otp/codeEntered', code: '000000' }), back, code(BOB)],
    ends: passcode,
  },
  'another code, back, another tab, a code by text': {
    ...codes,
    acts: [send({ type: 'otp/resendRequested' }), back, send({ type: 'tab/chosen' }), send(asked())],
    ends: at({ name: 'OTPAuthenticate', otp: { type: 'sms' } as never }),
  },
  'a code, another tab, another way that must wait': {
    config: EVERY,
    first: [],
    acts: [code(BOB), send({ type: 'tab/chosen' }), send(asked()), wallet('metamask')],
    ends: passcode,
    answers: 1,
  },
  'a wallet, back, a code': { config: EVERY, first: [], acts: [wallet('metamask'), back, code(BOB)], ends: passcode },
  'a wallet, back, another wallet': {
    config: EVERY,
    first: [],
    acts: [wallet('metamask'), back, wallet('phantom')],
    ends: at({ name: 'CryptoConfirmation' }),
  },
  'the code itself, back, a code to another address: a login that went through is one': {
    ...codes,
    acts: [enter, back, code(BOB)],
    ends: complete,
  },
  'the password itself, back, another address: a login that went through is one': {
    ...password,
    acts: [send({ type: 'password/loginRequested', email: ADA, password: GOOD }), back, search(BOB)],
    ends: complete,
  },
};

describe.each(Object.entries(ROWS))('%s', (_, { config, world, first, acts, ends, answers = 2 }) => {
  it.each(orders(answers).map((order) => [order]))(
    'ends as the last act does, with the answers as %j',
    async (order) => {
      const opened = openLogin(config, { world: (await world?.()) ?? new TestWorld() });
      opened.ports.wallet.wallets = ['metamask', 'phantom'];
      await opened.world.settle();
      for (const act of first) {
        await act(opened);
        await opened.world.settle();
      }
      const { asked, caught } = await impatiently(opened, acts, order);
      expect(asked).toHaveLength(answers);
      expect(seen(opened)).toMatchObject(ends);
      expect(caught).toEqual([]);
      expect(opened.ports.log.messages('error')).toEqual([]);
      expect(opened.ports.browser.navigations).toEqual([]);
    },
  );
});
