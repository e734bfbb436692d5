import { isUnloaded, SDKAPIError, unreachable } from '#domain/errors.ts';
import { toAuthError } from '#domain/thrown.ts';
import type { Fixture } from '../../gallery/fixture.ts';
import { TEXT_ORIGINS, type TextOrigin } from './text-origins.ts';

/** `path`: the place of the string in the fixture, such as `state.passkeys[].name`. */
export type Replace = (text: string, path: string) => string;

const ORIGINS: ReadonlyMap<string, TextOrigin> = new Map(Object.entries(TEXT_ORIGINS));

/** The row of a path: texts by language share one. */
export const rowOf = (path: string): string => (ORIGINS.has(path) ? path : path.replace(/[^.]+$/u, '*'));

/** Types prove that a path without a row has one of a few words. */
function isOurs(path: string): boolean {
  const origin = ORIGINS.get(rowOf(path)) ?? 'ours';
  return origin === 'ours' && !path.startsWith('strings.');
}

function errorWith(error: Error, path: string, replace: Replace): Error {
  if (isUnloaded(error)) return unreachable(new TypeError(replace(String(error.cause), `${path}.cause.message`)));
  if (!(error instanceof SDKAPIError)) {
    return 'cause' in error ? toAuthError(new Error(replace(error.message, `${path}.cause.message`))) : error;
  }
  const { status_code, error_type, error_message, error_url } = error;
  return new SDKAPIError({
    status_code,
    error_type: replace(error_type, `${path}.error_type`),
    error_message: replace(error_message, `${path}.error_message`),
    error_url: replace(error_url, `${path}.error_url`),
  });
}

function within(value: unknown, path: string, replace: Replace): unknown {
  if (typeof value === 'string') return isOurs(path) ? value : replace(value, path);
  if (value instanceof Error) return errorWith(value, path, replace);
  if (Array.isArray(value)) return value.map((each) => within(each, `${path}[]`, replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, within(each, `${path}.${key}`, replace)]));
}

/** The fixture with another text wherever there may be any. */
export function withTexts({ state, config, styles, strings, ...rest }: Fixture, replace: Replace): Fixture {
  const hint = { ...config, emailMagicLinksOptions: { domainHint: 'acme.test' } };
  const given = { state, config: hint, styles: { ...styles, logo: { logoImageUrl: 'x', ...styles?.logo } }, strings };
  const changed = Object.entries(given).map(([name, part]) => [name, within(part, name, replace)]);
  return { ...rest, ...(Object.fromEntries(changed) as typeof given) };
}

/** Which elements there are with which attributes, whatever their texts and values say. A long address has places to break. */
export function skeleton(element: Element): string {
  const names = element
    .getAttributeNames()
    .filter((name) => name !== 'translate')
    .sort()
    .join(' ');
  /** A line's break, or a piece of a text. */
  const isOfText = (one: Element): boolean =>
    one.tagName === 'WBR' || (one.tagName === 'SPAN' && one.attributes.length === 0 && one.children.length === 0);
  return `<${element.tagName} ${names}>${[...element.children]
    .filter((one) => !isOfText(one))
    .map(skeleton)
    .join('')}</>`;
}
