import { installEthereum } from './ethereum.ts';
import { decided } from './person.ts';
import { installSolana } from './solana.ts';

export interface TestWalletOptions {
  /** The user declines every request of the wallet. */
  readonly refuse?: boolean;
}

/**
 * A test wallet for visitors without one: an Ethereum and a Solana account with real keys, created in this tab. It is installed in
 * the window like an extension, so that the widget finds it in the same way. Call it before the widget is mounted.
 */
export function installTestWallet(window: Window, { refuse = false }: TestWalletOptions = {}): void {
  const ask = decided(refuse);
  installEthereum(window, ask);
  installSolana(window, ask);
}
