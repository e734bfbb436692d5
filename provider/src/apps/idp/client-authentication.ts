import { isStorable } from '../../../../src/domain/rules/request-body.ts';
import type { ConnectedAppSettings } from '../../project/access.ts';
import type { Services } from '../../accounts/services.ts';
import { findApp } from '../../project/connected-apps.ts';
import { provesClient } from './client-secrets.ts';
import type { Form } from './form.ts';
import { OAuthError } from './oauth-error.ts';

export interface ClaimedClient {
  readonly id: string;
  readonly secret: string | null;
}

const BASIC = /^Basic +([A-Za-z0-9+/_-]+={0,2}) *$/iu;

/** RFC 6749, section 2.3.1: by header or in the body, not both. */
export function claimedClient(header: string | undefined, form: Form): ClaimedClient {
  const { client_id = '', client_secret = null } = form;
  if (header === undefined || header === '') return { id: client_id, secret: client_secret };
  const pair = Buffer.from(BASIC.exec(header)?.[1] ?? '', 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  const id = decoded(colon < 0 ? pair : pair.slice(0, colon));
  // The id is looked up in the database, which cannot hold such text.
  if (!isStorable(id)) throw new OAuthError('invalid_client', 'The client is unknown, or not proven.');
  if (client_secret !== null) throw new OAuthError('invalid_request', 'The client authenticates in two ways.');
  if (client_id !== '' && client_id !== id) throw new OAuthError('invalid_request', 'Two clients are named.');
  return { id, secret: colon < 0 ? null : decoded(pair.slice(colon + 1)) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new OAuthError('invalid_client', 'The client is not encoded as RFC 6749 says.');
  }
}

/**
 * Identifies the client of a request: a confidential client by its secret, a public one only by its id (`none`, RFC 7591,
 * section 2). Every failure has the same answer, which does not reveal whether a client exists.
 */
export async function authenticatedClient(
  services: Pick<Services, 'db' | 'clock' | 'keys' | 'project'>,
  header: string | undefined,
  form: Form,
): Promise<ConnectedAppSettings> {
  const { id, secret } = claimedClient(header, form);
  const client = await findApp(services, id);
  if (client?.client_type === 'public' && secret === null) return client;
  if (client?.client_type === 'confidential' && secret !== null) {
    if (await provesClient(services, client, secret)) return client;
  }
  throw new OAuthError('invalid_client', 'The client is unknown, or not proven.');
}
