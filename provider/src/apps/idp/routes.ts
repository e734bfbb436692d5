import { clientOf } from '#server-rules/connected-apps.ts';
import { isSilent } from '#server-rules/authorization.ts';
import type { Routes } from '#provider/accounts/sessions/reading/contract.ts';
import { admitFor, requireSessionFor } from '#provider/accounts/sessions/reading/admission.ts';
import type { Caller } from '#provider/accounts/sessions/reading/current.ts';
import { inSession, startAuthorization, submitAuthorization } from './authorization/authorization.ts';
import { agentDetails } from './clients/agent-admission.ts';
import { openRequest, type Submission } from './authorization/authorization-requests.ts';
import { recordFailure, type FailureServices } from './failures/connection-failures.ts';
import { decideOnDevice, showDevice } from './authorization/device-decision.ts';
import { checkLogout } from './authorization/logout.ts';

/** Records why a request of an app cannot be shown or granted. The page still gets the refusal. */
async function recording<T>(
  services: FailureServices,
  { body, caller }: { readonly body: Submission; readonly caller: Pick<Caller, 'address'> },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { client_id, scopes, ...others } = body;
    const texts = Object.entries({ ...others, scope: scopes.join(' ') });
    const fields = texts.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    await recordFailure(services, { step: 'consent page', error, client_id, fields, address: caller.address });
    throw error;
  }
}

export const idp: Routes['idp'] = {
  authorizeStart: async (services, { body, caller, session }) => {
    const request = await openRequest(services, body, 'start');
    const start = async () => startAuthorization(services, request, inSession(session));
    const { user, client, ...consent } = await recording(services, { body, caller }, start);
    const clientDetails = { ...clientOf(client), ...(await agentDetails(services, client)) };
    return { user_id: user.user_id, user, client: clientDetails, ...consent };
  },

  async authorizeSubmit(services, { body, caller }) {
    const request = await openRequest(services, body, 'submit');
    await admitFor(services, isSilent(request.body.prompt) ? 'silent' : 'asked', caller);
    const grantor = async () => inSession(await requireSessionFor(services, 'asked', caller));
    return recording(services, { body, caller }, async () =>
      submitAuthorization(services, request, { caller, grantor }),
    );
  },

  deviceStart: async (services, { body, caller, session }) => {
    const { user, client, ...consent } = await showDevice(services, body.user_code, { caller, session });
    return { user_id: user.user_id, user, client: clientOf(client), ...consent };
  },

  deviceSubmit: async (services, { body, caller, session }) => decideOnDevice(services, body, { caller, session }),

  /** Skips the confirmation only if the ID token hint belongs to the presented session. Otherwise another site could log the user out. */
  async logoutStart(services, { body, caller }) {
    const { hint, target } = await checkLogout(services, body);
    const session = await caller.session.find();
    const isOwn = session !== undefined && hint?.session_id === session.session_id && hint.user_id === session.user_id;
    return { consent_required: !isOwn, redirect_uri: target ?? '' };
  },
};
