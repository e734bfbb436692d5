import { parseJson } from '../../../../src/domain/json.ts';
import { isStorable } from '../../../../src/domain/rules/request-body.ts';
import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import { isLoopbackHost } from '../../../../src/domain/safe-url.ts';
import { isRecord } from '../../../../src/domain/shape.ts';
import { OutsideError, outsideFetch } from '../../base/http/outside-fetch.ts';
import { MINUTE_MS } from '../../base/platform.ts';
import { take, takeForNetwork } from '../../base/security/limits.ts';
import type { LoginServices, Services } from '../../accounts/services.ts';
import type { AgentMetadata } from '../../project/agent-metadata.ts';
import { findAgent, storeAgent } from './agents.ts';
import { checkMetadata } from './client-metadata.ts';
import { OAuthError } from './oauth-error.ts';

/** Client ids that are the addresses of metadata documents (draft-ietf-oauth-client-id-metadata-document). */

/** Ids of the wire have at most 256 characters. */
const LONGEST = 256;
/** A person waits meanwhile. */
const TIMEOUT_MS = 5_000;
/** The draft recommends 5 kB, which some keys would exceed. */
const MAX_BYTES = 10 * 1024;

const SHORTEST_MS = 5 * MINUTE_MS;
const USUAL_MS = 60 * MINUTE_MS;
const LONGEST_MS = 24 * 60 * MINUTE_MS;
/** So long the last reading counts while the document's host does not answer. */
const LEEWAY_MS = 24 * 60 * MINUTE_MS;

const refused = (message: string): Refusal => new Refusal('invalid_client_document', message);

/** True for a client id that can only be the address of a document. */
export const isDocumentId = (clientId: string): boolean => /^https?:\/\//u.test(clientId);

/**
 * The address, which must be in its normal form: https with a path, without user, query, fragment and dot segments (section 3 of the
 * draft). With `--dev` also http on this machine.
 */
function addressIn({ dev }: Pick<Services, 'dev'>, clientId: string): URL {
  const url =
    clientId.length <= LONGEST && /^[!-~]+$/u.test(clientId) && URL.canParse(clientId) ? new URL(clientId) : null;
  const isPlain = url?.href === clientId && url.username + url.password === '' && !/[?#]/u.test(clientId);
  if (url === null || !isPlain || url.pathname === '/') {
    throw refused(
      `client_id must be the address of a document in its normal form, of at most ${LONGEST} characters, with a path and without query.`,
    );
  }
  const isHere = isLoopbackHost(url.hostname);
  if (url.protocol !== 'https:' && !(dev && isHere)) throw refused('client_id must be an https address.');
  return url;
}

/** A time in the reply's `Cache-Control`, within bounds (RFC 9111, section 5.2.2). */
function freshMsOf(headers: Headers): number {
  const said = headers.get('cache-control') ?? '';
  if (/\bno-(?:store|cache)\b/iu.test(said)) return SHORTEST_MS;
  const seconds = /\bmax-age=(\d{1,9})\b/iu.exec(said)?.[1];
  const wanted = seconds === undefined ? USUAL_MS : Number(seconds) * 1000;
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, wanted));
}

const REASONS = {
  timed_out: 'did not answer in time',
  unreachable: 'could not be reached',
  too_large: `is larger than ${MAX_BYTES / 1024} kB`,
  forbidden_address: 'is not at a public address',
} as const;

/** The document could not be read for a reason that may pass. */
class UnreadDocument extends Refusal {
  constructor(message: string) {
    super('invalid_client_document', message);
  }
}

async function read(
  { dev }: Pick<Services, 'dev'>,
  url: URL,
): Promise<{ readonly metadata: AgentMetadata; readonly freshMs: number }> {
  // Nobody but this machine can name its own addresses: everybody else's must be public.
  const fetch = outsideFetch({
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    allowPrivate: dev && isLoopbackHost(url.hostname),
  });
  const reply = await fetch(url, { headers: { Accept: 'application/json' } }).catch((error: unknown) => {
    if (!(error instanceof OutsideError)) throw error;
    const passes = error.failure === 'timed_out' || error.failure === 'unreachable';
    const message = `The document of the app ${REASONS[error.failure]}.`;
    throw passes ? new UnreadDocument(message) : refused(message);
  });
  if (reply.status >= 500)
    throw new UnreadDocument(`The document of the app was answered with status ${reply.status}.`);
  // A redirect could lead anywhere, and the address is the app's name.
  if (reply.status !== 200) throw refused(`The document of the app was answered with status ${reply.status}, not 200.`);
  if (!/^application\/(?:[\w.-]+\+)?json\b/iu.test(reply.headers.get('content-type') ?? '')) {
    throw refused('The document of the app is not of the type application/json.');
  }
  const json = parseJson(await reply.text());
  if (!isRecord(json) || !isStorable(json)) throw refused('The document of the app is not a JSON object.');
  if (json['client_id'] !== url.href) throw refused('client_id in the document of the app is not its address.');
  if (json['client_secret'] !== undefined) throw refused('The document of the app contains a client_secret.');
  const metadata = metadataIn(json);
  return { metadata, freshMs: freshMsOf(reply.headers) };
}

function metadataIn(json: Readonly<Record<string, unknown>>): AgentMetadata {
  try {
    const metadata = checkMetadata(json, 'none');
    if (metadata.token_endpoint_auth_method.startsWith('client_secret')) {
      throw refused('token_endpoint_auth_method in the document of the app must be none or private_key_jwt.');
    }
    return metadata;
  } catch (error) {
    throw error instanceof OAuthError ? refused(`In the document of the app: ${error.message}`) : error;
  }
}

/**
 * Reads the document of a client that has one, unless it was read a short while ago. Every other endpoint then finds the client in the
 * database.
 *
 * @param address the network that wants it read
 * @throws Refusal `invalid_client_document`, which says what is wrong with the document
 */
export async function readClientDocument(services: LoginServices, clientId: string, address: string): Promise<void> {
  if (!services.project.agents.metadata_documents || !isDocumentId(clientId)) return;
  const url = addressIn(services, clientId);
  const before = await findAgent(services, clientId);
  const now = services.clock.now();
  if (before !== undefined && before.fresh_until.getTime() > now) return;
  await takeForNetwork(services, 'documents', address, services.limits.documentsPerNetwork);
  await take(services, `documents:host:${url.host}`, services.limits.documentsPerHost, 'too_many_requests');
  try {
    const { metadata, freshMs } = await read(services, url);
    const none = { secret_hash: null, registration_token_hash: null };
    await storeAgent(services, { client_id: clientId, origin: 'document', metadata, freshMs, ...none });
  } catch (error) {
    const isRecent = before !== undefined && now - before.read_at.getTime() < LEEWAY_MS;
    if (!(error instanceof UnreadDocument) || !isRecent) throw error;
  }
}
