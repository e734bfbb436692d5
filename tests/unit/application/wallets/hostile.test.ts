import { describe, expect, it } from 'vitest';
import type { FakeTab } from '#kit/fake-world.ts';
import { register, windowWith } from '../../infrastructure/support/scripted-wallets.ts';
import { openLogin } from '../open-widget.ts';
import { Traps } from '../resilience/traps.ts';
import { TestWorld } from '../world.ts';
import { HOSTILE, type End } from './hostile-providers.ts';
import { HOSTILE_STANDARD } from './hostile-standard-wallets.ts';
import { WalletWorld } from './wallet-world.ts';

const ENDS: Readonly<Record<End, string>> = {
  'signed in': 'CryptoConfirmation',
  error: 'CryptoError',
  unsupported: 'CryptoError',
  pending: 'CryptoError',
  waits: 'waiting',
};

const TYPES: Readonly<Record<string, End>> = {
  unsupported_crypto_wallet: 'unsupported',
  crypto_wallet_request_pending: 'pending',
};

describe('a wallet that is hostile', () => {
  it.each([...HOSTILE, ...HOSTILE_STANDARD])('answers $what: $end', async ({ globals, registered, chosen, end }) => {
    const traps = new Traps();
    const window = windowWith(globals);
    for (const wallet of registered) register(window, wallet);
    const world = new WalletWorld(window);
    const { store, screen, heard, sessions } = openLogin({ products: ['crypto'] }, { world });
    await world.settleAll();
    for (let round = 0; round < 2; round += 1) {
      store.send({ type: 'wallet/chosen', wallet: chosen });
      await world.settleAll();
      const { name } = screen();
      expect(name === 'CryptoConnect' || name === 'CryptoSignMessage' ? 'waiting' : name).toBe(ENDS[end]);
      if (end === 'signed in') break;
      const { error } = store.getState();
      expect(TYPES[error?.error_type ?? '']).toBe(end === 'unsupported' || end === 'pending' ? end : undefined);
      store.send({ type: 'back' });
      expect(store.getState()).toMatchObject({ screen: { name: 'Main' }, pending: null, error: null });
    }
    expect(sessions.tokens() !== null).toBe(end === 'signed in');
    expect(heard.some(({ type }) => type === 'AUTHENTICATE_FLOW_COMPLETE')).toBe(end === 'signed in');
    expect(await traps.close()).toEqual([]);
  });
});

describe('a wallet adapter of the host that throws while it looks for wallets', () => {
  it('stays hidden, and is asked again', async () => {
    const traps = new Traps();
    let asked = 0;
    class ThrowingWorld extends TestWorld {
      override tab(href?: string): FakeTab {
        const tab = super.tab(href);
        const { wallet } = tab;
        const detect = (): ReturnType<typeof wallet.detect> => {
          asked += 1;
          if (asked === 1) throw new TypeError('window.ethereum is undefined');
          return wallet.detect();
        };
        return { ...tab, wallet: Object.assign(Object.create(wallet) as typeof wallet, { detect }) };
      }
    }
    const world = new ThrowingWorld();
    const { store } = openLogin({ products: ['crypto'] }, { world });
    await world.settle();
    expect(await traps.close()).toEqual([]);
    expect(asked).toBeGreaterThan(1);
    expect(store.getState().wallets).not.toBeNull();
  });
});
