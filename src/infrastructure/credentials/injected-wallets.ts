import type { ClockPort, WalletPort } from '../../application/ports/index.ts';
import type { WalletKind } from '../../domain/wallets.ts';

/** The wallets that extensions put into the page. */
export class InjectedWallets implements WalletPort {
  constructor(
    protected readonly window: Window,
    protected readonly clock: ClockPort,
  ) {}

  async detect(): Promise<readonly WalletKind[]> {
    return [];
  }

  async connect(_wallet: WalletKind): Promise<string> {
    throw new Error('Could not connect to wallet');
  }

  async sign(_wallet: WalletKind, _message: string, _address: string): Promise<string> {
    throw new Error('Could not sign message');
  }
}
