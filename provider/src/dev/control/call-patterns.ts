import { api, API_PREFIX } from '#application/api/index.ts';
import type { Endpoint } from '#application/api/endpoint.ts';
import { backendApi, BACKEND_PREFIX } from '#provider/base/backend-api/backend-api.ts';
import { PATHS, PREFIX } from '#provider/apps/idp/protocol/paths.ts';
import { PROJECT_OAUTH_PREFIX } from '#provider/apps/project-oauth-routes.ts';

/** The calls that a fault applies to: `POST /v1/users/:user_id`, `* /sdk/v1/*`, or `*` for all of them. */
interface CallPattern {
  /** Null for any. */
  readonly method: string | null;
  readonly segments: readonly string[];
}

const FORM = /^(\*|[A-Z]{1,10}) (\/\S{0,255})$/u;

/** Null for text in another format. */
function patternFrom(call: string): CallPattern | null {
  const [, method = '', path = ''] = FORM.exec(call === '*' ? '* /*' : call) ?? [];
  if (path === '') return null;
  return { method: method === '*' ? null : method, segments: segmentsOf(path) };
}

const segmentsOf = (path: string): readonly string[] => path.replace(/^\/|\/$/gu, '').split('/');
const isParameter = (segment: string): boolean => segment.startsWith(':');

/** @param isDescribed whether the other one is a pattern, too, in which a segment may match any */
function covers({ method, segments }: CallPattern, other: CallPattern, isDescribed: boolean): boolean {
  if (method !== null && method !== other.method) return false;
  const isOpen = segments.at(-1) === '*';
  const fixed = isOpen ? segments.slice(0, -1) : segments;
  if (isOpen ? other.segments.length < fixed.length : other.segments.length !== fixed.length) return false;
  return fixed.every((segment, place) => {
    const theirs = other.segments[place] ?? '';
    return segment === theirs || isParameter(segment) || (isDescribed && isParameter(theirs));
  });
}

function callsOf(prefix: string, table: object): readonly string[] {
  const areas = Object.values(table as Readonly<Record<string, Readonly<Record<string, Endpoint>>>>);
  return areas.flatMap((area) => Object.values(area).map(({ method, path }) => `${method} ${prefix}${path}`));
}

/** All calls that can be made to fail. */
const CALLS: readonly string[] = [
  ...callsOf(API_PREFIX, api),
  ...callsOf(BACKEND_PREFIX, backendApi),
  ...Object.values(PATHS).flatMap((path) => ['GET', 'POST'].map((method) => `${method} ${PREFIX}${path}`)),
  ...['token', 'introspect', 'revoke'].map((path) => `POST ${PROJECT_OAUTH_PREFIX}/${path}`),
  ...['start', 'callback'].flatMap((step) =>
    ['GET', 'POST'].map((method) => `${method} ${BACKEND_PREFIX}/public/oauth/:provider/${step}`),
  ),
];

/** Whether the text names at least one call of this server. */
export function namesCall(text: string): boolean {
  const pattern = patternFrom(text);
  return pattern !== null && CALLS.some((call) => covers(pattern, patternFrom(call) ?? pattern, true));
}

/** Whether the text, accepted by `namesCall`, matches this request. */
export function matchesCall(text: string, method: string, path: string): boolean {
  const pattern = patternFrom(text);
  return pattern !== null && covers(pattern, { method, segments: segmentsOf(path) }, false);
}
