import { Refusal } from '#domain/rules/refusal.ts';
import { isLoopbackHost } from '#domain/safe-url.ts';
import { take, takeForNetwork } from '#provider/base/security/limits.ts';
import type { LoginServices, Services } from '#provider/accounts/services.ts';
import type { AgentMetadata } from '#provider/project/registry/agent-metadata.ts';
import { findAgent, storeAgent } from './agents.ts';
import { checkMetadata } from './client-metadata.ts';
import { OAuthError } from '../protocol/oauth-error.ts';
import { LEEWAY_MS, readOutsideJson, UnreadJson } from '#provider/project/readers/outside-json.ts';

/** Client ids that are the URLs of metadata documents (draft-ietf-oauth-client-id-metadata-document). */

/** The API's ids have at most 256 characters. */
const LONGEST = 256;
/** The draft recommends 5 kB, which some keys would exceed. */
const MAX_BYTES = 10 * 1024;

const refusal = (message: string): Refusal => new Refusal('invalid_client_document', message);

/** True for a client id that can only be a document's URL. */
export const isDocumentId = (clientId: string): boolean => /^https?:\/\//u.test(clientId);

/**
 * The document's URL, which must be in its normal form: https with a path, without user, query, fragment and dot segments (section 3 of the
 * draft). With `--dev` it may also be http on this machine.
 */
function addressIn({ dev }: Pick<Services, 'dev'>, clientId: string): URL {
  const url =
    clientId.length <= LONGEST && /^[!-~]+$/u.test(clientId) && URL.canParse(clientId) ? new URL(clientId) : null;
  const isPlain = url?.href === clientId && url.username + url.password === '' && !/[?#]/u.test(clientId);
  if (url === null || !isPlain || url.pathname === '/') {
    throw refusal(
      `client_id must be the address of a document in its normal form, of at most ${LONGEST} characters, with a path and without query.`,
    );
  }
  const isHere = isLoopbackHost(url.hostname);
  if (url.protocol !== 'https:' && !(dev && isHere)) throw refusal('client_id must be an https address.');
  return url;
}

async function read(
  { dev }: Pick<Services, 'dev'>,
  url: URL,
): Promise<{ readonly metadata: AgentMetadata; readonly freshMs: number }> {
  const { json, freshMs } = await readOutsideJson(url, {
    name: 'The document of the app',
    maxBytes: MAX_BYTES,
    // Only this machine can use its own addresses. All other hosts must be public.
    allowPrivate: dev && isLoopbackHost(url.hostname),
    checksType: true,
  });
  if (json['client_id'] !== url.href) throw refusal('client_id in the document of the app is not its address.');
  if (json['client_secret'] !== undefined) throw refusal('The document of the app contains a client_secret.');
  return { metadata: metadataIn(json), freshMs };
}

function metadataIn(json: Readonly<Record<string, unknown>>): AgentMetadata {
  try {
    const metadata = checkMetadata(json, 'none');
    if (metadata.token_endpoint_auth_method.startsWith('client_secret')) {
      throw refusal('token_endpoint_auth_method in the document of the app must be none or private_key_jwt.');
    }
    return metadata;
  } catch (error) {
    throw error instanceof OAuthError ? refusal(`In the document of the app: ${error.message}`) : error;
  }
}

/**
 * Reads and stores the document of a client that has one, unless it was read recently. All other endpoints then find the client in the
 * database.
 *
 * @param address the network that causes the reading
 * @throws Refusal `invalid_client_document` with the problem of the document
 */
export async function readClientDocument(services: LoginServices, clientId: string, address: string): Promise<void> {
  if (!services.project.agents.metadata_documents || !isDocumentId(clientId)) return;
  const url = addressIn(services, clientId);
  const before = await findAgent(services, clientId);
  const now = services.clock.now();
  if (before !== undefined && before.fresh_until.getTime() > now) return;
  const isRecent = before !== undefined && now - before.read_at.getTime() < LEEWAY_MS;
  try {
    await takeForNetwork(services, 'documents', address, services.limits.documentsPerNetwork);
    await take(services, `documents:host:${url.hostname}`, services.limits.documentsPerHost, 'too_many_requests');
  } catch (error) {
    // Strangers who cause readings of the host's other documents must not block this one.
    if (isRecent && error instanceof Refusal && error.type === 'too_many_requests') return;
    throw error;
  }
  try {
    const { metadata, freshMs } = await read(services, url);
    const none = { secret_hash: null, registration_token_hash: null };
    await storeAgent(services, { client_id: clientId, origin: 'document', metadata, freshMs, address, ...none });
  } catch (error) {
    if (!(error instanceof UnreadJson)) throw error;
    if (!error.passes || !isRecent) throw refusal(error.message);
  }
}
