import { isStorable } from '#server-rules/request-body.ts';
import { hasKeys, type ConnectedAppSettings } from '#provider/project/settings/access.ts';
import type { LoginServices } from '#provider/accounts/services.ts';
import { findApp } from '#provider/project/registry/connected-apps.ts';
import { claimedAssertion, provesByAssertion, UNPROVEN } from './client-assertions.ts';
import { provesClient } from './client-secrets.ts';
import type { Form } from '../protocol/form.ts';
import { OAuthError } from '../protocol/oauth-error.ts';

export interface ClaimedClient {
  readonly id: string;
  /**
   * The secret of the request. A secret in the header is also tried without decoding, because many clients do not encode it. Empty for
   * none.
   */
  readonly secrets: readonly string[];
}

const BASIC = /^Basic +([A-Za-z0-9+/_-]+={0,2}) *$/iu;

/** RFC 6749, section 2.3.1: in the header or the body, not both. An empty secret counts as none. */
export function claimedClient(header: string | undefined, form: Form): ClaimedClient {
  const { client_id = '', client_secret } = form;
  const inForm = client_secret === undefined ? [] : [client_secret];
  if (header === undefined || header === '') return { id: client_id, secrets: inForm };
  const pair = Buffer.from(BASIC.exec(header)?.[1] ?? '', 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  const id = decoded(colon < 0 ? pair : pair.slice(0, colon)) ?? '';
  // The database, which is searched for the id, cannot store such text.
  if (!isStorable(id)) throw new OAuthError('invalid_client', UNPROVEN);
  if (client_secret !== undefined) throw new OAuthError('invalid_request', 'The client authenticates in two ways.');
  if (client_id !== '' && client_id !== id) throw new OAuthError('invalid_request', 'Two clients are named.');
  const rawSecret = colon < 0 ? '' : pair.slice(colon + 1);
  const secrets = [decoded(rawSecret) ?? '', rawSecret].filter((secret) => secret !== '');
  return { id, secrets: [...new Set(secrets)] };
}

/** The id that the request claims, without proof. */
export function claimedId(header: string | undefined, form: Form): string {
  return claimedAssertion(form)?.id ?? claimedClient(header, form).id;
}

/** RFC 6749, appendix B; null for a text that is not encoded this way. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/** The URLs of this server that a client may use as the audience of its assertion. */
export interface AssertionAudience {
  readonly issuer: string;
  readonly tokenEndpoint: string;
}

/**
 * Identifies the client of a request. A confidential client proves itself by its secret or, if it has keys, by an assertion that it signed.
 * A public client only sends its id (`none`, RFC 7591, section 2). Every failure has the same answer, so that it does not reveal whether a
 * client exists.
 */
export async function authenticatedClient(
  services: LoginServices,
  header: string | undefined,
  form: Form,
  audience: AssertionAudience,
): Promise<ConnectedAppSettings> {
  const asserted = claimedAssertion(form);
  if (asserted !== null && ((header ?? '') !== '' || form['client_secret'] !== undefined)) {
    throw new OAuthError('invalid_request', 'The client authenticates in two ways.');
  }
  const { id, secrets } = asserted === null ? claimedClient(header, form) : { id: asserted.id, secrets: [] };
  const client = isStorable(id) ? await findApp(services, id) : undefined;
  if (client !== undefined && asserted !== null) {
    if (await provesByAssertion(services, client, asserted.assertion, audience)) return client;
  } else if (client?.client_type === 'public' && secrets.length === 0) {
    return client;
  } else if (client?.client_type === 'confidential' && !hasKeys(client)) {
    // A client with keys has no secret: an earlier secret must not remain as a weaker way in.
    const results = await Promise.all(secrets.map(async (secret) => provesClient(services, client, secret)));
    if (results.includes(true)) return client;
  }
  throw new OAuthError('invalid_client', UNPROVEN);
}
