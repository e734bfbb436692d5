import type { Shape } from '#domain/shape.ts';
import type { SignedSiweParams } from '#server-rules/wallet-messages.ts';
import { endpoint } from '#application/api/endpoint.ts';
import { ATTRIBUTES, SESSION_FIELDS, type BackendAuthenticated } from './reply.ts';

const WALLET = { crypto_wallet_address: 'string', crypto_wallet_type: 'string' } as const satisfies Shape;

export const cryptoWallets = {
  /** At most one of `user_id`, `session_token` and `session_jwt` names the user to add the wallet to. Without them the call logs in. */
  authenticateStart: endpoint<{
    /** Empty for an unknown wallet: its user is created with the signed challenge. */
    readonly user_id: string;
    readonly user_created: boolean;
    /** The message that the wallet signs. */
    readonly challenge: string;
  }>()({
    name: 'cryptoWallets.authenticateStart',
    method: 'POST',
    path: '/crypto_wallets/authenticate/start',
    body: {
      ...WALLET,
      ...ATTRIBUTES,
      user_id: 'string?',
      session_token: 'string?',
      session_jwt: 'string?',
      siwe_params: 'object?',
    },
  }),
  authenticate: endpoint<BackendAuthenticated & { readonly siwe_params?: SignedSiweParams }>()({
    name: 'cryptoWallets.authenticate',
    method: 'POST',
    path: '/crypto_wallets/authenticate',
    body: { ...WALLET, ...SESSION_FIELDS, ...ATTRIBUTES, signature: 'string' },
  }),
};
