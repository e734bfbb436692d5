import type { User, UserEmail, UserPhoneNumber, CryptoWalletRegistration } from '#domain/users/user.ts';
import type { AccountData, ConnectedApp } from '#domain/account/account-data.ts';
import { splitUser, type ChangesUser } from './authenticated.ts';
import { endpoint, type ReplyBase } from './endpoint.ts';
import { me } from './me.ts';

/** The reply of a deletion, with the updated user. */
export type DeletionReply = ReplyBase & ChangesUser & { readonly user_id: string; readonly user: User };

export const users = {
  me,
  update: endpoint<
    ChangesUser & {
      readonly user_id: string;
      readonly emails: UserEmail[];
      readonly phone_numbers: UserPhoneNumber[];
      readonly crypto_wallets: CryptoWalletRegistration[];
    }
  >()({
    name: 'users.update',
    method: 'PUT',
    path: '/users/me',
    body: { name: 'object?', untrusted_metadata: 'object?' },
  }),
  /**
   * Deletes the signed-in user with all of their data. An addition to the reference's wire. It requires the second factor if the user has
   * one (`mfa_required`), and a proof of the last ten minutes (`mfa_required`, `login_required`). `route_not_found` if the project does not
   * allow it.
   */
  delete: endpoint<{ readonly user_id: string }>()({
    name: 'users.delete',
    method: 'DELETE',
    // Not the parent path of a list with ids: a client turns `/users/me/trusted_devices/..` into `/users/me`.
    path: '/users/me/account',
  }),
  /**
   * Everything that the server stores about the signed-in user. An addition to the reference's wire. It requires the second factor if the
   * user has one.
   */
  export: endpoint<{ readonly data: AccountData }>()({
    name: 'users.export',
    method: 'GET',
    path: '/users/me/export',
  }),
  deleteEmail: endpoint<DeletionReply>()({
    name: 'users.deleteEmail',
    method: 'DELETE',
    path: '/users/emails/:id',
  }),
  deletePhoneNumber: endpoint<DeletionReply>()({
    name: 'users.deletePhoneNumber',
    method: 'DELETE',
    path: '/users/phone_numbers/:id',
  }),
  deleteTOTP: endpoint<DeletionReply>()({
    name: 'users.deleteTOTP',
    method: 'DELETE',
    path: '/users/totps/:id',
  }),
  deleteCryptoWallet: endpoint<DeletionReply>()({
    name: 'users.deleteCryptoWallet',
    method: 'DELETE',
    path: '/users/crypto_wallets/:id',
  }),
  deleteOAuthRegistration: endpoint<DeletionReply>()({
    name: 'users.deleteOAuthRegistration',
    method: 'DELETE',
    path: '/users/oauth/:id',
  }),
  deleteWebauthnRegistration: endpoint<DeletionReply>()({
    name: 'users.deleteWebauthnRegistration',
    method: 'DELETE',
    path: '/users/webauthn_registrations/:id',
  }),
  deleteBiometricRegistration: endpoint<DeletionReply>()({
    name: 'users.deleteBiometricRegistration',
    method: 'DELETE',
    path: '/users/biometric_registrations/:id',
  }),
  connectedApps: endpoint<{ readonly connected_apps: ConnectedApp[] }>()({
    name: 'users.connectedApps',
    method: 'GET',
    path: '/users/connected_apps',
  }),
  revokeConnectedApp: endpoint<object>()({
    name: 'users.revokeConnectedApp',
    method: 'POST',
    path: '/users/connected_apps/:id/revoke',
  }),
  search: endpoint<{ readonly userType: 'new' | 'password' | 'passwordless' }>()({
    name: 'users.search',
    method: 'POST',
    path: '/users/search',
    body: { email: 'string', captcha_token: 'string?', dfp_telemetry_id: 'string?' },
  }),
};

/** Passes the user in `__user` to `take`, and returns the reply without it. */
export function withoutUser<Reply extends ChangesUser>(
  reply: Reply,
  take: (user: User) => void,
): Omit<Reply, '__user'> {
  const [user, rest] = splitUser(reply);
  if (user) take(user);
  return rest;
}
