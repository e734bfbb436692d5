import { isSecureUrl } from '../../../../src/domain/safe-url.ts';
import { CLIENT_ID as ID, SCOPE } from './app-fields.ts';
import { distinct, FieldError, listOf, Mistakes, object, texts, textThat, type Reader } from '../readers/readers.ts';
import { urlIn } from '../readers/url-text.ts';

/** An API of the project, such as an MCP server, for which apps get access tokens. */
export interface ProtectedResource {
  /** Its address: the `resource` of requests, and the `aud` of the tokens (RFC 8707, section 2; RFC 9728). */
  readonly resource: string;
  /** What a consent page calls it; null for its host. */
  readonly name: string | null;
  /** The scopes of the project that mean something to it; null for all. Its tokens have no other ones, except the standard scopes. */
  readonly scopes: readonly string[] | null;
  /** The confidential client as which it asks about the tokens that it gets (RFC 7662); null for none. */
  readonly introspection_client_id: string | null;
}

const NAME = textThat('1 to 60 visible characters', (value) => /^[^\p{C}]{1,60}$/u.test(value));

/**
 * The address of an API in one spelling, or null for a text that cannot be one: an absolute https or http URL of at most 512 characters
 * without user, query and fragment. A root has no slash at its end, because clients disagree about that.
 */
export function resourceUrl(text: string): string | null {
  const url = /^https?:\/\/[!-~]{1,512}$/u.test(text) ? urlIn(text) : null;
  if (url === null || url.username + url.password !== '' || /[?#]/u.test(text)) return null;
  return url.pathname === '/' ? url.origin : url.href;
}

const RESOURCE: Reader<string> = (value, path) => {
  const must = 'an https URL, or http on this machine, without user, query and fragment';
  const url = resourceUrl(textThat(must, (address) => resourceUrl(address) !== null)(value, path));
  if (url === null || !isSecure(url)) throw new FieldError(path, must);
  return url;
};

/** True for https, and for http on this machine. A token that travels in plain text has other readers than its API. */
export function isSecure(url: string): boolean {
  return isSecureUrl(new URL(url));
}

export const protectedResources: Reader<readonly ProtectedResource[]> = distinct(
  'resource',
  ({ resource }) => resource,
  listOf(
    object<ProtectedResource>(
      { resource: RESOURCE, name: NAME, scopes: texts(SCOPE), introspection_client_id: ID },
      { name: null, scopes: null, introspection_client_id: null },
    ),
  ),
);

/** Refuses an API with scopes that the project does not have, or with a client that cannot prove itself. */
export function checkResources(
  {
    resources,
    clients,
  }: {
    readonly resources: readonly ProtectedResource[];
    readonly clients: readonly { readonly client_id: string; readonly client_type: string }[];
  },
  projectScopes: ReadonlySet<string>,
): void {
  const mistakes = new Mistakes();
  resources.forEach(({ scopes, introspection_client_id: id }, index) => {
    scopes?.forEach((scope, at) =>
      mistakes.refuseIf(!projectScopes.has(scope), `resources[${index}].scopes[${at}]`, 'a scope of the project'),
    );
    const client = clients.find(({ client_id }) => client_id === id);
    const isOpen = id !== null && client?.client_type !== 'confidential';
    const must = 'a confidential client of the project file';
    mistakes.refuseIf(isOpen, `resources[${index}].introspection_client_id`, must);
  });
  mistakes.check();
}
