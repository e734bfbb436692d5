/** Wallets of the Wallet Standard that no page would wish for. */
import {
  ETHEREUM_ADDRESS,
  SOLANA_ADDRESS,
  solanaWallet,
  standardAccount,
  standardWallet,
  type ScriptedStandardWallet,
} from '../../infrastructure/support/scripted-wallets.ts';
import { allTraps, fail, never, refusal, rejection, type End, type Hostile } from './hostile-providers.ts';

/** A registered wallet with changed features, or another change. */
const standard = (
  what: string,
  change: (wallet: ScriptedStandardWallet) => unknown,
  end: End = 'error',
  globals: Hostile['globals'] = {},
): Hostile => {
  const wallet = standardWallet('Phantom');
  const changed = change(wallet) ?? wallet;
  return { what: `as a registered wallet: ${what}`, globals, registered: [changed], chosen: 'phantom', end };
};
type Method = (...args: readonly never[]) => unknown;
const setConnect = (connect: Method) => (wallet: ScriptedStandardWallet) =>
  void Object.assign(wallet.features['standard:connect'] as object, { connect });
const setSign = (signMessage: Method) => (wallet: ScriptedStandardWallet) =>
  void Object.assign(wallet.features['solana:signMessage'] as object, { signMessage });
/** Signs rightly, and answers something made of that. */
const answersSigned = (answer: (output: { signedMessage: Uint8Array; signature: Uint8Array }) => unknown) =>
  setSign(async ({ message }: { readonly message: Uint8Array }) => {
    const { signature } = await solanaWallet().signMessage(message);
    return answer({ signedMessage: message, signature });
  });

/** As each comes from the start, and again. */
export const HOSTILE_STANDARD: readonly Hostile[] = [
  standard('nothing wrong', () => undefined, 'signed in'),
  standard('the wallet of the window is broken', () => undefined, 'signed in', {
    phantom: { solana: { ...solanaWallet(), isPhantom: true, connect: fail } },
  }),
  standard(
    'accounts of other chains first',
    (wallet) =>
      setConnect(() => {
        wallet.accounts = [standardAccount(ETHEREUM_ADDRESS), standardAccount('bc1q'), standardAccount()];
        return { accounts: wallet.accounts };
      })(wallet),
    'signed in',
  ),
  standard(
    'accounts in the wallet alone',
    (wallet) => setConnect(() => void (wallet.accounts = [standardAccount()]))(wallet),
    'signed in',
  ),
  standard(
    'accounts in the answer alone',
    (wallet) => {
      setConnect(() => ({ accounts: [standardAccount()] }))(wallet);
      answersSigned((output) => [output])(wallet);
    },
    'signed in',
  ),
  standard(
    'an answer that is no list',
    answersSigned((output) => output),
    'signed in',
  ),
  standard(
    'bytes as plain numbers',
    answersSigned(({ signedMessage, signature }) => [{ signedMessage: [...signedMessage], signature: [...signature] }]),
    'signed in',
  ),
  standard(
    'a person who refuses to connect',
    setConnect(() => rejection(refusal)),
  ),
  standard(
    'a person who refuses to sign',
    setSign(() => rejection(refusal)),
  ),
  standard(
    'a connection that never comes',
    setConnect(() => never),
    'waits',
  ),
  standard(
    'a signature that never comes',
    setSign(() => never),
    'waits',
  ),
  standard('a wallet that throws at everything', (wallet) => {
    let reads = 0;
    return new Proxy(wallet, { get: (target, name) => ((reads += 1) > 12 ? fail() : Reflect.get(target, name)) });
  }),
  standard('features that are gone when they are used', (wallet) =>
    setConnect(() => {
      wallet.features = {};
      return { accounts: [standardAccount()] };
    })(wallet),
  ),
  standard('an account that changed meanwhile', (wallet) =>
    setConnect(() => {
      wallet.accounts = [standardAccount('So11111111111111111111111111111111111111112')];
      return { accounts: [standardAccount()] };
    })(wallet),
  ),
  standard('an account that changed while the person signed', (wallet) =>
    answersSigned((output) => {
      wallet.accounts = [standardAccount('So11111111111111111111111111111111111111112')];
      return [output];
    })(wallet),
  ),
  standard(
    'an account without signatures of messages',
    setConnect(() => ({
      accounts: [standardAccount(SOLANA_ADDRESS, ['solana:signTransaction'])],
    })),
    'unsupported',
  ),
  standard(
    'a signature of other bytes',
    answersSigned(({ signature }) => [{ signedMessage: Uint8Array.of(255, 1), signature }]),
    'unsupported',
  ),
  ...[null, 42, {}, { accounts: null }, { accounts: {} }, { accounts: [null] }, { accounts: allTraps }, allTraps].map(
    (answer, at) =>
      standard(
        `the connection no. ${at}`,
        setConnect(() => answer),
      ),
  ),
  ...[
    null,
    42,
    'x',
    [],
    [null],
    [{}],
    [{ signature: null }],
    [{ signature: new Uint8Array(63) }],
    [allTraps],
    allTraps,
  ].map((answer, at) =>
    standard(
      `the signature no. ${at}`,
      setSign(() => answer),
    ),
  ),
];
