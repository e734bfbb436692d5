/** The suite of wallets on real windows: frames, into which scripted wallets are put as extensions put theirs. */
import { SystemClock } from '#infrastructure/browser/system-clock.ts';
import { InjectedWallets } from '#infrastructure/wallets/injected-wallets.ts';
import {
  announce,
  ETHEREUM_ADDRESS,
  ethereumProvider,
  isScriptedSignature,
  WalletHolder,
  register,
  SOLANA_ADDRESS,
  standardWallet,
} from '../../unit/infrastructure/support/scripted-wallets.ts';
import type { TestRunner } from '../runner.ts';
import { walletContract } from '../wallet.contract.ts';
import { delay } from './wait.ts';

export function declareWalletSuites(runner: TestRunner): void {
  walletContract(runner, 'InjectedWallets on a frame’s window', () => {
    const element = document.createElement('iframe');
    document.body.append(element);
    const window = element.contentWindow as Window & typeof globalThis;
    const person = new WalletHolder();
    return {
      wallet: new InjectedWallets(window, new SystemClock(window)),
      put: (kind) => {
        if (kind === 'phantom') register(window, standardWallet('Phantom', person));
        else announce(window, ethereumProvider(person), 'io.metamask');
      },
      addressOf: (chain) => (chain === 'solana' ? SOLANA_ADDRESS : ETHEREUM_ADDRESS),
      isSignature: isScriptedSignature,
      refuse: (what) => void (person.refuses = what),
      hold: () => person.hold(),
      asked: () => person.asked,
      pass: async () => delay(10),
      dispose: () => element.remove(),
    };
  });
}
