import { isSecureUrl } from '#domain/safe-url.ts';
import { CLIENT_ID as ID, SCOPE } from './app-fields.ts';
import { distinct, FieldError, listOf, Mistakes, object, texts, textThat, type Reader } from '../readers/readers.ts';
import { urlIn } from '../readers/url-text.ts';

/** An API of the project, such as an MCP server, that apps can get access tokens for. */
export interface ProtectedResource {
  /** Its URL: the `resource` of requests, and the `aud` of the tokens (RFC 8707, section 2; RFC 9728). */
  readonly resource: string;
  /** Its name on a consent page; null for its host. */
  readonly name: string | null;
  /** The project's scopes that it uses; null for all. Its tokens have only these and the standard scopes. */
  readonly scopes: readonly string[] | null;
  /** The confidential client with which it introspects the tokens that it gets (RFC 7662); null for none. */
  readonly introspection_client_id: string | null;
}

const NAME = textThat('1 to 60 visible characters', (value) => /^[^\p{C}]{1,60}$/u.test(value));

/**
 * The URL of an API in one spelling. Null for an invalid one: it must be an absolute https or http URL of at most 512 characters without
 * user, query and fragment. A root has no slash at its end, because clients disagree about that.
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

/** True for https, and for http on this machine. If a token travels in plain text, others than its API can read it. */
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

/** Refuses an API with scopes that the project does not have, or with a client that cannot authenticate itself. */
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
