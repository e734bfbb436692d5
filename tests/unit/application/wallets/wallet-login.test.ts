import { throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { unreachable } from '#domain/errors.ts';
import type { FakeTab } from '#kit/fake-world.ts';
import { cryptoWallets } from '#application/api/index.ts';
import { offline } from '#kit/transport/fake-reply.ts';
import { TestWorld } from '../world.ts';
import { CRYPTO, open } from './open-wallets.ts';
import { soakIt } from '../../../soak-tests.ts';

describe('finding wallets', () => {
  it('says that its code did not load', async () => {
    const error = unreachable(new TypeError('Failed to fetch'));
    class WorldWithout extends TestWorld {
      override tab(href?: string): FakeTab {
        const tab = super.tab(href);
        tab.wallet.detect = () => throwError(() => error);
        return tab;
      }
    }
    const { store } = await open(CRYPTO, new WorldWithout());
    expect(store.getState()).toMatchObject({ error, wallets: null });
    store.send({ type: 'wallet/othersOpened' });
    expect(store.getState()).toMatchObject({ screen: { name: 'CryptoOtherScreen' }, error, wallets: null });
  });
});

describe('logging in by wallet', () => {
  it.each(['metamask', 'phantom'] as const)('%s: connects, signs, is verified, and tells the host', async (kind) => {
    const { world, wallet, choose, screen, store, heard, sent, sessions } = await open();
    wallet.wallets = [kind];
    const names: string[] = [];
    store.state$.subscribe((state) => names.push(state.screen.name));
    choose(kind);
    expect(store.getState().pending).toBe('wallet/chosen');
    await world.settle();
    expect(screen()).toEqual({ name: 'CryptoConfirmation' });
    expect([...new Set(names)]).toEqual(['Main', 'CryptoConnect', 'CryptoSignMessage', 'CryptoConfirmation']);
    expect(heard.map(({ type }) => type)).toEqual([
      'CRYPTO_WALLET_AUTHENTICATE_START',
      'CRYPTO_WALLET_AUTHENTICATE',
      'AUTHENTICATE_FLOW_COMPLETE',
    ]);
    const chain = kind === 'phantom' ? 'solana' : 'ethereum';
    const named = { crypto_wallet_address: wallet.addresses[chain], crypto_wallet_type: chain };
    expect(sent().starts[0]?.body).toEqual(named);
    expect(sent().finishes[0]?.body).toMatchObject({ ...named, session_duration_minutes: 45 });
    expect(wallet.signed).toEqual([(heard[0]?.data as { challenge: string }).challenge]);
    expect(sessions.tokens()).not.toBeNull();
  });

  it.each([
    ['connect', 'Could not connect to wallet'],
    ['sign', 'Could not sign message'],
  ] as const)(
    'ends on the error screen when the person refuses to %s, and can be tried again',
    async (what, message) => {
      const { world, wallet, choose, screen, errors, store, heard } = await open();
      wallet.refuses = what;
      choose('metamask');
      await world.settle();
      expect(screen()).toEqual({ name: 'CryptoError', wallet: 'metamask' });
      expect(errors).toMatchObject([{ kind: 'api', error_message: message }]);
      wallet.refuses = null;
      store.send({ type: 'wallet/chosen', wallet: 'metamask' });
      await world.settle();
      expect(screen()).toEqual({ name: 'CryptoConfirmation' });
      expect(heard.at(-1)?.type).toBe('AUTHENTICATE_FLOW_COMPLETE');
    },
  );

  it('ends on the error screen when the server cannot be reached, at either step', async () => {
    for (const endpoint of [cryptoWallets.authenticateStartPrimary, cryptoWallets.authenticate]) {
      const { world, choose, screen, errors, store } = await open();
      world.transport.answer(endpoint, () => offline());
      choose('metamask');
      await world.settle();
      expect(screen().name).toBe('CryptoError');
      expect(errors).toMatchObject([{ kind: 'unreachable' }]);
      expect(store.getState().error).toMatchObject({ kind: 'unreachable' });
      store.send({ type: 'back' });
      expect(store.getState()).toMatchObject({ screen: { name: 'Main' }, error: null, pending: null });
    }
  });

  it('ends on the error screen when another key signed', async () => {
    const { world, choose, screen, errors, sessions } = await open();
    world.server.verifySignature = () => false;
    choose('metamask');
    await world.settle();
    expect(screen().name).toBe('CryptoError');
    expect(errors).toMatchObject([{ error_type: 'invalid_crypto_wallet_signature' }]);
    expect(sessions.tokens()).toBeNull();
  });

  it('sends one request of each for ten presses', async () => {
    const { world, choose, sent, wallet } = await open();
    for (let press = 0; press < 10; press += 1) choose('metamask');
    await world.settle();
    expect([sent().starts.length, sent().finishes.length, wallet.asked.length]).toEqual([1, 1, 2]);
  });
});

describe('a challenge for another page', () => {
  const challenge = 'evil.example wants you to sign in with your Ethereum account:\n0x0\n\n\nURI: https://evil.example';

  it.each([
    ['metamask', challenge, true],
    ['metamask', challenge, false],
    ['phantom', challenge.replace('Ethereum', 'Solana'), true],
    ['phantom', challenge.replace('Ethereum', 'Solana'), false],
    ['phantom', 'Sign in with your wallet.', true],
    ['metamask', 'Sign in with your wallet.', true],
  ] as const)('is not shown to %s as %j (a site required: %s)', async (kind, text, required) => {
    const world = new TestWorld();
    world.server.project['siwe_required_for_crypto_wallets'] = required;
    const { wallet, choose, screen, errors } = await open(CRYPTO, world);
    wallet.wallets = [kind];
    world.transport.answer(cryptoWallets.authenticateStartPrimary, () => ({ challenge: text }));
    choose(kind);
    await world.settle();
    expect(wallet.asked).toEqual([`connect ${kind}`]);
    expect(screen().name).toBe('CryptoError');
    expect(errors).toMatchObject([{ error_message: 'Could not sign message' }]);
  });

  soakIt('is none when it names this one, where EIP-4361 is required', async () => {
    const world = new TestWorld();
    world.server.project['siwe_required_for_crypto_wallets'] = true;
    const { wallet, choose, screen, sent } = await open(CRYPTO, world);
    choose('metamask');
    await world.settle();
    expect(screen().name).toBe('CryptoConfirmation');
    expect(wallet.signed[0]?.split('\n')[0]).toBe('localhost:3000 wants you to sign in with your Ethereum account:');
    expect(sent().starts[0]?.body).toMatchObject({ siwe_params: { uri: 'http://localhost:3000' } });
    wallet.wallets = ['phantom'];
    const solana = await open(CRYPTO, world);
    solana.wallet.wallets = ['phantom'];
    solana.choose('phantom');
    await world.settle();
    expect(solana.wallet.signed[0]?.split('\n')[0]).toBe(
      'localhost:3000 wants you to sign in with your Solana account:',
    );
  });
});

describe('the wallets of the browser', () => {
  it('are looked for where crypto is configured alone, and those that come later stand last', async () => {
    const { world, wallet, store } = await open();
    wallet.wallets = ['phantom'];
    wallet.wallets = ['metamask', 'phantom', 'solana'];
    await world.settle();
    expect(store.getState().wallets).toEqual(['phantom', 'metamask', 'solana']);
    wallet.wallets = ['metamask'];
    expect(store.getState().wallets).toEqual(['metamask']);

    const without = await open({ products: ['emailMagicLinks'] });
    expect(without.store.getState().wallets).toBeNull();
    without.widget.configure({ config: CRYPTO, callbacks: {} });
    without.store.send({ type: 'back' });
    await without.world.settle();
    expect(without.store.getState().wallets).toEqual(['metamask']);
  });
});
