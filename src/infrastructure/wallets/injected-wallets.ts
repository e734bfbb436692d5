import { Observable } from 'rxjs';
import type { ClockPort, WalletPort } from '#application/ports/index.ts';
import { WALLET_KINDS, WALLETS, type WalletKind } from '#domain/wallets/wallets.ts';
import { ethereumAddress, EthereumWallets, ethereumSignature } from './ethereum-wallets.ts';
import { read } from './foreign.ts';
import { findSolanaWallets, solanaAddress, solanaSignature } from './solana-wallets.ts';
import { StandardWallets } from './standard-wallets.ts';

/** When to search again for wallets that are injected late without an announcement, in milliseconds. */
const LOOK_AGAIN_MS = [250, 1_000, 3_000];
/** Calls within this time share a connection request. If a wallet has not answered by then, it may have lost the request. */
const SHARED_MS = 3_000;
/** "Resource unavailable" (EIP-1474): the wallet still shows an earlier request. */
const PENDING = -32002;

/** The calls to the wallets of one interface. */
interface WalletProtocol {
  address(wallet: object): Promise<string>;
  signature(wallet: object, message: string, address: string): Promise<string>;
}

const ETHEREUM: WalletProtocol = { address: ethereumAddress, signature: ethereumSignature };
const SOLANA: WalletProtocol = { address: solanaAddress, signature: solanaSignature };

/** A connection request that a wallet has not answered, and when it began. */
interface OpenRequest {
  readonly address: Promise<string>;
  readonly since: number;
}

/** The first address of two requests. A refusal counts if it is of the later one, unless the wallet still shows the earlier one. */
async function either(earlier: Promise<string>, later: Promise<string>): Promise<string> {
  const ofLater = later.catch((error: unknown) => {
    if (read(error, 'code') !== PENDING) throw error;
    return earlier;
  });
  return Promise.race([earlier.catch(() => ofLater), ofLater]);
}

/** The wallets that browser extensions inject into the page. */
export class InjectedWallets implements WalletPort {
  private readonly ethereum: EthereumWallets;
  private readonly standard: StandardWallets;
  /** The last connection request of each wallet that still waits for the person. */
  private readonly open = new Map<object, OpenRequest>();
  /** The wallet of each kind that connected last. It also signs. */
  private readonly connected = new Map<WalletKind, object>();

  constructor(
    private readonly window: Window,
    private readonly clock: ClockPort,
  ) {
    this.ethereum = new EthereumWallets(window);
    this.standard = new StandardWallets(window);
  }

  detect(): Observable<readonly WalletKind[]> {
    return new Observable((subscriber) => {
      let last: string | null = null;
      const look = (): void => {
        const all = this.find();
        const kinds = WALLET_KINDS.filter((kind) => all.has(kind));
        if (last === kinds.join()) return;
        last = kinds.join();
        subscriber.next(kinds);
      };
      const stops = [
        this.ethereum.listen(() => last !== null && look()),
        this.standard.listen(() => last !== null && look()),
        () => this.window.removeEventListener('ethereum#initialized', look),
        ...LOOK_AGAIN_MS.map((ms) => this.clock.after(ms, look)),
      ];
      this.window.addEventListener('ethereum#initialized', look);
      look();
      return () => stops.forEach((stop) => stop());
    });
  }

  async connect(kind: WalletKind): Promise<string> {
    try {
      const wallet = this.get(kind);
      const address = await this.addressOf(kind, wallet);
      this.connected.set(kind, wallet);
      return address;
    } catch (cause) {
      throw new Error('Could not connect to wallet', { cause });
    }
  }

  async sign(kind: WalletKind, message: string, address: string): Promise<string> {
    try {
      const wallet = this.connected.get(kind) ?? this.get(kind);
      return await this.protocolOf(kind, wallet).signature(wallet, message, address);
    } catch (cause) {
      throw new Error('Could not sign message', { cause });
    }
  }

  /** The answer to the open request, or to a new one. */
  private async addressOf(kind: WalletKind, wallet: object): Promise<string> {
    const earlier = this.open.get(wallet);
    const now = this.clock.now();
    if (earlier !== undefined && now - earlier.since < SHARED_MS) return earlier.address;
    const later = this.protocolOf(kind, wallet).address(wallet);
    const request = { address: earlier === undefined ? later : either(earlier.address, later), since: now };
    this.open.set(wallet, request);
    try {
      return await request.address;
    } finally {
      if (this.open.get(wallet) === request) this.open.delete(wallet);
    }
  }

  private protocolOf(kind: WalletKind, wallet: object): WalletProtocol {
    if (WALLETS[kind].chain === 'ethereum') return ETHEREUM;
    return this.standard.knows(wallet) ? this.standard : SOLANA;
  }

  private find(): ReadonlyMap<WalletKind, object> {
    const ethereum = new Map(this.ethereum.find());
    const solana = findSolanaWallets(this.window, this.standard.find());
    // Phantom is offered for Solana. If only its Ethereum side is present, it counts as one of the other Ethereum wallets.
    const other = solana.has('phantom') ? undefined : ethereum.get('phantom');
    ethereum.delete('phantom');
    if (other !== undefined && !ethereum.has('ethereum')) ethereum.set('ethereum', other);
    return new Map([...ethereum, ...solana]);
  }

  /** The wallet of a kind. If it is missing, wallets are requested to announce themselves; throws if it is still missing. */
  private get(kind: WalletKind): object {
    const there = this.find().get(kind);
    if (there !== undefined) return there;
    for (const wallets of [this.ethereum, this.standard]) wallets.listen(() => undefined)();
    const late = this.find().get(kind);
    if (late === undefined) throw new TypeError('There is no such wallet');
    return late;
  }
}
