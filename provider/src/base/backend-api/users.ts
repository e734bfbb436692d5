import type { CryptoWalletRegistration, UserEmail, UserPhoneNumber } from '#domain/users/user.ts';
import { endpoint } from '#application/api/endpoint.ts';
import type { ConnectedApp } from '#domain/account/account-data.ts';
import { ATTRIBUTES, type BackendUser } from './reply.ts';

/** The reply of a call that changed a user. */
interface UserChangeReply {
  readonly user_id: string;
  readonly user: BackendUser;
}

/** The user id in a path may always be an external id instead. */
export const users = {
  create: endpoint<
    UserChangeReply & { readonly email_id: string; readonly phone_id: string; readonly status: string }
  >()({
    name: 'users.create',
    method: 'POST',
    path: '/users',
    body: {
      email: 'string?',
      phone_number: 'string?',
      name: 'object?',
      ...ATTRIBUTES,
      create_user_as_pending: 'boolean?',
      trusted_metadata: 'object?',
      untrusted_metadata: 'object?',
      external_id: 'string?',
      roles: 'string[]?',
    },
  }),
  search: endpoint<{
    readonly results: BackendUser[];
    readonly results_metadata: { readonly total: number; readonly next_cursor: string | null };
  }>()({
    name: 'users.search',
    method: 'POST',
    path: '/users/search',
    body: { cursor: 'string?', limit: 'number?', query: 'object?' },
  }),
  deleteEmail: endpoint<UserChangeReply>()({ name: 'users.deleteEmail', method: 'DELETE', path: '/users/emails/:id' }),
  deletePhoneNumber: endpoint<UserChangeReply>()({
    name: 'users.deletePhoneNumber',
    method: 'DELETE',
    path: '/users/phone_numbers/:id',
  }),
  deleteTOTP: endpoint<UserChangeReply>()({ name: 'users.deleteTOTP', method: 'DELETE', path: '/users/totps/:id' }),
  deleteCryptoWallet: endpoint<UserChangeReply>()({
    name: 'users.deleteCryptoWallet',
    method: 'DELETE',
    path: '/users/crypto_wallets/:id',
  }),
  deleteOAuthRegistration: endpoint<UserChangeReply>()({
    name: 'users.deleteOAuthRegistration',
    method: 'DELETE',
    path: '/users/oauth/:id',
  }),
  deleteWebauthnRegistration: endpoint<UserChangeReply>()({
    name: 'users.deleteWebauthnRegistration',
    method: 'DELETE',
    path: '/users/webauthn_registrations/:id',
  }),
  deleteBiometricRegistration: endpoint<UserChangeReply>()({
    name: 'users.deleteBiometricRegistration',
    method: 'DELETE',
    path: '/users/biometric_registrations/:id',
  }),
  deletePassword: endpoint<UserChangeReply>()({
    name: 'users.deletePassword',
    method: 'DELETE',
    path: '/users/passwords/:id',
  }),
  get: endpoint<BackendUser>()({ name: 'users.get', method: 'GET', path: '/users/:user_id' }),
  update: endpoint<
    UserChangeReply & {
      readonly emails: UserEmail[];
      readonly phone_numbers: UserPhoneNumber[];
      readonly crypto_wallets: CryptoWalletRegistration[];
    }
  >()({
    name: 'users.update',
    method: 'PUT',
    path: '/users/:user_id',
    body: {
      name: 'object?',
      ...ATTRIBUTES,
      trusted_metadata: 'object?',
      untrusted_metadata: 'object?',
      external_id: 'string?',
      roles: 'string[]?',
      /** `when_enrolled`, `required`, or `project` for the project's policy. */
      mfa_policy: 'string?',
    },
  }),
  delete: endpoint<{ readonly user_id: string }>()({
    name: 'users.delete',
    method: 'DELETE',
    path: '/users/:user_id',
  }),
  deleteExternalId: endpoint<UserChangeReply>()({
    name: 'users.deleteExternalId',
    method: 'DELETE',
    path: '/users/:user_id/external_id',
  }),
  exchangePrimaryFactor: endpoint<UserChangeReply>()({
    name: 'users.exchangePrimaryFactor',
    method: 'PUT',
    path: '/users/:user_id/exchange_primary_factor',
    body: { email_address: 'string?', phone_number: 'string?' },
  }),
  connectedApps: endpoint<{ readonly connected_apps: ConnectedApp[] }>()({
    name: 'users.connectedApps',
    method: 'GET',
    path: '/users/:user_id/connected_apps',
  }),
  revokeConnectedApp: endpoint<object>()({
    name: 'users.revokeConnectedApp',
    method: 'POST',
    path: '/users/:user_id/connected_apps/:app_id/revoke',
  }),
};
