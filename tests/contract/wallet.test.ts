import { describe, expect, it } from 'vitest';
import { InjectedWallets } from '#infrastructure/wallets/injected-wallets.ts';
import { FakeWallet } from '#kit/fake-wallet.ts';
import { fakeSignature } from '#kit/server/calls/wallets.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import {
  announce,
  ETHEREUM_ADDRESS,
  ethereumProvider,
  isScriptedSignature,
  register,
  WalletHolder,
  SOLANA_ADDRESS,
  solanaWallet,
  standardWallet,
  windowWith,
} from '../unit/infrastructure/support/scripted-wallets.ts';
import { walletContract } from './wallet.contract.ts';

const runner = { describe, it, expect };
const settle = async (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 2));

walletContract(runner, 'FakeWallet', () => {
  const wallet = new FakeWallet();
  wallet.wallets = [];
  return {
    wallet,
    put: (kind) => void (wallet.wallets = [...new Set([...wallet.wallets, kind])]),
    addressOf: (chain) => wallet.addresses[chain],
    isSignature: (signature, message, address) => signature === fakeSignature(address, message),
    refuse: (what) => void (wallet.refuses = what),
    hold: () => wallet.hold(),
    asked: () => wallet.asked.length,
    pass: settle,
  };
});

for (const way of ['stand in the window', 'announce themselves'] as const) {
  walletContract(runner, `InjectedWallets among wallets that ${way}`, () => {
    const [window, clock, person] = [windowWith(), new VirtualClock(), new WalletHolder()];
    const globals = window as unknown as Record<string, unknown>;
    return {
      wallet: new InjectedWallets(window, clock),
      put: (kind) => {
        if (kind === 'phantom' && way === 'announce themselves') register(window, standardWallet('Phantom', person));
        else if (kind === 'phantom') globals['phantom'] = { solana: solanaWallet(person, { isPhantom: true }) };
        else if (way === 'announce themselves') announce(window, ethereumProvider(person), 'io.metamask');
        else globals['ethereum'] = ethereumProvider(person, { isMetaMask: true });
      },
      addressOf: (chain) => (chain === 'solana' ? SOLANA_ADDRESS : ETHEREUM_ADDRESS),
      isSignature: isScriptedSignature,
      refuse: (what) => void (person.refuses = what),
      hold: () => person.hold(),
      asked: () => person.asked,
      pass: async (ms) => {
        await clock.advance(ms);
        await settle();
      },
    };
  });
}
