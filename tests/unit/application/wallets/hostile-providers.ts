/** Wallets that no page would wish for: each a window, the wallet that is chosen in it, and where that ends. */
import type { WalletKind } from '#domain/wallets/wallets.ts';
import {
  ETHEREUM_ADDRESS,
  ethereumProvider,
  WalletHolder,
  SOLANA_ADDRESS,
  solanaWallet,
} from '../../infrastructure/support/scripted-wallets.ts';

/** `signed in` and `error` are screens, `unsupported` and `pending` errors that say so; `waits` is a wallet that never answers. */
export type End = 'signed in' | 'error' | 'unsupported' | 'pending' | 'waits';
export interface Hostile {
  readonly what: string;
  readonly globals: Readonly<Record<string, unknown>>;
  /** The wallets that register themselves (Wallet Standard). */
  readonly registered: readonly unknown[];
  readonly chosen: WalletKind;
  readonly end: End;
}

export const never = new Promise<never>(() => undefined);
export const fail = (): never => {
  throw new Error('hostile');
};
export const rejection = async (value: unknown): Promise<never> => {
  throw value;
};
const thenable = (then: () => unknown): object => Object.fromEntries(new Map([['then', then]]));
export const allTraps = new Proxy({}, { get: fail, has: fail, ownKeys: fail, getPrototypeOf: fail });
export const refusal = Object.assign(new Error('User rejected the request.'), { code: 4001 });

/** An ethereum wallet that answers each method as it is told. */
const eth = (answers: Readonly<Record<string, (params: readonly string[]) => unknown>>, more: object = {}) => ({
  ethereum: {
    ...more,
    isMetaMask: true,
    request: ({ method, params = [] }: { readonly method: string; readonly params?: readonly string[] }) => {
      const own = answers[method];
      return own ? own(params) : ethereumProvider().request({ method, params });
    },
  },
});
const connects = (answer: () => unknown) => eth({ eth_requestAccounts: answer });
const signs = (answer: (params: readonly string[]) => unknown) => eth({ personal_sign: answer });
const sol = (change: object) => ({ phantom: { solana: { ...solanaWallet(), isPhantom: true, ...change } } });

const row =
  (chosen: WalletKind) =>
  (what: string, globals: Readonly<Record<string, unknown>>, end: End = 'error'): Hostile => ({
    what,
    globals,
    registered: [],
    chosen,
    end,
  });
const ethereum = row('metamask');
const solana = row('phantom');
/** As each comes from the start, and again. */
export const HOSTILE: readonly Hostile[] = [
  ethereum(
    'the code 4001',
    connects(() => rejection(refusal)),
  ),
  ethereum('a throw in place of a promise', connects(fail)),
  ethereum(
    'a rejection with nothing',
    connects(() => rejection(undefined)),
  ),
  ethereum(
    'a rejection with null',
    connects(() => rejection(null)),
  ),
  ethereum(
    'a rejection with an object that throws',
    connects(() => rejection(allTraps)),
  ),
  ...[null, undefined, 42, '', 'x', [], {}, [null], [42], [''], ['0x'], [['0x']], true].map((answer) =>
    ethereum(
      `the accounts ${JSON.stringify(answer)}`,
      connects(() => answer),
    ),
  ),
  ethereum(
    'an address in place of accounts',
    connects(() => ETHEREUM_ADDRESS),
  ),
  ethereum(
    'an address that is too short',
    connects(() => [ETHEREUM_ADDRESS.slice(0, -1)]),
  ),
  ethereum(
    'an address that is too long',
    connects(() => [`${ETHEREUM_ADDRESS}0`]),
  ),
  ethereum(
    'an address with markup',
    connects(() => ['<img src=x onerror=alert(1)>']),
  ),
  ethereum(
    'an address of Solana',
    connects(() => [SOLANA_ADDRESS]),
  ),
  ethereum(
    'accounts that throw',
    connects(() => allTraps),
  ),
  ethereum(
    'accounts that never come',
    connects(() => never),
    'waits',
  ),
  ethereum(
    'accounts that are a thenable which throws',
    connects(() => thenable(fail)),
  ),
  ethereum(
    'accounts that are a thenable which never calls',
    connects(() => thenable(() => undefined)),
    'waits',
  ),
  ethereum(
    'another account’s signature',
    signs(([text = '']) => ethereumProvider().request({ method: 'personal_sign', params: [text, '0x0'] })),
  ),
  ethereum(
    'the code 4001 for the signature',
    signs(() => rejection(refusal)),
  ),
  ethereum(
    'an account that is not connected any more',
    signs(() => rejection({ code: 4100 })),
  ),
  ethereum(
    'invalid params whatever it is asked',
    signs(() => rejection({ code: -32602 })),
  ),
  ethereum(
    'that it still shows an earlier request',
    connects(() => rejection({ code: -32002 })),
    'pending',
  ),
  solana('that it still shows an earlier request', sol({ signMessage: () => rejection({ code: -32002 }) }), 'pending'),
  ...[4200, -32601].map((code) =>
    ethereum(
      `that it signs no messages (${code})`,
      signs(() => rejection({ code })),
      'unsupported',
    ),
  ),
  ...['0x', '0x12', `0x${'12'.repeat(64)}`, `0x${'12'.repeat(640)}${'6492'.repeat(16)}`].map((answer) =>
    ethereum(
      `the signature of a contract of ${answer.length / 2 - 1} bytes`,
      signs(() => answer),
      'unsupported',
    ),
  ),
  ...[null, undefined, 42, '', '0x1', [], {}, `0x${'g'.repeat(130)}`].map((answer) =>
    ethereum(
      `the signature ${JSON.stringify(answer)}`,
      signs(() => answer),
    ),
  ),
  ethereum(
    'a signature that is endless',
    signs(() => `0x${'1'.repeat(1_000_000)}`),
  ),
  ethereum(
    'a signature that never comes',
    signs(() => never),
    'waits',
  ),
  ethereum('flags that throw', {
    ethereum: Object.defineProperty({ ...ethereumProvider() }, 'isMetaMask', { get: fail }),
  }),
  ethereum('a request that is gone when it is called', {
    ethereum: (() => {
      let reads = 0;
      return Object.defineProperty({ isMetaMask: true }, 'request', {
        get: () => ((reads += 1) > 4 ? undefined : () => []),
      });
    })(),
  }),
  ethereum('nothing at all', {}),
  ethereum(
    'a wallet that takes hexadecimal only',
    eth({
      personal_sign: ([text = '', address = '']) =>
        text.startsWith('0x')
          ? ethereumProvider().request({ method: 'personal_sign', params: [text, address] })
          : rejection({ code: -32602 }),
    }),
    'signed in',
  ),
  ethereum('events of other accounts', eth({}, { on: fail, removeListener: fail }), 'signed in'),
  ethereum('Phantom beside it', { ...eth({}), ...sol({}) }, 'signed in'),
  solana('MetaMask beside it', { ...eth({}), ...sol({}) }, 'signed in'),
  solana(
    'bytes as plain numbers',
    sol({
      signMessage: async (message: Uint8Array) => {
        const { signature } = await solanaWallet().signMessage(message);
        return { signature: [...signature] };
      },
    }),
    'signed in',
  ),
  solana(
    'bytes alone',
    sol({ signMessage: async (message: Uint8Array) => (await solanaWallet().signMessage(message)).signature }),
    'signed in',
  ),
  solana(
    'a key of its own in place of an answer',
    sol({ connect: () => undefined, publicKey: SOLANA_ADDRESS }),
    'signed in',
  ),
  solana('a refusal', sol({ connect: () => rejection(refusal) })),
  solana('a connection that never comes', sol({ connect: () => never }), 'waits'),
  ...[
    null,
    42,
    {},
    { publicKey: null },
    { publicKey: 42 },
    { publicKey: {} },
    { publicKey: ETHEREUM_ADDRESS },
    { publicKey: { toBase58: fail } },
    { publicKey: allTraps },
  ].map((answer, at) => solana(`the connection no. ${at}`, sol({ connect: () => answer }))),
  solana(
    'another account when it comes to signing',
    sol({
      connect: () => ({ publicKey: SOLANA_ADDRESS }),
      publicKey: 'So11111111111111111111111111111111111111112',
    }),
  ),
  solana(
    'another account’s signature',
    sol({
      signMessage: async (message: Uint8Array) => ({
        ...(await solanaWallet().signMessage(message)),
        publicKey: 'So11111111111111111111111111111111111111112',
      }),
    }),
  ),
  ...[
    null,
    42,
    'x',
    [],
    new Uint8Array(63),
    { signature: null },
    { signature: 'abc' },
    { signature: [256] },
    allTraps,
  ].map((answer, at) => solana(`the signature no. ${at}`, sol({ signMessage: () => answer }))),
  solana('a person who refuses to sign', sol(solanaWallet(Object.assign(new WalletHolder(), { refuses: 'sign' })))),
];
