import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { cryptoWallets } from '#application/api/index.ts';
import { ethereumWallet, solanaWallet } from '../../flows/wallets.ts';
import type { WalletSigner } from '../../flows/world.ts';
import { HOUR, textOf, type Script, type Wire } from '../wire.ts';
import { EVIL, MINUTE_MS, signIn, withTotp } from './people.ts';

/** The same wallets for every server: their addresses are in the replies. */
const ethereum = (seed: number): WalletSigner => ethereumWallet(secp256k1.keygen(new Uint8Array(48).fill(seed)));
const solana = (seed: number): WalletSigner => solanaWallet(ed25519.keygen(new Uint8Array(32).fill(seed)));

async function start(wire: Wire, signer: WalletSigner, params?: object, session?: string) {
  const { sign: _, ...wallet } = signer;
  const endpoint = session === undefined ? 'authenticateStartPrimary' : 'authenticateStartSecondary';
  const body = { ...wallet, ...(params === undefined ? {} : { siwe_params: params }) };
  return textOf(await wire.call(cryptoWallets[endpoint], body, { session }), 'challenge');
}

async function finish(wire: Wire, wallet: WalletSigner, signature: string, session?: string) {
  const { sign: _, ...named } = wallet;
  return wire.call(cryptoWallets.authenticate, { ...named, signature, ...HOUR }, { session });
}

export const WALLETS: readonly Script[] = [
  {
    title: 'wallets sign up, log in and are added to a user',
    run: async (wire) => {
      const [ether, sol] = [ethereum(11), solana(12)];
      const signature = ether.sign(await start(wire, ether));
      const session = textOf(await finish(wire, ether, signature), 'session_token');
      await finish(wire, ether, signature);
      await finish(wire, ether, ether.sign(await start(wire, ether)));
      const added = sol.sign(await start(wire, sol, undefined, session));
      await finish(wire, sol, added);
      await finish(wire, sol, added, session);
      const eve = await signIn(wire, 'eve');
      await finish(wire, sol, sol.sign(await start(wire, sol, undefined, eve)), eve);
    },
  },
  {
    title: 'messages say what was asked for, in the form of EIP-4361',
    run: async (wire) => {
      const wallet = ethereum(13);
      await start(wire, wallet, { uri: 'http://localhost:3000/deep?a=b', statement: 'Hello', chain_id: '10' });
      await start(wire, wallet, { resources: ['https://example.com/a'], message_request_id: 'r1' });
      await start(wire, solana(14), { chain_id: 'x', statement: 'Hello' });
      await start(wire, wallet, { uri: EVIL });
      await start(wire, wallet, { uri: 'nonsense' });
      await start(wire, wallet, { uri: 'http://localhost:3999/' });
      await start(wire, wallet, { chain_id: 0 });
      await start(wire, wallet, { statement: 'two\nlines' });
      await start(wire, wallet, { statement: 7 });
      await start(wire, wallet, { resources: 'one' });
      await start(wire, wallet, { issued_at: '2020-01-01T00:00:00Z' });
      await start(wire, wallet, { not_before: '2099-01-01T00:00:00Z' });
    },
  },
  {
    title: 'wallets are refused that are none, that did not sign, or that are late',
    run: async (wire) => {
      const [wallet, other] = [ethereum(15), ethereum(16)];
      await finish(wire, wallet, wallet.sign('nothing'));
      const challenge = await start(wire, wallet);
      await finish(wire, wallet, other.sign(challenge));
      await finish(wire, wallet, 'nonsense');
      const { sign: _, ...named } = wallet;
      await wire.call(cryptoWallets.authenticateStartPrimary, { ...named, crypto_wallet_type: 'bitcoin' });
      await wire.call(cryptoWallets.authenticateStartPrimary, { ...named, crypto_wallet_type: 'solana' });
      await wire.call(cryptoWallets.authenticateStartPrimary, { ...named, crypto_wallet_address: '0x1' });
      await wire.call(cryptoWallets.authenticateStartPrimary, named, { page: null });
      await wire.call(cryptoWallets.authenticateStartSecondary, named);
      wire.world.passTime(5 * MINUTE_MS);
      await finish(wire, wallet, wallet.sign(challenge));
    },
  },
  {
    title: 'wallets are not added without the second factor',
    run: async (wire) => {
      const { session } = await withTotp(wire);
      const wallet = solana(17);
      await start(wire, wallet, undefined, await signIn(wire));
      const challenge = await start(wire, wallet, undefined, session);
      await finish(wire, wallet, wallet.sign(challenge), await signIn(wire));
      await finish(wire, wallet, wallet.sign(challenge), session);
    },
  },
];
