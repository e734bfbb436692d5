import { SDKAPIUnreachableError } from '#domain/errors.ts';
import { checkArguments } from '#domain/shape.ts';
import { mayBeSigned } from '#domain/wallets/siwe.ts';
import { walletError } from '#domain/wallets/wallet-errors.ts';
import { WALLETS, type SiweParams, type WalletKind } from '#domain/wallets/wallets.ts';
import { cryptoWallets, type ReplyFor } from '../../api/index.ts';
import { DURATION, type Duration } from '../../api/authenticated.ts';
import type { BrowserPort, WalletPort } from '../../ports/index.ts';
import type { SessionStore } from '../../session/session-store.ts';
import type { RiskyCall } from '../../wire/risky-call.ts';
import type { Project } from '../project/project.ts';

/** A wallet, and the contents of its challenge. */
export interface WalletStart {
  readonly crypto_wallet_address: string;
  readonly crypto_wallet_type: string;
  readonly siwe_params?: SiweParams | undefined;
}

/** A signed challenge, for `cryptoWallets.authenticate`. The duration is in minutes. */
export interface WalletSignature {
  readonly crypto_wallet_address: string;
  readonly crypto_wallet_type: string;
  readonly signature: string;
  readonly session_duration_minutes: number;
}

/** An address of a wallet of this browser, and the challenge that the wallet has to sign. */
export interface WalletChallenge {
  readonly wallet: WalletKind;
  readonly address: string;
  readonly challenge: string;
}

/** A connected wallet, with the reply of the call that started the login. */
interface ConnectedWallet extends WalletChallenge {
  readonly reply: ReplyFor<typeof cryptoWallets.authenticateStartPrimary>;
}

/**
 * Login by signing a challenge with a crypto wallet (specification, sections 4 and 7; EIP-4361). `connect`, `sign` and `verify` are
 * its steps with a wallet of this browser, and `logIn` runs all of them. `start` and `authenticate` only call the server, for a
 * wallet that the caller reaches in another way.
 */
export class WalletLogin {
  constructor(
    private readonly risky: RiskyCall,
    private readonly sessions: SessionStore,
    private readonly project: Project,
    private readonly browser: BrowserPort,
    private readonly wallets: WalletPort,
  ) {}

  /**
   * Logs in with a wallet of this browser, such as `metamask`. Rejects with the error of the wallet or the server. A missing wallet rejects
   * with 'Could not connect to wallet'. One that cannot sign messages rejects with an `SDKAPIError` of type `unsupported_crypto_wallet`,
   * and one that still shows an earlier request with `crypto_wallet_request_pending`.
   */
  async logIn(wallet: WalletKind, options: Duration): Promise<ReplyFor<typeof cryptoWallets.authenticate>> {
    checkArguments('cryptoWallets.logIn', { wallet: 'string', ...DURATION }, { wallet, ...options });
    const connected = await this.connect(wallet);
    return this.verify(connected, await this.sign(connected), options);
  }

  /**
   * Requests an address from the wallet, then its challenge from the server.
   *
   * @param isWanted returns false when the user has gone back meanwhile; then the address is not sent
   */
  async connect(wallet: WalletKind, isWanted: () => boolean = () => true): Promise<ConnectedWallet> {
    const address = await this.ask((wallets) => wallets.connect(wallet));
    if (!isWanted()) throw new Error('Could not connect to wallet');
    const { chain } = WALLETS[wallet];
    const reply = await this.start({ crypto_wallet_address: address, crypto_wallet_type: chain });
    const challenge: unknown = reply.challenge;
    if (typeof challenge !== 'string') throw new SDKAPIUnreachableError('invalid-response');
    return { wallet, address, challenge, reply };
  }

  /** The wallet's signature of the challenge. Rejects a challenge for another site without showing it to the wallet. */
  async sign({ wallet, address, challenge }: WalletChallenge): Promise<string> {
    const { siweRequiredForCryptoWallets } = await this.project.bootstrap();
    const { chain } = WALLETS[wallet];
    if (!mayBeSigned(challenge, chain, this.browser.origin, siweRequiredForCryptoWallets)) {
      throw new Error('Could not sign message');
    }
    return this.ask((wallets) => wallets.sign(wallet, challenge, address));
  }

  /** Exchanges the signature for a session. */
  async verify(
    { wallet, address }: Pick<WalletChallenge, 'wallet' | 'address'>,
    signature: string,
    { session_duration_minutes }: Duration,
  ): Promise<ReplyFor<typeof cryptoWallets.authenticate>> {
    const { chain: crypto_wallet_type } = WALLETS[wallet];
    const walletSignature = { crypto_wallet_address: address, crypto_wallet_type, signature, session_duration_minutes };
    return this.authenticate(walletSignature);
  }

  /** The challenge to sign. With a session, the wallet will be added to its user. */
  async start(options: WalletStart): Promise<ReplyFor<typeof cryptoWallets.authenticateStartPrimary>> {
    checkArguments('cryptoWallets.authenticateStart', cryptoWallets.authenticateStartPrimary.body, options);
    const { siwe_params, ...wallet } = options;
    const { siweRequiredForCryptoWallets } = await this.project.bootstrap();
    const siwe = siweRequiredForCryptoWallets && wallet.crypto_wallet_type === 'ethereum';
    const endpoint = this.sessions.mayBeSignedIn()
      ? cryptoWallets.authenticateStartSecondary
      : cryptoWallets.authenticateStartPrimary;
    return this.risky.callWithCaptcha(endpoint, {
      ...wallet,
      siwe_params: siwe ? { ...siwe_params, uri: siwe_params?.uri ?? this.browser.origin } : undefined,
    });
  }

  /** Exchanges the signed challenge for a session. */
  async authenticate(walletSignature: WalletSignature): Promise<ReplyFor<typeof cryptoWallets.authenticate>> {
    checkArguments('cryptoWallets.authenticate', cryptoWallets.authenticate.body, walletSignature);
    return this.sessions.update(await this.risky.call(cryptoWallets.authenticate, walletSignature));
  }

  /** Calls the browser's wallets; see `walletError` for the errors. */
  private async ask(question: (wallets: WalletPort) => Promise<string>): Promise<string> {
    try {
      return await question(this.wallets);
    } catch (error) {
      throw walletError(error);
    }
  }
}
