import { Refusal } from '#domain/rules/refusal.ts';
import { isStorable } from '#server-rules/request-body.ts';
import type { LoginServices, Services } from '#provider/accounts/services.ts';
import type { ConnectedAppSettings } from '#provider/project/settings/access.ts';
import { takeForNetwork } from '#provider/base/security/limits.ts';
import { newToken, tokenHash } from '#provider/base/security/secrets.ts';
import { checkPushed } from './authorization-endpoint.ts';
import { required, type Form } from '../protocol/form.ts';
import type { PushedReply } from '../protocol/oauth-calls.ts';
import { OAuthError } from '../protocol/oauth-error.ts';

/** RFC 9126, section 2.2. */
const PREFIX = 'urn:ietf:params:oauth:request_uri:';
const LIFETIME_SECONDS = 90;
const TOKEN = /^[\w-]{43}$/u;

/** The fields that authenticate the client. They are not part of its request. */
const OF_THE_CLIENT: ReadonlySet<string> = new Set(['client_secret', 'client_assertion', 'client_assertion_type']);

/**
 * Checks and stores the client's authorization request (RFC 9126, section 2.1). The browser then carries only its `request_uri`, so nobody
 * on the way can read or change the request.
 *
 * @param from the client's network, and this server's URL
 */
export async function pushRequest(
  services: LoginServices,
  client: ConnectedAppSettings,
  form: Form,
  { address, issuer }: { readonly address: string; readonly issuer: string },
): Promise<PushedReply> {
  // Each request is stored, a public client is not authenticated, and anybody can register an agent.
  if (client.client_type === 'public' || client.agent !== undefined)
    await takeForNetwork(services, 'par', address, services.limits.searchesPerNetwork);
  if (form['request_uri'] !== undefined) throw new OAuthError('invalid_request', 'request_uri cannot be pushed.');
  required(form, 'redirect_uri');
  const entries = Object.entries(form).filter(([name]) => !OF_THE_CLIENT.has(name));
  const resources = (form['resource'] ?? '').split(' ').map((each): [string, string] => ['resource', each]);
  const parameters = new URLSearchParams([
    ...entries.filter(([name]) => name !== 'client_id' && name !== 'resource'),
    ...resources.filter(([, each]) => each !== ''),
    ['client_id', client.client_id],
  ]);
  await checkPushed(services, parameters, issuer);
  const token = newToken(services.random);
  await services.db
    .insertInto('pushed_requests')
    .values({
      request_hash: tokenHash(token),
      client_id: client.client_id,
      parameters: parameters.toString(),
      expires_at: new Date(services.clock.now() + LIFETIME_SECONDS * 1000),
    })
    .execute();
  return { request_uri: `${PREFIX}${token}`, expires_in: LIFETIME_SECONDS };
}

/** The pushed request of a browser's visit, which uses it up; null if the visit has the parameters itself. */
export async function takePushed(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  params: URLSearchParams,
): Promise<URLSearchParams | null> {
  const [uri = '', ...others] = params.getAll('request_uri');
  if (!uri.startsWith(PREFIX)) return null;
  const [client_id = '', ...otherClients] = params.getAll('client_id');
  if (others.length > 0 || otherClients.length > 0) throw new Refusal('duplicate_parameter');
  const token = uri.slice(PREFIX.length);
  // The page's reference to a stored request is hashed with a blank in it, so it is never found here.
  if (!isStorable(client_id) || !TOKEN.test(token)) throw new Refusal('invalid_request_uri');
  const row = await db
    .deleteFrom('pushed_requests')
    .where('request_hash', '=', tokenHash(token))
    // A visit for another client must not use it up.
    .where('client_id', '=', client_id)
    .where('expires_at', '>', new Date(clock.now()))
    .returning('parameters')
    .executeTakeFirst();
  if (row === undefined) throw new Refusal('invalid_request_uri');
  return new URLSearchParams(row.parameters);
}
