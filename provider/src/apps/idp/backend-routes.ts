import { clientType } from '../../../../src/domain/rules/connected-apps.ts';
import { requireOwn } from '../../../../src/domain/rules/delegates.ts';
import type { BackendCaller, BackendRoutes } from '../../accounts/sessions/contract.ts';
import type { Services } from '../../accounts/services.ts';
import { readBackendUser } from '../../accounts/users/backend-user.ts';
import { userNamedBy } from '../../accounts/sessions/named-user.ts';
import { inSession, startAuthorization, submitAuthorization, type Grantor } from './authorization.ts';
import { openRequest } from './authorization-requests.ts';

interface UserReference {
  readonly user_id?: string | undefined;
  readonly session_token?: string | undefined;
  readonly session_jwt?: string | undefined;
}

/** The granting user: of the session, who must act themselves, or a user for whom the app's server vouches. */
async function grantorOf(services: Pick<Services, 'db'>, body: UserReference, caller: BackendCaller): Promise<Grantor> {
  const { user_id, session } = await userNamedBy(services, body, caller);
  if (session === null) return { user_id, session };
  requireOwn(session);
  return inSession(session);
}

export const idp: BackendRoutes['idp'] = {
  async authorizeStart(services, { body, caller }) {
    const grantor = await grantorOf(services, body, caller);
    const { user, client, ...asked } = await startAuthorization(
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
      ...asked,
    };
  },

  async authorize(services, { body, caller }) {
    const grantor = await grantorOf(services, body, caller);
    const request = await openRequest(services, body, 'submit');
    return submitAuthorization(services, request, { caller, grantor: () => Promise.resolve(grantor) });
  },
};
