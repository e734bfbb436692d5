import { BehaviorSubject, type Observable } from 'rxjs';
import type { WalletPort } from '../../application/ports/index.ts';
import { WALLETS, type WalletChain, type WalletKind } from '../../domain/wallets.ts';
import { fakeSignature } from './server/wallets.ts';

/** Makes the signature of a message by an address. */
export type SignMessage = (message: string, address: string) => string;

/** Wallets that do as a test says: there or not, willing or not, quick or slow. */
export class FakeWallet implements WalletPort {
  /** What the wallets of each chain answer when they are asked for an address. */
  readonly addresses: Record<WalletChain, string> = {
    ethereum: '0x52908400098527886E0F7030069857D2E4169EE7',
    solana: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  };
  refuses: 'connect' | 'sign' | null = null;
  /** What the person was asked, oldest first. */
  readonly asked: string[] = [];
  /** What has been signed, oldest first. */
  readonly signed: string[] = [];
  private readonly there = new BehaviorSubject<readonly WalletKind[]>(['metamask']);
  /** What the person is being asked; null when they answer at once. */
  private decision: Promise<void> | null = null;
  private readonly connecting = new Map<WalletKind, Promise<string>>();

  /** @param signWith makes the signature; without it, it is one that `FakeServer` takes */
  constructor(private readonly signWith: SignMessage = (message, address) => fakeSignature(address, message)) {}

  /** The wallets that are there. To set them is to let them come and go. */
  get wallets(): readonly WalletKind[] {
    return this.there.value;
  }

  set wallets(kinds: readonly WalletKind[]) {
    this.there.next(kinds);
  }

  /** From now on the person hesitates, until the returned function is called. */
  hold(): () => void {
    let decide = (): void => undefined;
    this.decision = new Promise((resolve) => {
      decide = resolve;
    });
    return () => {
      this.decision = null;
      decide();
    };
  }

  detect(): Observable<readonly WalletKind[]> {
    return this.there.asObservable();
  }

  async connect(wallet: WalletKind): Promise<string> {
    const asked = this.connecting.get(wallet) ?? this.ask(wallet);
    this.connecting.set(wallet, asked);
    return asked;
  }

  async sign(wallet: WalletKind, message: string, address: string): Promise<string> {
    this.asked.push(`sign ${wallet}`);
    await this.decision;
    if (this.refuses === 'sign' || !this.wallets.includes(wallet)) throw new Error('Could not sign message');
    this.signed.push(message);
    return this.signWith(message, address);
  }

  private async ask(wallet: WalletKind): Promise<string> {
    this.asked.push(`connect ${wallet}`);
    try {
      await this.decision;
      if (this.refuses === 'connect' || !this.wallets.includes(wallet)) throw new Error('Could not connect to wallet');
      return this.addresses[WALLETS[wallet].chain];
    } finally {
      await Promise.resolve();
      this.connecting.delete(wallet);
    }
  }
}
