import { isStorable } from '#server-rules/request-body.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { isRecord } from '#domain/shape.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { COSTLY_STEPS, takeForNetwork } from '#provider/base/security/limits.ts';
import { newToken, sameSecret, tokenHash, uuid } from '#provider/base/security/secrets.ts';
import type { LoginServices, Services } from '#provider/accounts/services.ts';
import type { AgentRow } from '#provider/project/registry/agent-apps.ts';
import type { AgentMetadata } from '#provider/project/registry/agent-metadata.ts';
import { AGENT_PREFIX, findAgent, isSameAgent, isSameReceiver, lockAgent, storeAgent } from './agents.ts';
import { checkMetadata } from './client-metadata.ts';
import { PATHS, PREFIX } from '../protocol/paths.ts';
import type { RegistrationReply } from '../protocol/oauth-calls.ts';
import { OAuthError } from '../protocol/oauth-error.ts';

const BY_DEFAULT = 'client_secret_basic';

/** An agent's request about its registration. */
export interface RegistrationRequest {
  /** The JSON of the body; undefined if there is none. */
  readonly json?: unknown;
  /** The bearer token; null if there is none. */
  readonly token: string | null;
  readonly issuer: string;
  readonly address: string;
}

const hasSecret = ({ token_endpoint_auth_method: method }: AgentMetadata): boolean =>
  method === 'client_secret_basic' || method === 'client_secret_post';

/** The maximum bytes of a client's stored metadata. */
const LONGEST = 16 * 1024;

/** The maximum depth, because deeply nested JSON could overflow the stack. */
function isShort(json: unknown): boolean {
  try {
    return JSON.stringify(json ?? null).length <= LONGEST;
  } catch {
    return false;
  }
}

function metadataIn(json: unknown): AgentMetadata {
  if (!isShort(json) || !isStorable(json)) {
    throw new OAuthError('invalid_client_metadata', `The metadata must be at most ${LONGEST / 1024} kB of Unicode.`);
  }
  return checkMetadata(json, BY_DEFAULT);
}

/**
 * The registration in the form that its client sees (RFC 7591, section 3.2.1). Only hashes of the secrets are stored, so each is shown
 * once.
 */
function clientInformation(
  { client_id, created_at, metadata }: Pick<AgentRow, 'client_id' | 'created_at' | 'metadata'>,
  issuer: string,
  secrets: Pick<RegistrationReply, 'client_secret' | 'registration_access_token'>,
): RegistrationReply {
  return {
    client_id,
    client_id_issued_at: Math.floor(created_at.getTime() / 1000),
    ...secrets,
    ...(hasSecret(metadata) ? { client_secret_expires_at: 0 } : {}),
    registration_client_uri: `${issuer}${PREFIX}${PATHS.register}/${client_id}`,
    ...metadata,
  };
}

/** If the project requires it, refuses a caller without one of the operator's tokens. */
function checkInitialToken({ project }: Pick<Services, 'project'>, token: string | null): void {
  const { registration, registration_token_hashes: hashes } = project.agents;
  if (registration !== 'token') return;
  const initialTokenHash = tokenHash(token ?? '');
  if (token === null || hashes.filter((hash) => sameSecret(hash, initialTokenHash)).length === 0) {
    throw new OAuthError('invalid_token', 'The registration needs an initial access token of the operator.', {
      rule: 'registration_token',
    });
  }
}

/**
 * Registers an agent (RFC 7591). Nobody has checked it: users see that, and a registration without access from any user is removed.
 *
 * @throws OAuthError `invalid_client_metadata`, `invalid_redirect_uri` or `invalid_token`; Refusal if the project has no registration
 */
export async function registerAgent(
  services: LoginServices,
  { json, token, issuer, address }: RegistrationRequest,
): Promise<RegistrationReply> {
  const { limits, random, clock, project } = services;
  if (project.agents.registration === 'off') throw new Refusal('route_not_found');
  checkInitialToken(services, token);
  await takeForNetwork(services, 'registration', address, limits.registrationsPerNetwork, COSTLY_STEPS);
  const metadata = metadataIn(json);
  const client_id = `${AGENT_PREFIX}${uuid(random)}`;
  const client_secret = hasSecret(metadata) ? newToken(random) : undefined;
  const registration_access_token = newToken(random);
  await storeAgent(services, {
    client_id,
    origin: 'registration',
    metadata,
    secret_hash: client_secret === undefined ? null : tokenHash(client_secret),
    registration_token_hash: tokenHash(registration_access_token),
    freshMs: 0,
    address,
  });
  const secrets = client_secret === undefined ? {} : { client_secret };
  const agent = { client_id, created_at: new Date(clock.now()), metadata };
  return clientInformation(agent, issuer, { ...secrets, registration_access_token });
}

/** The registration that the token belongs to. An unknown client and another client's token get the same answer (RFC 7592, section 2). */
async function ownRegistration(
  services: Pick<Services, 'db'>,
  clientId: string,
  token: string | null,
  find = findAgent,
): Promise<AgentRow & { readonly registration_token_hash: string }> {
  const agent = isStorable(clientId) ? await find(services, clientId) : undefined;
  const hash = agent?.registration_token_hash ?? null;
  const isOwn = sameSecret(hash ?? '', tokenHash(token ?? ''));
  if (agent === undefined || hash === null || !isOwn || agent.approval === 'refused') {
    throw new OAuthError('invalid_token', 'The registration access token is not one of this client.', {
      rule: 'registration_token',
    });
  }
  return { ...agent, registration_token_hash: hash };
}

/** RFC 7592, section 2.1. */
export async function readRegistration(
  services: Pick<Services, 'db'>,
  clientId: string,
  { token, issuer }: RegistrationRequest,
): Promise<RegistrationReply> {
  return clientInformation(await ownRegistration(services, clientId, token), issuer, {});
}

/** The fields that only the server sets (RFC 7592, section 2.2). */
const OF_THE_SERVER = [
  'registration_access_token',
  'registration_client_uri',
  'client_secret_expires_at',
  'client_id_issued_at',
];

/**
 * Replaces the metadata (RFC 7592, section 2.2). If the redirect URIs or keys change, users are asked again. If these or the name and links
 * change, an operator must approve the agent again.
 */
export async function updateRegistration(
  services: Pick<Services, 'db' | 'clock' | 'random'>,
  clientId: string,
  { json, token, issuer }: RegistrationRequest,
): Promise<RegistrationReply> {
  return transaction(services.db, async (tx) => {
    const before = await ownRegistration({ db: tx }, clientId, token, lockAgent);
    const metadata = changeIn(json, before);
    const client_secret = hasSecret(metadata) && before.secret_hash === null ? newToken(services.random) : undefined;
    const secretHash = client_secret === undefined ? before.secret_hash : tokenHash(client_secret);
    const changed = await tx
      .updateTable('agents')
      .set({
        metadata: JSON.stringify(metadata),
        secret_hash: hasSecret(metadata) ? secretHash : null,
        ...(isSameReceiver(before.metadata, metadata) ? {} : { changed_at: new Date(services.clock.now()) }),
        ...(isSameAgent(before.metadata, metadata) ? {} : { approval: null }),
      })
      .where('client_id', '=', clientId)
      .returning(['client_id', 'created_at', 'metadata'])
      .executeTakeFirstOrThrow();
    return clientInformation(changed, issuer, client_secret === undefined ? {} : { client_secret });
  });
}

/** The metadata of a request to change them. */
function changeIn(json: unknown, before: AgentRow): AgentMetadata {
  if (!isRecord(json) || json['client_id'] !== before.client_id) {
    throw new OAuthError('invalid_request', 'client_id must be the id of the client.');
  }
  const strange = OF_THE_SERVER.find((field) => json[field] !== undefined);
  if (strange !== undefined) throw new OAuthError('invalid_request', `${strange} cannot be changed.`);
  const { client_secret: claimed } = json;
  if (claimed !== undefined && !(typeof claimed === 'string' && tokenHash(claimed) === before.secret_hash)) {
    throw new OAuthError('invalid_request', 'client_secret is not the secret of the client.');
  }
  return metadataIn(json);
}

/** RFC 7592, section 2.3. Ends the client with its grants, tokens and sessions. */
export async function deleteRegistration(
  services: Pick<Services, 'db'>,
  clientId: string,
  { token }: RegistrationRequest,
): Promise<void> {
  const { registration_token_hash } = await ownRegistration(services, clientId, token);
  await services.db
    .deleteFrom('agents')
    .where('client_id', '=', clientId)
    .where('registration_token_hash', '=', registration_token_hash)
    .execute();
}
