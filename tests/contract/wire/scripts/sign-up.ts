import {
  cryptoWallets,
  magicLinks,
  oauth,
  otps,
  passwords,
  sessions,
  users,
  webauthn,
} from '#application/api/index.ts';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { SignUpRules } from '#server-rules/sign-ups.ts';
import { PROFILE } from '../../flows/project.ts';
import { ethereumWallet } from '../../flows/wallets.ts';
import { HOUR, textOf, type Script, type Wire } from '../wire.ts';
import { MINUTE_MS, signIn } from './people.ts';

const GOOD = 'correct horse battery 7!';

const setSignUp = ({ world }: Wire, rules: Partial<SignUpRules>): void => world.setSignUp?.(rules);

/** What the server refuses, as a reply that can be compared. */
async function invite(wire: Wire, email: string): Promise<void> {
  try {
    await wire.world.invite?.(email);
    wire.note('invite', 200, {});
  } catch (error) {
    const { error_type, type } = error as { readonly error_type?: string; readonly type?: string };
    wire.note('invite', 400, { error_type: error_type ?? type });
  }
}

/** Notes whether the newest message to the address or number has a code, or a link other than an earlier one. */
async function noteMessage(wire: Wire, to: string, earlier = ''): Promise<void> {
  const [code, link] = [await wire.world.codeFor(to), await wire.world.tokenFor(to)];
  wire.note('message', 200, { code: code !== '', link: link !== '' && link !== earlier });
}

async function openLink(wire: Wire, email: string) {
  return wire.call(magicLinks.authenticate, { token: await wire.world.tokenFor(email), ...HOUR });
}

async function enterCode(wire: Wire, to: string, method_id: unknown) {
  const token = (await wire.world.codeFor(to)) || '123456';
  return wire.call(otps.authenticate, { token, method_id, ...HOUR });
}

async function bySocialAccount(wire: Wire, who: string): Promise<string> {
  const start = new URL('http://localhost:4100/v1/public/oauth/google/start');
  start.search = new URLSearchParams({ public_token: wire.world.publicToken }).toString();
  wire.world.passTime(1000);
  const back = await wire.world.comeBack(start.href, wire.address(who));
  return back.searchParams.get('token') ?? '';
}

const signUpByPassword = (wire: Wire, who: string, password = GOOD) =>
  wire.call(passwords.create, { email: wire.address(who), password, ...HOUR });

const SHUT = [
  ['closed', { policy: 'closed' }],
  ['by invitation', { policy: 'invited' }],
  ['for other domains', { domains: ['corp.example'] }],
] as const;

const WAYS: Readonly<Record<string, (wire: Wire, who: string, place: number) => Promise<void>>> = {
  link: async (wire, who) => {
    const email = wire.address(who);
    const earlier = await wire.world.tokenFor(email);
    await wire.call(magicLinks.loginOrCreate, { email });
    await wire.call(magicLinks.loginOrCreate, { email, create_user_as_pending: false });
    await wire.call(magicLinks.sendPrimary, { email });
    await noteMessage(wire, email, earlier);
  },
  'email code': async (wire, who) => {
    const email = wire.address(who);
    const earlier = await wire.world.tokenFor(email);
    const { method_id } = await wire.call(otps.emailLoginOrCreate, { email });
    await wire.call(otps.emailSendPrimary, { email });
    await noteMessage(wire, email, earlier);
    for (let tries = 0; tries < 6; tries += 1) await enterCode(wire, email, method_id);
  },
  text: async (wire) => {
    const phone_number = wire.world.phoneNumber();
    const { method_id } = await wire.call(otps.smsLoginOrCreate, { phone_number });
    await wire.call(otps.whatsappSendPrimary, { phone_number });
    await noteMessage(wire, phone_number);
    await enterCode(wire, phone_number, method_id);
    wire.world.passTime(30 * MINUTE_MS);
    await enterCode(wire, phone_number, method_id);
  },
  password: async (wire, who) => {
    const email = wire.address(who);
    await wire.call(users.search, { email });
    await signUpByPassword(wire, who);
    await signUpByPassword(wire, who, 'weak');
    await wire.call(passwords.authenticate, { email, password: GOOD, ...HOUR });
    await wire.call(passwords.resetByEmailStart, { email });
  },
  passkey: async (wire, who) => {
    await wire.call(webauthn.signUpStart, { domain: 'localhost', email: wire.address(who) });
  },
  wallet: async (wire, who, place) => {
    // No other script has a wallet of these seeds: all of them share one server.
    const seed = 201 + 2 * place + (who === 'waiting' ? 1 : 0);
    const { sign, ...wallet } = ethereumWallet(secp256k1.keygen(new Uint8Array(48).fill(seed)));
    const { challenge } = await wire.call(cryptoWallets.authenticateStartPrimary, wallet);
    const body = { ...wallet, signature: sign(String(challenge)), ...HOUR };
    await wire.call(cryptoWallets.authenticate, body);
    setSignUp(wire, {});
    await wire.call(cryptoWallets.authenticate, body);
  },
  'social account': async (wire, who) => {
    const token = await bySocialAccount(wire, who);
    await wire.call(oauth.authenticate, { token, ...HOUR });
    setSignUp(wire, {});
    await wire.call(oauth.authenticate, { token, ...HOUR });
  },
  'trusted token': async (wire, who) => {
    const token = await wire.world.trustedToken(PROFILE, wire.address(who));
    await wire.call(sessions.attest, { profile_id: PROFILE, token });
    setSignUp(wire, {});
    await wire.call(sessions.attest, { profile_id: PROFILE, token });
  },
};

/** Each way for a stranger, and for somebody for whom a request made a row while sign-up was open. */
const STRANGERS: readonly Script[] = SHUT.flatMap(([name, rules], place) =>
  Object.entries(WAYS).map(([way, run]) => ({
    // The addresses of a script are made of the beginning of its title.
    title: `${name}, by ${way}: a stranger does not come in`,
    run: async (wire: Wire) => {
      const waiting = wire.address('waiting');
      await wire.call(magicLinks.loginOrCreate, { email: waiting, create_user_as_pending: false });
      for (const who of ['stranger', 'waiting']) {
        setSignUp(wire, rules);
        await run(wire, who, place);
      }
    },
  })),
);

export const SIGN_UPS: readonly Script[] = [
  ...STRANGERS,
  {
    title: 'users come in as before, whatever the policy is now',
    run: async (wire) => {
      const email = wire.address('ada');
      await signIn(wire);
      const created = await signUpByPassword(wire, 'grace');
      for (const [, rules] of SHUT) {
        setSignUp(wire, rules);
        await signIn(wire);
        await wire.call(magicLinks.loginOrCreate, { email });
        await openLink(wire, email);
        await wire.call(passwords.authenticate, { email: wire.address('grace'), password: GOOD, ...HOUR });
        await wire.call(oauth.authenticate, { token: await bySocialAccount(wire, 'ada'), ...HOUR });
      }
      const session = textOf(created, 'session_token');
      await wire.call(otps.emailSendSecondary, { email: wire.address('second') }, { session });
      await wire.call(otps.emailSendSecondary, { email }, { session });
    },
  },
  {
    title: 'a login that began while sign-up was open is refused once it is closed, and uses nothing up',
    run: async (wire) => {
      const [email, other] = [wire.address('ada'), wire.address('grace')];
      await wire.call(magicLinks.loginOrCreate, { email });
      const { method_id } = await wire.call(otps.emailLoginOrCreate, { email: other });
      setSignUp(wire, { policy: 'closed' });
      await openLink(wire, email);
      await enterCode(wire, other, method_id);
      setSignUp(wire, { roles: ['viewer'] });
      await openLink(wire, email);
      await enterCode(wire, other, method_id);
    },
  },
  {
    title: 'an address of an allowed domain comes in, and proves itself',
    run: async (wire) => {
      setSignUp(wire, { domains: ['example.com'], roles: ['viewer'] });
      await signIn(wire);
      await signUpByPassword(wire, 'grace');
      await wire.call(oauth.authenticate, { token: await bySocialAccount(wire, 'joan'), ...HOUR });
    },
  },
  {
    title: 'an invitation counts while its link is valid, for every way that proves the address',
    run: async (wire) => {
      const [email, other] = [wire.address('ada'), wire.address('grace')];
      setSignUp(wire, { policy: 'invited', roles: ['viewer'] });
      await invite(wire, email);
      await openLink(wire, email);
      await invite(wire, email);
      await invite(wire, other);
      await signUpByPassword(wire, 'grace');
      await signIn(wire, 'grace');
      const late = wire.address('late');
      await invite(wire, late);
      setSignUp(wire, { policy: 'closed' });
      await openLink(wire, late);
      await invite(wire, wire.address('nobody'));
      setSignUp(wire, { policy: 'invited' });
      wire.world.passTime(31 * 24 * 60 * MINUTE_MS);
      await openLink(wire, late);
      await signIn(wire, 'late');
    },
  },
  {
    title: 'roles are those of the setting when a person comes in, and stay theirs',
    run: async (wire) => {
      setSignUp(wire, { roles: ['viewer'] });
      await wire.call(magicLinks.loginOrCreate, { email: wire.address('ada') });
      setSignUp(wire, { roles: ['admin'] });
      const session = await signIn(wire);
      setSignUp(wire, {});
      await wire.call(sessions.authenticate, {}, { session });
      await signIn(wire);
      await signIn(wire, 'grace');
    },
  },
];
