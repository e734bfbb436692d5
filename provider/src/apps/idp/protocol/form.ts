import { Refusal } from '#domain/rules/refusal.ts';
import { isStorable } from '#server-rules/request-body.ts';
import { mediaType, readText } from '#provider/base/http/request.ts';
import type { FormField } from './oauth-calls.ts';
import { OAuthError } from './oauth-error.ts';

/** The parameters of a request. Only those in `oauthCalls` can be read. */
export type Form = { readonly [Field in FormField]?: string };

/**
 * The values of `resource`, which may be repeated (RFC 8707, section 2), as one text; undefined if there are none. They are separated by
 * spaces, which URIs cannot contain.
 */
export function joinedResources(values: readonly string[]): string | undefined {
  const resources = values.filter((value) => value !== '');
  if (resources.some((value) => value.includes(' '))) throw new OAuthError('invalid_target', 'resource is not a URI.');
  return resources.length === 0 ? undefined : resources.join(' ');
}

/** The fields of a form. A repeated field is an error (RFC 6749, section 3.2), except `resource`. An empty field counts as absent. */
export async function readForm(request: Request): Promise<Form> {
  const text = await readText(request).catch((error: unknown) => {
    const unreadable = error instanceof Refusal && error.type === 'invalid_json';
    throw unreadable ? new OAuthError('invalid_request', 'The body is not UTF-8.') : error;
  });
  if (mediaType(request) !== 'application/x-www-form-urlencoded') {
    throw new OAuthError('invalid_request', 'The body must be application/x-www-form-urlencoded.');
  }
  const entries = [...new URLSearchParams(text)].filter(([, value]) => value !== '');
  const strange = entries.some(([name, value]) => !isStorable(name) || !isStorable(value));
  if (strange) throw new OAuthError('invalid_request', 'A parameter is not Unicode without NUL.');
  const others = entries.filter(([name]) => name !== 'resource');
  const names = new Set(others.map(([name]) => name));
  if (names.size < others.length) throw new OAuthError('invalid_request', 'A parameter is there more than once.');
  const resource = joinedResources(entries.flatMap(([name, value]) => (name === 'resource' ? [value] : [])));
  return { ...Object.fromEntries(others), ...(resource === undefined ? {} : { resource }) };
}

/** A required field. */
export function required(form: Form, field: FormField): string {
  const value = form[field];
  if (value === undefined) throw new OAuthError('invalid_request', `${field} is missing.`);
  return value;
}

/** Scopes are separated by spaces, in any order (RFC 6749, section 3.3). */
export function scopesIn(text: string): readonly string[] {
  return [...new Set(text.split(' ').filter((scope) => scope !== ''))];
}
