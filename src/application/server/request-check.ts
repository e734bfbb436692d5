import type { RequestSource } from './cross-origin.ts';

/** Describes what was passed instead of a request. It may contain a secret, so only its kind is named. */
function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (typeof Reflect.get(value, 'get') === 'function') return 'its Headers: give the whole request, or { headers }';
  return 'headers' in value ? 'an object with other headers' : 'an object without headers';
}

/** Throws a TypeError for anything without the headers of a request, because it would count as signed out. */
export function checkRequest(method: string, request: unknown): asserts request is RequestSource {
  const headers: unknown = typeof request === 'object' && request !== null ? Reflect.get(request, 'headers') : null;
  if (typeof headers === 'object' && headers !== null && !Array.isArray(headers)) return;
  throw new TypeError(`${method} needs a Request, or Node's request; this is ${kindOf(request)}`);
}
