import { isStorable, cutText } from '#server-rules/request-body.ts';
import type { RuleName } from '../protocol/failure-rules.ts';

/** The parameters of requests and registrations whose values are not secret, and so are stored. */
const PLAIN: ReadonlySet<string> = new Set([
  'response_type',
  'response_mode',
  'grant_type',
  'scope',
  'prompt',
  'max_age',
  'code_challenge_method',
  'token_type_hint',
  'application_type',
  'token_endpoint_auth_method',
  'grant_types',
  'response_types',
  'client_assertion_type',
]);

/** The parameters whose values are URLs, which can have secrets in their queries. */
const ADDRESSES: ReadonlySet<string> = new Set(['redirect_uri', 'redirect_uris', 'resource', 'jwks_uri']);

/** The parameters of which only the presence is stored. */
const SECRETS: ReadonlySet<string> = new Set([
  'code',
  'code_challenge',
  'code_verifier',
  'client_secret',
  'client_assertion',
  'refresh_token',
  'device_code',
  'token',
  'request',
  'request_uri',
  'registration',
  'id_token_hint',
]);

/** The parameters whose absence is worth showing, by rule. */
const NEEDED: Readonly<Partial<Record<RuleName, readonly string[]>>> = {
  redirect: ['redirect_uri'],
  redirect_of_code: ['redirect_uri'],
  resource: ['resource'],
  scope: ['scope'],
  request: ['response_type'],
  proof_key: ['code_challenge', 'code_challenge_method'],
  verifier: ['code_verifier'],
  grant_type: ['grant_type'],
};

const LONGEST = 512;
/** Names in a URL's query are shorter. A longer one may be a value without a name. */
const LONGEST_NAME = 20;
const MOST = 24;

/** Removes what may be a user and a password from a part of a path. */
function withoutUser(part: string): string {
  const sign = part.lastIndexOf('@');
  return sign < 0 ? part : `…${part.slice(sign)}`;
}

/** @param isCut whether the text ends within the URL */
function shownAddress(text: string, isCut: boolean): string {
  const [address = '', fragment] = text.split('#', 2);
  if (!/^[a-z][a-z\d+.-]{0,60}:/iu.test(address)) {
    return `(${isCut ? 'more than ' : ''}${text.length} characters that are not an address)`;
  }
  const [path = '', query] = address.split('?', 2);
  const parts = path.split('/').map(withoutUser);
  // The end of a cut path may be a user whose `@` was cut off.
  if (isCut && query === undefined && fragment === undefined) parts.splice(-1, 1, '…');
  const names = query?.split('&').map((pair) => {
    const [name = '', value] = pair.split('=');
    return value === undefined || name.length > LONGEST_NAME ? '…' : `${name}=…`;
  });
  const end = fragment === undefined ? '' : '#…';
  return `${parts.join('/')}${names === undefined ? '' : `?${names.join('&')}`}${end}`;
}

/**
 * The URLs (separated by spaces) without users, query values and fragments, which can be secrets. Of any other text only the length is
 * shown. Only the stored part is read, because anybody can send a long text.
 */
export function withoutSecrets(text: string): string {
  const all = cutText(text, LONGEST).split(' ');
  return all.map((each, at) => shownAddress(each, text.length > LONGEST && at === all.length - 1)).join(' ');
}

/** The text, shortened, without invisible characters, which could change how a page or a terminal shows it. */
export const visible = (text: string, longest: number): string => text.slice(0, longest).replaceAll(/\p{C}/gu, '�');

function redact(name: string, value: string): string | null {
  if (!isStorable(cutText(value, LONGEST))) return '(not Unicode without NUL)';
  if (PLAIN.has(name)) return visible(value, LONGEST);
  if (ADDRESSES.has(name)) return visible(withoutSecrets(value), LONGEST);
  if (SECRETS.has(name)) return `(${value.length} characters, not stored)`;
  return null;
}

/** The parameters to store: without secrets, and with those whose absence matters for the rule. */
export function shownParameters(
  rule: RuleName,
  fields: Iterable<readonly [name: string, value: string]>,
): readonly (readonly [name: string, value: string])[] {
  const entries = [...fields].slice(0, 100);
  const present = entries.flatMap(([name, value]): [string, string][] => {
    const text = redact(name, value);
    return text === null ? [] : [[name, text]];
  });
  const absent = (NEEDED[rule] ?? []).filter((name) => !entries.some(([each]) => each === name));
  return [...present.slice(0, MOST), ...absent.map((name): [string, string] => [name, '(absent)'])];
}
