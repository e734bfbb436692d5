import type { WalletPort } from '../../application/ports/index.ts';
import type { WalletKind } from '../../domain/wallets.ts';

/** Wallets that do as a test says: there or not, willing or not. */
export class FakeWallet implements WalletPort {
  wallets: readonly WalletKind[] = ['metamask'];
  address = '0x52908400098527886E0F7030069857D2E4169EE7';
  refuses: 'connect' | 'sign' | null = null;
  /** What has been signed, oldest first. */
  readonly signed: string[] = [];

  /** @param signWith makes the signature; without it the message's length is one */
  constructor(private readonly signWith: (message: string) => string = (message) => `signature-${message.length}`) {}

  async detect(): Promise<readonly WalletKind[]> {
    return this.wallets;
  }

  async connect(wallet: WalletKind): Promise<string> {
    if (this.refuses === 'connect' || !this.wallets.includes(wallet)) throw new Error('Could not connect to wallet');
    return this.address;
  }

  async sign(wallet: WalletKind, message: string): Promise<string> {
    if (this.refuses === 'sign' || !this.wallets.includes(wallet)) throw new Error('Could not sign message');
    this.signed.push(message);
    return this.signWith(message);
  }
}
