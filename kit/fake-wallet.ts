import { BehaviorSubject, type Observable } from 'rxjs';
import type { WalletPort } from '#application/ports/index.ts';
import { WALLETS, type WalletChain, type WalletKind } from '#domain/wallets/wallets.ts';
import { fakeSignature } from './server/calls/wallets.ts';

/** Signs a message for an address. */
export type SignMessage = (message: string, address: string) => string;

/** Wallets that a test controls: whether they are present, whether they refuse, and when they respond. */
export class FakeWallet implements WalletPort {
  /** The address that the wallets of each chain return. */
  readonly addresses: Record<WalletChain, string> = {
    ethereum: '0x52908400098527886E0F7030069857D2E4169EE7',
    solana: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  };
  refuses: 'connect' | 'sign' | null = null;
  /** The requests that were shown to the person, oldest first. */
  readonly asked: string[] = [];
  /** The signed messages, oldest first. */
  readonly signed: string[] = [];
  private readonly there = new BehaviorSubject<readonly WalletKind[]>(['metamask']);
  /** Resolves when the person answers; null if they answer immediately. */
  private decision: Promise<void> | null = null;
  private readonly connecting = new Map<WalletKind, Promise<string>>();

  /** @param signWith creates the signature; by default one that `FakeServer` accepts */
  constructor(private readonly signWith: SignMessage = (message, address) => fakeSignature(address, message)) {}

  /** The wallets that are present. Setting them simulates wallets that appear and disappear. */
  get wallets(): readonly WalletKind[] {
    return this.there.value;
  }

  set wallets(kinds: readonly WalletKind[]) {
    this.there.next(kinds);
  }

  /** Makes the person wait: they do not answer until the returned function is called. */
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
    const connection = this.connecting.get(wallet) ?? this.ask(wallet);
    this.connecting.set(wallet, connection);
    return connection;
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
