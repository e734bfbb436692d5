import { Refusal } from '#domain/rules/refusal.ts';
import type { Db } from '#provider/base/db/database.ts';
import type { BackendRoutes } from '../sessions/reading/contract.ts';
import { enteringFromBackend } from '../sessions/login/entering.ts';
import { userIdOf } from '../users/backend-user.ts';
import { lockUser, type HeldUser } from '../users/lock.ts';
import { authenticateCredential, startAuthentication } from './authentication.ts';
import { registerCredential, startRegistration } from './registration.ts';
import { registrationsOf, renameRegistration } from './registrations.ts';

/** Locks the user for whom the app's own server vouches. */
const holdNamed =
  (userId: string) =>
  async (tx: Db): Promise<HeldUser> => {
    const user = await lockUser(tx, userId);
    if (user === undefined) throw new Refusal('user_not_found');
    return { user, session: null };
  };

export const webauthn: BackendRoutes['webauthn'] = {
  async registerStart(services, { body, caller: { userAgent } }) {
    const user_id = await userIdOf(services.db, body.user_id);
    const options = await startRegistration(services, body, { user_id, userAgent, hold: holdNamed(user_id) });
    return { user_id, public_key_credential_creation_options: options };
  },

  async register(services, { body, caller }) {
    const user_id = await userIdOf(services.db, body.user_id);
    return registerCredential(services, {
      user_id,
      credential: body.public_key_credential,
      userAgent: caller.userAgent,
      hold: holdNamed(user_id),
      enter: enteringFromBackend(services, caller, body),
    });
  },

  async authenticateStart(services, { body }) {
    const user_id = body.user_id === undefined ? null : await userIdOf(services.db, body.user_id);
    const options = await startAuthentication(services, body, user_id);
    return { user_id: user_id ?? '', public_key_credential_request_options: options };
  },

  async authenticate(services, { body, caller }) {
    return authenticateCredential(services, {
      credential: body.public_key_credential,
      caller,
      from: 'backend',
      enter: enteringFromBackend(services, caller, body),
    });
  },

  async update(services, { params: { webauthn_registration_id }, body: { name } }) {
    const renamed = await renameRegistration(services, webauthn_registration_id, { name, userId: null });
    return { webauthn_registration: renamed };
  },

  async listCredentials(services, { params }) {
    const rows = await registrationsOf(services, await userIdOf(services.db, params.user_id), params.domain);
    return {
      credentials: rows.map(({ credential_id, webauthn_registration_id, public_key }) => ({
        credential_id,
        webauthn_registration_id,
        type: 'public-key',
        public_key,
      })),
    };
  },
};
