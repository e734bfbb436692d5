import type { WalletLogin, WalletSignature, WalletStart } from '../use-cases/wallet-login.ts';
import { checkArguments, DURATION } from '../arguments.ts';

const WALLET = { crypto_wallet_address: 'string', crypto_wallet_type: 'string' } as const;

/** `client.cryptoWallets`. */
export class CryptoWalletsClient {
  constructor(private readonly wallets: WalletLogin) {}

  /** The challenge that the wallet has to sign. */
  async authenticateStart(wallet: WalletStart) {
    checkArguments('cryptoWallets.authenticateStart', { ...WALLET, siwe_params: 'object?' }, wallet);
    return this.wallets.start(wallet);
  }

  /** Exchanges the signed challenge for a session. */
  async authenticate(signed: WalletSignature) {
    checkArguments('cryptoWallets.authenticate', { signature: 'string', ...WALLET, ...DURATION }, signed);
    return this.wallets.authenticate(signed);
  }
}
