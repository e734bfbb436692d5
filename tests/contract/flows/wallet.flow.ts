import { of } from 'rxjs';
import type { WalletPort } from '#application/ports/index.ts';
import { suite, type TestRunner } from '../runner.ts';
import { isAuthError } from '#domain/errors.ts';
import { errorText, toAuthError } from '#domain/thrown.ts';
import type { PorticoClient } from '#composition/client.ts';
import {
  factorsOf,
  HOUR,
  MINUTE_MS,
  openTab,
  refusalOf,
  signedIn,
  type FlowWorld,
  type MakeFlowWorld,
  type WalletSigner,
} from './world.ts';

async function logIn(client: PorticoClient, { sign, ...wallet }: WalletSigner) {
  const { challenge } = await client.cryptoWallets.authenticateStart(wallet);
  return client.cryptoWallets.authenticate({ ...wallet, signature: sign(challenge), ...HOUR });
}

/** A browser whose only wallet is this one, and what the wallet is asked for, in order. */
export function withWallet(world: FlowWorld, { crypto_wallet_address, sign }: WalletSigner) {
  const asked: string[] = [];
  const wallet: WalletPort = {
    detect: () => of(['metamask', 'phantom']),
    connect: (kind) => {
      asked.push(`connect ${kind}`);
      return Promise.resolve(crypto_wallet_address);
    },
    sign: (kind, message, address) => {
      asked.push(`sign ${kind} ${address === crypto_wallet_address}`);
      return Promise.resolve(sign(message));
    },
  };
  const browser = world.newBrowser();
  const opened = openTab(world, { tab: () => ({ ...browser.tab(), wallet }) });
  return { ...opened, asked, wallet };
}

/** Logging in by a crypto wallet (specification, section 7; EIP-4361). */
export function walletFlow({ describe, it, expect }: TestRunner, name: string, makeWorld: MakeFlowWorld): void {
  suite(
    { describe, it, expect },
    `wallets: ${name}`,
    () => makeWorld({}),
    (test) => {
      for (const type of ['ethereum', 'solana'] as const) {
        test(`sign up an unknown ${type} one, and log it in as the same user after`, async (world) => {
          const wallet = world.signer(type);
          const { client } = openTab(world);
          const first = await logIn(client, wallet);
          expect(first.user.crypto_wallets.map((each) => each.crypto_wallet_type)).toEqual([type]);
          expect(factorsOf(client)).toEqual(['crypto']);
          expect((await logIn(openTab(world).client, wallet)).user_id).toBe(first.user_id);
        });
      }

      test('log in with the wallet of the browser: it connects, and signs what the server asks for', async (world) => {
        for (const [kind, type] of [
          ['metamask', 'ethereum'],
          ['phantom', 'solana'],
        ] as const) {
          const { client, asked } = withWallet(world, world.signer(type));
          const { user } = await client.cryptoWallets.logIn(kind, HOUR);
          expect(user.crypto_wallets.map((each) => each.crypto_wallet_type)).toEqual([type]);
          expect(asked).toEqual([`connect ${kind}`, `sign ${kind} true`]);
          expect(factorsOf(client)).toEqual(['crypto']);
        }
      });

      test('do not log in with a wallet that the person or the server refuses', async (world) => {
        const { client, asked, wallet } = withWallet(world, world.signer('ethereum'));
        const thrownBy = async (work: Promise<unknown>) =>
          work.then(
            () => null,
            (thrown: unknown) => (isAuthError(thrown) ? thrown.kind : errorText(toAuthError(thrown))),
          );
        expect(await thrownBy(client.cryptoWallets.logIn(7 as never, HOUR))).toBe('usage');
        expect(await thrownBy(client.cryptoWallets.logIn('metamask', {} as typeof HOUR))).toBe('usage');
        expect(asked).toEqual([]);
        wallet.sign = () => Promise.reject(new Error('Could not sign message'));
        expect(await thrownBy(client.cryptoWallets.logIn('metamask', HOUR))).toBe('Could not sign message');
        // A contract (EIP-1271, EIP-6492) signs with any number of bytes.
        for (const signature of ['0x', '0x00', `0x${'00'.repeat(64)}`, `0x${'12'.repeat(640)}${'6492'.repeat(16)}`]) {
          wallet.sign = () => Promise.resolve(signature);
          expect(await refusalOf(client.cryptoWallets.logIn('metamask', HOUR))).toBe('unsupported_crypto_wallet');
        }
        wallet.sign = () => Promise.resolve(`0x${'00'.repeat(65)}`);
        expect(await refusalOf(client.cryptoWallets.logIn('metamask', HOUR))).toBe('invalid_crypto_wallet_signature');
        expect(client.session.getSync()).toBe(null);
      });

      test('are added to the signed-in user, and to no second one', async (world) => {
        const wallet = world.signer('ethereum');
        const { client } = await signedIn(world);
        await logIn(client, wallet);
        expect(factorsOf(client)).toEqual(['otp', 'crypto']);
        expect(client.user.getSync()?.crypto_wallets.length).toBe(1);
        const { client: eve } = await signedIn(world, world.address('eve'));
        expect(await refusalOf(logIn(eve, wallet))).toBe('duplicate_crypto_wallet');
      });

      test('are refused by another wallet’s signature, or one over something else', async (world) => {
        const { sign, ...wallet } = world.signer('ethereum');
        const stranger = world.signer('ethereum');
        const { client } = openTab(world);
        const { challenge } = await client.cryptoWallets.authenticateStart(wallet);
        const finish = (signature: string) =>
          refusalOf(client.cryptoWallets.authenticate({ ...wallet, signature, ...HOUR }));
        expect(await finish(stranger.sign(challenge))).toBe('invalid_crypto_wallet_signature');
        expect(await finish(sign(`${challenge} and more`))).toBe('invalid_crypto_wallet_signature');
        expect(await finish(sign(challenge))).toBe('not refused');
      });

      test('sign a challenge once, and in time', async (world) => {
        const { sign, ...wallet } = world.signer('solana');
        const { client } = openTab(world);
        const { challenge } = await client.cryptoWallets.authenticateStart(wallet);
        const signed = { ...wallet, signature: sign(challenge), ...HOUR };
        await client.cryptoWallets.authenticate(signed);
        expect(await refusalOf(client.cryptoWallets.authenticate(signed))).toBe('crypto_wallet_challenge_not_found');
        await client.session.revoke();
        const late = await client.cryptoWallets.authenticateStart(wallet);
        world.passTime(5 * MINUTE_MS + 1);
        expect(
          await refusalOf(client.cryptoWallets.authenticate({ ...wallet, signature: sign(late.challenge), ...HOUR })),
        ).toBe('crypto_wallet_challenge_not_found');
      });

      test('are ethereum’s or solana’s, with an address of that kind', async (world) => {
        const { client } = openTab(world);
        const start = (crypto_wallet_type: string, crypto_wallet_address: string) =>
          refusalOf(client.cryptoWallets.authenticateStart({ crypto_wallet_type, crypto_wallet_address }));
        expect(await start('bitcoin', '0x0')).toBe('invalid_crypto_wallet_type');
        expect(await start('ethereum', '0x0')).toBe('invalid_crypto_wallet_address');
        expect(await start('solana', '0x0')).toBe('invalid_crypto_wallet_address');
      });
    },
  );

  suite(
    { describe, it, expect },
    `wallets that must know what they sign in to: ${name}`,
    () => makeWorld({ siweRequired: true }),
    (test) => {
      test('sign a message of EIP-4361 that names the page', async (world) => {
        const { sign, ...wallet } = world.signer('ethereum');
        const { client } = openTab(world);
        const siwe_params = { chain_id: '10', statement: 'Welcome.' };
        const { challenge } = await client.cryptoWallets.authenticateStart({ ...wallet, siwe_params });
        const lines = challenge.split('\n');
        expect(lines[0]).toBe('localhost:3000 wants you to sign in with your Ethereum account:');
        expect(['URI: http://localhost:3000', 'Chain ID: 10', 'Welcome.'].every((line) => lines.includes(line))).toBe(
          true,
        );
        await client.cryptoWallets.authenticate({ ...wallet, signature: sign(challenge), ...HOUR });
      });

      test('sign none that names another page', async (world) => {
        const { sign: _, ...wallet } = world.signer('ethereum');
        const { client } = openTab(world);
        const siwe_params = { uri: 'https://evil.example' };
        expect(await refusalOf(client.cryptoWallets.authenticateStart({ ...wallet, siwe_params }))).toBe(
          'invalid_siwe_params',
        );
      });

      test('sign the same of solana, though the page asks for nothing of the kind', async (world) => {
        const { sign, ...wallet } = world.signer('solana');
        const { client } = openTab(world);
        const { challenge } = await client.cryptoWallets.authenticateStart(wallet);
        const lines = challenge.split('\n');
        expect(lines[0]).toBe('localhost:3000 wants you to sign in with your Solana account:');
        expect(lines[1]).toBe(wallet.crypto_wallet_address);
        const labels = lines.filter((line) => /^[A-Z][A-Za-z ]+: /u.test(line)).map((line) => line.split(':', 1)[0]);
        expect(labels).toEqual(['URI', 'Version', 'Chain ID', 'Nonce', 'Issued At', 'Expiration Time']);
        await client.cryptoWallets.authenticate({ ...wallet, signature: sign(challenge), ...HOUR });
        expect(factorsOf(client)).toEqual(['crypto']);
      });
    },
  );
}
