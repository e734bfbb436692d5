import type { Routes } from '../http/endpoints.ts';
import { notYet } from './not-yet.ts';
import { takeForNetwork } from '../store/limits.ts';
import { checkEmail, findEmail, readUser } from '../store/users.ts';
import { requireSession } from './authenticated.ts';

export const users: Routes['users'] = {
  async me(services, { caller }) {
    const { row } = await requireSession(services, caller);
    return readUser(services.db, row.user_id);
  },

  /** Tells who exists, by design of the wire; so it is limited. A user who never signed in is still new. */
  async search(services, { body, caller }) {
    checkEmail(body.email);
    await takeForNetwork(services, 'search', caller.address, services.limits.searchesPerNetwork);
    const known = await findEmail(services.db, body.email);
    return { userType: known?.status === 'active' ? 'passwordless' : 'new' };
  },
  update: notYet,
  deleteEmail: notYet,
  deletePhoneNumber: notYet,
  deleteTOTP: notYet,
  deleteCryptoWallet: notYet,
  deleteOAuthRegistration: notYet,
  deleteWebauthnRegistration: notYet,
  deleteBiometricRegistration: notYet,
  connectedApps: notYet,
  revokeConnectedApp: notYet,
};
