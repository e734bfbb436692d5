import { checkArguments } from '../../domain/shape.ts';
import { cryptoWallets, type ReplyFor } from '../api/index.ts';
import type { SiweParams } from '../../domain/wallets.ts';
import type { BrowserPort } from '../ports/index.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { RiskyCall } from '../wire/risky-call.ts';
import type { Project } from './project.ts';

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

/** Login by signing a challenge with a crypto wallet (specification, section 7; EIP-4361). */
export class WalletLogin {
  constructor(
    private readonly risky: RiskyCall,
    private readonly sessions: SessionStore,
    private readonly project: Project,
    private readonly browser: BrowserPort,
  ) {}

  /** The challenge to sign. With a session, the wallet will be added to its user. */
  async start(options: WalletStart): Promise<ReplyFor<typeof cryptoWallets.authenticateStartPrimary>> {
    checkArguments('cryptoWallets.authenticateStart', cryptoWallets.authenticateStartPrimary.body, options);
    const { siwe_params, ...wallet } = options;
    const { siweRequiredForCryptoWallets } = await this.project.bootstrap();
    const siwe = siweRequiredForCryptoWallets && wallet.crypto_wallet_type === 'ethereum';
    const endpoint = this.sessions.mayBeSignedIn()
      ? cryptoWallets.authenticateStartSecondary
      : cryptoWallets.authenticateStartPrimary;
    return this.risky.call(endpoint, {
      ...wallet,
      siwe_params: siwe ? { ...siwe_params, uri: siwe_params?.uri ?? this.browser.origin } : undefined,
    });
  }

  /** Exchanges the signed challenge for a session. */
  async authenticate(signed: WalletSignature): Promise<ReplyFor<typeof cryptoWallets.authenticate>> {
    checkArguments('cryptoWallets.authenticate', cryptoWallets.authenticate.body, signed);
    return this.sessions.update(await this.risky.call(cryptoWallets.authenticate, signed));
  }
}
