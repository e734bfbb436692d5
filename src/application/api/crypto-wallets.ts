import type { Shape } from '#domain/shape.ts';
import { AUTHENTICATED, type AuthenticationReply } from './authenticated.ts';
import { endpoint } from './endpoint.ts';

const START = {
  crypto_wallet_address: 'string',
  crypto_wallet_type: 'string',
  captcha_token: 'string?',
  dfp_telemetry_id: 'string?',
  siwe_params: 'object?',
} as const satisfies Shape;

/** The challenge for a wallet. */
export interface Challenge {
  /** The message that the wallet signs. */
  readonly challenge: string;
}

export const cryptoWallets = {
  authenticateStartPrimary: endpoint<Challenge>()({
    name: 'cryptoWallets.authenticateStartPrimary',
    method: 'POST',
    path: '/crypto_wallets/authenticate/start/primary',
    body: START,
  }),
  /** Adds the wallet to the signed-in user. */
  authenticateStartSecondary: endpoint<Challenge>()({
    name: 'cryptoWallets.authenticateStartSecondary',
    method: 'POST',
    path: '/crypto_wallets/authenticate/start/secondary',
    body: START,
  }),
  authenticate: endpoint<AuthenticationReply>()({
    name: 'cryptoWallets.authenticate',
    method: 'POST',
    path: '/crypto_wallets/authenticate',
    body: {
      signature: 'string',
      crypto_wallet_address: 'string',
      crypto_wallet_type: 'string',
      session_duration_minutes: 'number',
      captcha_token: 'string?',
      dfp_telemetry_id: 'string?',
    },
    reply: AUTHENTICATED,
  }),
};
