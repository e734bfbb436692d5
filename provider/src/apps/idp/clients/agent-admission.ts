import { Refusal } from '#domain/rules/refusal.ts';
import { isStorable } from '#server-rules/request-body.ts';
import type { LoginServices, Services } from '#provider/accounts/services.ts';
import type { ConnectedAppSettings } from '#provider/project/settings/access.ts';
import { appFromAgent, isAdmitted } from '#provider/project/registry/agent-apps.ts';
import { AGENT_PREFIX, findAgent } from './agents.ts';
import { isDocumentId, readClientDocument } from './client-documents.ts';
import { OAuthError } from '../protocol/oauth-error.ts';

/**
 * Lets an agent begin an authorization. Reads its document and, if the project requires it, checks that an operator has approved it. Other
 * clients pass.
 *
 * @param address the network of the request
 * @throws Refusal with the reason for the person who is waiting
 */
export async function admitAgent(services: LoginServices, clientId: string, address: string): Promise<void> {
  if (!isStorable(clientId) || !(isDocumentId(clientId) || clientId.startsWith(AGENT_PREFIX))) return;
  if (services.project.clients.some(({ client_id }) => client_id === clientId)) return;
  await readClientDocument(services, clientId, address);
  const agent = await findAgent(services, clientId);
  if (agent === undefined || isAdmitted(services.project, agent)) return;
  if (agent.approval === 'refused') throw new Refusal('agent_refused');
  if (!services.project.agents.approval_required) return;
  const app = appFromAgent(services.project, agent);
  const name = app.agent?.host ?? app.name;
  throw new Refusal(
    'agent_awaits_approval',
    `An operator of ${services.project.name} must approve the app “${name}” first. Try again later: nothing was granted to it.`,
  );
}

/** Like `admitAgent`, for an endpoint that the agent itself calls. */
export async function admitCaller(services: LoginServices, clientId: string, address: string): Promise<void> {
  try {
    await admitAgent(services, clientId, address);
  } catch (error) {
    const isOfClient = error instanceof Refusal && error.type !== 'too_many_requests';
    if (!isOfClient) throw error;
    const rule = error.type === 'invalid_client_document' ? 'metadata_document' : 'approval';
    throw new OAuthError('invalid_client', error.message, { rule });
  }
}

/** What a consent page shows about an agent in addition to its name; nothing for clients that an operator registered. */
export async function agentDetails(
  { db }: Pick<Services, 'db'>,
  { client_id, agent }: ConnectedAppSettings,
): Promise<{
  readonly client_origin?: 'document' | 'registration';
  readonly client_host?: string;
  readonly client_is_new?: boolean;
}> {
  if (agent === undefined) return {};
  const used = await db
    .selectFrom('oauth_grants')
    .select('grant_id')
    .where('agent_id', '=', client_id)
    .limit(1)
    .executeTakeFirst();
  const { origin: client_origin, host } = agent;
  return { client_origin, client_is_new: used === undefined, ...(host === null ? {} : { client_host: host }) };
}
