import { clientType } from '#server-rules/connected-apps.ts';
import type { AdmittedSession } from '#provider/accounts/sessions/reading/admission.ts';
import type { BackendRoutes } from '#provider/accounts/sessions/reading/contract.ts';
import type { Services } from '#provider/accounts/services.ts';
import { readBackendUser } from '#provider/accounts/users/backend-user.ts';
import { userNamedBy } from '#provider/accounts/sessions/reading/named-user.ts';
import { inSession, startAuthorization, submitAuthorization, type Grantor } from './authorization/authorization.ts';
import { openRequest } from './authorization/authorization-requests.ts';

interface UserReference {
  readonly user_id?: string | undefined;
  readonly session_token?: string | undefined;
  readonly session_jwt?: string | undefined;
}

/** The granting user: the session's user, who must act themselves, or a user that the app's server vouches for. */
async function grantorOf(
  services: Pick<Services, 'db'>,
  body: UserReference,
  callerSession: AdmittedSession | undefined,
): Promise<Grantor> {
  const { user_id, session } = await userNamedBy(services, body, callerSession);
  return session === null ? { user_id, session } : inSession(session);
}

export const idp: BackendRoutes['idp'] = {
  async authorizeStart(services, { body, session }) {
    const grantor = await grantorOf(services, body, session);
    const { user, client, ...consent } = await startAuthorization(
      services,
      await openRequest(services, body, 'start'),
      grantor,
    );
    const { client_id, name, description, logo_url } = client;
    return {
      user_id: user.user_id,
      user: await readBackendUser(services.project, services.db, user.user_id),
      client: {
        client_id,
        client_name: name,
        client_description: description,
        client_type: clientType(client),
        ...(logo_url === null ? {} : { logo_url }),
      },
      ...consent,
    };
  },

  async authorize(services, { body, caller, session }) {
    const grantor = await grantorOf(services, body, session);
    const request = await openRequest(services, body, 'submit');
    return submitAuthorization(services, request, { caller, grantor: () => Promise.resolve(grantor) });
  },
};
