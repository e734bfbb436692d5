import type { Generated } from 'kysely';

export interface CryptoWalletsTable {
  crypto_wallet_id: string;
  user_id: string;
  crypto_wallet_type: 'ethereum' | 'solana';
  crypto_wallet_address: string;
  created_at: Date;
  added_in: string | null;
}

export interface WalletChallengesTable {
  challenge_hash: string;
  crypto_wallet_type: CryptoWalletsTable['crypto_wallet_type'];
  crypto_wallet_address: string;
  /** The user who adds the wallet; null for a login. */
  user_id: string | null;
  /** Whether the user must still have a session when they add it. False if the app's own server vouched for the user. */
  needs_session: Generated<boolean>;
  /** The hash of the network that requested the challenge. */
  network: string;
  challenge: string;
  created_at: Date;
  expires_at: Date;
}

export interface WalletTables {
  crypto_wallets: CryptoWalletsTable;
  wallet_challenges: WalletChallengesTable;
}

declare module '../../base/db/database.ts' {
  interface Database extends WalletTables {}
}
