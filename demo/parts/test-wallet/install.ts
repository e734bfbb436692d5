import { installEthereum } from './ethereum.ts';
import { decided } from './person.ts';
import { installSolana } from './solana.ts';

export interface TestWalletOptions {
  /** The person says no to whatever the wallet asks. */
  readonly refuse?: boolean;
}

/**
 * A wallet of the page's own, for who has none: an Ethereum and a Solana account with real keys, made in this tab. It
 * stands in the window as extensions do, so the widget finds it as it finds them. Call it before the widget is mounted.
 */
export function installTestWallet(window: Window, { refuse = false }: TestWalletOptions = {}): void {
  const ask = decided(refuse);
  installEthereum(window, ask);
  installSolana(window, ask);
}
