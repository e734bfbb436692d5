import { randomBytes } from 'node:crypto';
import { Secret } from 'otpauth';
import type { OAuthProvider } from '#domain/social/oauth-providers.ts';
import { profileOf } from '#provider/accounts/social/built-in/account-people.ts';
import { oldPasskey } from '../kit/old-system.ts';
import { SoftwareWallet } from '../kit/software-wallet.ts';
import { SolanaWallet } from '../kit/solana-wallet.ts';

/** People of an old system, with what they log in with: each system writes those of them that it can have as its own export. */

export interface OldApp {
  readonly secret: string;
  readonly algorithm: 'SHA1' | 'SHA256' | 'SHA512';
  readonly digits: 6 | 8;
  readonly period: number;
}

export type OldPasskey = Awaited<ReturnType<typeof oldPasskey>>;

export interface OldPerson {
  readonly n: number;
  readonly id: string;
  readonly first: string;
  readonly last: string;
  /** The first one is the one that the person enters. */
  readonly emails: readonly { readonly email: string; readonly verified: boolean }[];
  readonly phone: string | null;
  readonly password: string | null;
  readonly app: OldApp | null;
  /** Unused ones, and used ones. */
  readonly codes: readonly string[];
  readonly used: readonly string[];
  readonly passkeys: readonly OldPasskey[];
  readonly social: { readonly provider: OAuthProvider; readonly account: string; readonly subject: string } | null;
  readonly wallet: SoftwareWallet | SolanaWallet | null;
  readonly isBlocked: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** What a person can have beside an address. */
export type Feature = 'password' | 'app' | 'codes' | 'passkey' | 'social' | 'wallet' | 'phone' | 'addresses';

export interface OldSystem {
  /** What its exports have, so that people keep it. */
  readonly features: readonly Feature[];
  readonly providers?: readonly OAuthProvider[];
  readonly wallets?: readonly ('ethereum' | 'solana')[];
  readonly apps?: readonly Omit<OldApp, 'secret'>[];
  /** One of so many has a password, where the cost of a hash is fixed and high; by default each. */
  readonly passwordOfEvery?: number;
  /** Of recovery codes. */
  readonly codeOf?: () => string;
  readonly idOf: (n: number) => string;
  /** What takes long before the first export. */
  readonly prepare?: () => Promise<unknown>;
  /** The files of the export by their names, the first of which is the main one. */
  readonly write: (people: readonly OldPerson[]) => Promise<Readonly<Record<string, string>>>;
  /** Further options of the command; `secret` is that of the old system. */
  readonly options?: { readonly secret?: string; readonly firebase_config?: object; readonly rp_id?: string };
}

interface Kind {
  readonly has: readonly Feature[];
  /** Without an address, if the system can have the rest. */
  readonly alone?: true;
  readonly unproven?: true;
  readonly blocked?: true;
  readonly keys?: number;
}

const KINDS: readonly Kind[] = [
  { has: ['password'] },
  { has: ['password', 'app', 'codes'] },
  { has: ['social'] },
  { has: ['passkey'] },
  { has: ['phone'], alone: true },
  { has: ['password', 'addresses'] },
  { has: [] },
  { has: ['wallet'], alone: true },
  { has: ['password', 'social', 'passkey'] },
  { has: ['app'] },
  { has: ['password', 'phone'] },
  { has: ['password'], blocked: true },
  { has: ['passkey'], keys: 2 },
  { has: ['password'], unproven: true },
  { has: [], unproven: true },
  { has: ['social', 'addresses'] },
  { has: ['password', 'app'] },
];

const NAMES: readonly (readonly [first: string, last: string])[] = [
  ['Ada', 'Lovelace'],
  ['Zo\u00eb \u{1F600}', '\u738b'],
  ['\u0645\u062d\u0645\u062f', '\u0628\u0646 \u0633\u0644\u0645\u0627\u0646'],
  ['Siobh\u00e1n', 'O\u2019Neil, "the" Garc\u00eda; Jr.'],
  ['Ng\u1ecdc', 'Nguye\u0302\u0303n'],
  ['\u0421\u0435\u0440\u0433\u0435\u0439', '\u0420\u0438\u043c\u0441\u043a\u0438\u0439-\u041a\u043e\u0440\u0441\u0430\u043a\u043e\u0432'],
  ['X'.repeat(128), 'Y'],
  ['', ''],
]; // prettier-ignore

const EMAILS: readonly ((n: number) => string)[] = [
  (n) => `person${n}@example.com`,
  (n) => `First.Last+tag${n}@Example.COM`,
  (n) => `UPPER${n}@EXAMPLE.ORG`,
  (n) => `o'neil_${n}@sub.example.co.uk`,
  (n) => `${'l'.repeat(64 - String(n).length)}${n}@example.com`,
  (n) => `pel\u00e9${n}@example.com`,
  (n) => `person${n}@b\u00fccher.example`,
  (n) => `person${n}@xn--mnchen-3ya.example`,
  (n) => `a!#$%&*+-/?=^_{}~${n}@example.com`,
];

const PASSWORDS: readonly ((n: number) => string)[] = [
  (n) => `violet tractor moon ${n}`,
  (n) => `  spaces at both ends ${n}  `,
  (n) => `Pa\u0301sswo\u0308rd \ufb01ne ${n}`,
  (n) => `\u03ba\u03c9\u03b4\u03b9\u03ba\u03cc\u03c2 \u{1F600} ${n}`,
  (n) => `${n} ${'0123456789abcdef'.repeat(6)} long`,
  (n) => `"quoted", \\back\\slash; $${n}`,
];

const USUAL: Omit<OldApp, 'secret'> = { algorithm: 'SHA1', digits: 6, period: 30 };

const pick = <T>(list: readonly T[], n: number): T => {
  const item = list[n % list.length];
  if (item === undefined) throw new Error('An empty list has nothing to pick.');
  return item;
};

/** As many people as this, of all kinds that the system can have. */
export async function peopleOf(system: OldSystem, count: number): Promise<readonly OldPerson[]> {
  return Promise.all(Array.from({ length: count }, (_, n) => personOf(system, n)));
}

async function personOf(system: OldSystem, n: number): Promise<OldPerson> {
  const kind = pick(KINDS, n);
  const turn = Math.floor(n / KINDS.length) + n;
  const has = (feature: Feature): boolean => kind.has.includes(feature) && system.features.includes(feature);
  const isAlone = kind.alone === true && kind.has.every(has);
  const verified = kind.unproven !== true;
  const email = pick(EMAILS, turn)(n);
  const further = has('addresses') ? [{ email: `second.${n}@example.net`, verified: true }, { email: `third.${n}@example.net`, verified: false }] : []; // prettier-ignore
  const id = system.idOf(n);
  const keys = Array.from({ length: has('passkey') ? (kind.keys ?? 1) : 0 }, async () => oldPasskey(id));
  const [first, last] = pick(NAMES, turn);
  const codes = has('codes') ? Array.from({ length: 4 }, system.codeOf ?? (() => randomBytes(5).toString('hex'))) : [];
  return {
    n,
    id,
    first,
    last,
    emails: isAlone ? [] : [{ email, verified }, ...further],
    phone: has('phone') ? `+1415555${4000 + n}` : null,
    password: has('password') && turn % (system.passwordOfEvery ?? 1) === 0 ? pick(PASSWORDS, turn)(n) : null,
    app: has('app') ? { ...pick(system.apps ?? [USUAL], turn), secret: secretOf() } : null,
    codes: codes.slice(1),
    used: codes.slice(0, 1),
    passkeys: await Promise.all(keys),
    social: has('social') ? socialOf(pick(system.providers ?? ['google'], turn), `account${n}@social.example`) : null,
    wallet: has('wallet') ? walletOf(pick(system.wallets ?? ['ethereum'], turn)) : null,
    isBlocked: kind.blocked === true,
    metadata: { plan: 'gold, "24"', n, nested: { list: [null, true, 'caf\u00e9'] } },
  };
}

const walletOf = (type: 'ethereum' | 'solana') => (type === 'ethereum' ? new SoftwareWallet() : new SolanaWallet());

/** The account that the social provider of the tests has for an address. */
function socialOf(provider: OAuthProvider, account: string): OldPerson['social'] {
  const subject = profileOf('http://localhost', provider, account, true)?.sub;
  if (typeof subject !== 'string') throw new Error(`There is no account ${account}.`);
  return { provider, account, subject };
}

/** Base32 of a text, which some systems store. */
const secretOf = (): string => Secret.fromUTF8(randomBytes(10).toString('hex')).base32;

/** A UUID that belongs to the number. */
export const uuidOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
