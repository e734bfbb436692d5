import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { ROOT } from '#scripts/lib/root.mjs';
import { api, API_PREFIX, type Endpoint } from '#application/api/index.ts';
import { soundValue } from '../attacks/hostile-values.ts';
import { basic, PUBLIC_TOKEN, type Fields } from './harness.ts';

/** Every place of every call without a secret of the project where a stranger can write a text, from the routes and the sources. */

export interface PublicCall {
  /** Such as `POST /oauth2/token`. */
  readonly name: string;
  /** Such as `form redirect_uri`. */
  readonly field: string;
  /** The request with this text in the field. */
  readonly request: (text: string, session: string) => readonly [path: string, init: RequestInit];
}

interface Route {
  readonly method: string;
  readonly path: string;
}

/** Routes of operators, of the app's server, and of developers. */
const NOT_PUBLIC = /^\/(?:admin|accounts|dev|v1(?!\/public))(?:\/|$)/u;
const METHODS = ['GET', 'POST', 'PUT', 'DELETE'];
const TEXT = /^[a-z]{2,}(?:[_-][a-z]+)*$/u;

const endpoints: readonly Endpoint[] = Object.values(api).flatMap((area) => Object.values(area) as Endpoint[]);

interface Names {
  readonly fields: readonly string[];
  readonly headers: readonly string[];
}

/** The fields and headers that the code reads by their names, and the texts of the list of parameters. */
function namesInSources(): Names {
  const fields = new Set<string>();
  const headers = new Set<string>();
  const folders = ['apps', 'accounts', 'api', 'base/http'].map((each) => join(ROOT, 'provider/src', each));
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  for (const file of files.filter((name) => name.endsWith('.ts'))) {
    const isList = file.endsWith('shown-parameters.ts');
    new Visitor({
      Literal({ value }) {
        if (isList && typeof value === 'string' && TEXT.test(value)) fields.add(value);
      },
      MemberExpression({ computed, property }) {
        if (!computed || property.type !== 'Literal' || typeof property.value !== 'string') return;
        if (TEXT.test(property.value)) fields.add(property.value);
      },
      CallExpression({ callee, arguments: given }) {
        const name =
          callee.type === 'MemberExpression' && callee.property.type === 'Identifier' ? callee.property.name : '';
        const called = callee.type === 'Identifier' ? callee.name : name;
        for (const each of given) {
          if (each.type !== 'Literal' || typeof each.value !== 'string' || !TEXT.test(each.value)) continue;
          if (called === 'header' && given.length === 1) headers.add(each.value);
          if (/^(?:get|getAll|has|query|required|optional)$/u.test(called)) fields.add(each.value);
        }
      },
    }).visit(parseSync(file, readFileSync(file, 'utf8')).program);
  }
  return { fields: [...fields].sort(), headers: [...headers].sort() };
}

/** A header cannot hold control characters, and the listener reads at most so many. */
const LONGEST_HEADER = 12 * 1024;
const LONGEST_TARGET = 12 * 1024;

const authorized = (session: string): Record<string, string> => ({ authorization: basic(PUBLIC_TOKEN, session) });

/** The path with a text in each of its parameters. */
const filled = (path: string, text: string): string =>
  path.replaceAll(/:\w+(?:\{[^}]*\})?/gu, () => encodeURIComponent(text.slice(0, LONGEST_TARGET / 3)));

function callsOfEndpoint(endpoint: Endpoint): readonly PublicCall[] {
  const { method, path, list } = endpoint;
  const body = Object.entries(endpoint.body as Record<string, string>);
  const sound: Fields = Object.fromEntries(
    body.filter(([, kind]) => !kind.endsWith('?')).map(([name, kind]) => [name, soundValue(name, kind)]),
  );
  const json = (fields: Fields): string => JSON.stringify(list ? [fields] : fields);
  const headers = (session: string) => ({ ...authorized(session), 'content-type': 'application/json' });
  const name = `${method} ${API_PREFIX}${path}`;
  return body.map(([field, kind]) => ({
    name,
    field,
    request: (text, session) => {
      const isList = kind.startsWith('string[');
      const value = isList ? [text] : kind.startsWith('object') ? { [text.slice(0, 1024)]: text } : text;
      const init = { method, headers: headers(session) };
      const target = API_PREFIX + filled(path, 'x');
      return [target, method === 'GET' ? init : { ...init, body: json({ ...sound, [field]: value }) }];
    },
  }));
}

function callsOfRoute({ method, path }: Route, { fields }: Names): readonly PublicCall[] {
  const name = `${method} ${path}`;
  const call = (field: string, request: PublicCall['request']): PublicCall => ({ name, field, request });
  const inPath = path.includes(':')
    ? [call('path', (text, session) => [filled(path, text), { method, headers: authorized(session) }])]
    : [];
  const inQuery = fields.map((field) =>
    call(`query ${field}`, (text, session) => {
      const query = `${field}=${encodeURIComponent(text.slice(0, LONGEST_TARGET / 3))}`;
      return [`${filled(path, 'x')}?${query}`, { method, headers: authorized(session) }];
    }),
  );
  if (method === 'GET' || method === 'DELETE') return [...inPath, ...inQuery];
  const inForm = fields.map((field) =>
    call(`form ${field}`, (text) => {
      const client: Fields = field === 'client_id' ? {} : { client_id: 'app' };
      const grant: Fields = /^grant_type$/u.test(field) ? {} : { grant_type: 'authorization_code' };
      // A form has every character as it is, but for the five that have a meaning there.
      const value = text.replaceAll(/[%&+=#]/gu, (sign) => encodeURIComponent(sign));
      const body = `${new URLSearchParams({ ...client, ...grant }).toString()}&${field}=${value}`;
      return [filled(path, 'x'), { method, headers: { 'content-type': 'application/x-www-form-urlencoded' }, body }];
    }),
  );
  const inJson = fields.map((field) =>
    call(`json ${field}`, (text, session) => {
      const body = JSON.stringify({ [field]: field.endsWith('s') ? [text] : text });
      return [
        filled(path, 'x'),
        { method, headers: { ...authorized(session), 'content-type': 'application/json' }, body },
      ];
    }),
  );
  return [...inPath, ...inForm, ...inJson];
}

const callsWithHeaders = ({ method, path }: Route, { headers }: Names): readonly PublicCall[] =>
  headers.map((field) => ({
    name: `${method} ${path}`,
    field: `header ${field}`,
    request: (text, session) => [
      filled(path, 'x'),
      { method, headers: { ...authorized(session), [field]: text.slice(0, LONGEST_HEADER) } },
    ],
  }));

/** @param routes those that an app has mounted */
export function publicCalls(routes: readonly Route[]): readonly PublicCall[] {
  const names = namesInSources();
  const mounted = new Map<string, Route>();
  for (const { method, path } of routes) {
    if (path.endsWith('*') || NOT_PUBLIC.test(path) || path.startsWith(API_PREFIX)) continue;
    for (const each of method === 'ALL' ? METHODS : [method]) mounted.set(`${each} ${path}`, { method: each, path });
  }
  const others = [...mounted.values()];
  return [
    ...endpoints.flatMap(callsOfEndpoint),
    ...others.flatMap((route) => callsOfRoute(route, names)),
    ...[...endpoints.map(({ method, path }) => ({ method, path: API_PREFIX + path })), ...others].flatMap((route) =>
      callsWithHeaders(route, names),
    ),
  ];
}
