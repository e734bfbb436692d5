import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** A request and its response, as the provider saw and sent them. */
export interface Exchange {
  readonly method: string;
  readonly url: URL;
  /** Empty without a body. */
  readonly requestBody: string;
  readonly requestType: string;
  readonly status: number;
  readonly contentType: string;
  readonly responseBody: string;
}

/**
 * How requests are compared. `closed`: they have no field that is not described. `open`: a foreign client may send further fields, which the
 * server ignores. `unchecked`: tests write them by hand, with more fields than a client sends.
 */
export type RequestCheck = 'closed' | 'open' | 'unchecked';

// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;
type Methods = Readonly<Record<string, Json>>;

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/u;
/** The paths that the description covers: without those to which social providers send browsers. */
const COVERED = /^\/(?:sdk\/v1|oauth2|\.well-known|v1(?!\/public\/oauth\/[^/]{0,100}\/callback))\//u;
/** A preflight, and a GET without its body. */
const NO_CALLS: ReadonlySet<string> = new Set(['OPTIONS', 'HEAD']);
/** What is refused before the server looks for a route, and routes that are not there. */
const NO_ROUTE: ReadonlySet<unknown> = new Set([
  'browser_not_allowed',
  'method_not_allowed',
  'route_not_found',
  'unregistered_origin',
]);

/** Compares requests and responses with an OpenAPI description. */
export class DescriptionCheck {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly routes: readonly (readonly [pattern: RegExp, path: string, methods: Methods])[];
  private readonly mismatches = new Set<string>();

  constructor(private readonly description: Json) {
    this.ajv.addFormat('date-time', DATE_TIME);
    this.ajv.addFormat('uri', (text) => URL.canParse(text));
    this.ajv.addSchema(description, 'description');
    this.routes = Object.entries<Methods>(description.paths)
      // `/users/search` comes before `/users/{user_id}`.
      .sort(([one], [other]) => (one.replaceAll('{', '~') < other.replaceAll('{', '~') ? -1 : 1))
      .map(([path, methods]) => [patternOf(path), path, methods]);
  }

  /** Whether the description covers the API of a path. */
  covers(path: string): boolean {
    return COVERED.test(path);
  }

  /** The described paths, such as `/v1/users/{user_id}`. */
  get paths(): readonly string[] {
    return this.routes.map(([, path]) => path);
  }

  /** What does not match the description since the last call, a line for each. */
  takeMismatches(): readonly string[] {
    const found = [...this.mismatches];
    this.mismatches.clear();
    return found;
  }

  check(exchange: Exchange, requests: RequestCheck = 'closed'): void {
    const { method, url, status } = exchange;
    if (NO_CALLS.has(method) || !COVERED.test(url.pathname)) return;
    const [, path, methods] = this.routes.find(([pattern]) => pattern.test(url.pathname)) ?? [];
    const verb = method.toLowerCase();
    const operation = methods?.[verb];
    if (path === undefined || operation === undefined) {
      if (status !== 405 && !isNoRoute(exchange)) this.report(exchange, 'is not described');
      return;
    }
    if (status < 400 && requests !== 'unchecked') this.checkRequest(exchange, operation, [path, verb, requests]);
    this.checkResponse(exchange, operation, ['paths', path, verb, 'responses', String(status)]);
  }

  private checkRequest(
    exchange: Exchange,
    operation: Json,
    [path, verb, requests]: readonly [path: string, verb: string, requests: RequestCheck],
  ): void {
    const parameters: readonly Json[] = operation.parameters ?? [];
    const known = new Set<string>(parameters.map(({ name }) => name));
    const patterns = parameters.flatMap(({ schema }) => Object.keys(schema.patternProperties ?? {}));
    for (const name of exchange.url.searchParams.keys()) {
      const isDescribed = known.has(name) || patterns.some((pattern) => new RegExp(pattern, 'u').test(name));
      if (!isDescribed) this.report(exchange, `has the query parameter ${name}, which is not described`);
    }
    const [type = JSON_TYPE] = exchange.requestType.split(';');
    const value = type === FORM ? formIn(exchange.requestBody) : parsed(exchange.requestBody);
    if (operation.requestBody === undefined) {
      if (Object.keys(value ?? {}).length > 0) this.report(exchange, 'has a body, which is not described');
      return;
    }
    if (exchange.requestBody === '' && operation.requestBody.required !== true) return;
    const schema = operation.requestBody.content[type === '' ? JSON_TYPE : type]?.schema;
    if (schema === undefined) return this.report(exchange, `has a body of the type ${type}, which is not described`);
    const validate = this.validator(`${verb} ${path} ${type} ${requests}`, () =>
      requests === 'closed' ? closed(schema) : schema,
    );
    if (!validate(value)) this.report(exchange, `request: ${textOf(validate)}`);
  }

  private checkResponse(exchange: Exchange, operation: Json, pointer: readonly string[]): void {
    const declared = operation.responses[exchange.status];
    if (declared === undefined) return this.report(exchange, `the status ${exchange.status} is not described`);
    const place = declared.$ref === undefined ? pointer : declared.$ref.slice(2).split('/');
    const response = place.reduce((value: Json, key: string) => value[key], this.description);
    const type = exchange.contentType.split(';')[0] ?? '';
    // A redirect, a deletion, and a request without a token (RFC 6750, section 3.1).
    if (exchange.responseBody === '' && type === '') return;
    if (response.content?.[type] === undefined) return this.report(exchange, `the type ${type} is not described`);
    const reference = ['', ...place, 'content', type, 'schema'].map(escaped).join('/');
    const validate = this.validator(reference, () => ({ $ref: `description#${reference}` }));
    const value = type === JSON_TYPE ? parsed(exchange.responseBody) : exchange.responseBody;
    if (!validate(value)) this.report(exchange, `response ${exchange.status}: ${textOf(validate)}`);
  }

  private validator(key: string, schemaOf: () => object): ValidateFunction {
    const validate = this.validators.get(key) ?? this.ajv.compile(schemaOf());
    this.validators.set(key, validate);
    return validate;
  }

  private report({ method, url }: Exchange, what: string): void {
    this.mismatches.add(`${method} ${url.pathname}: ${what}`);
  }
}

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/gu, '[^/]+')}/?$`, 'u');

/** A part of a JSON pointer in a URI. */
const escaped = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

function parsed(text: string): Json {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The fields of a form. A repeated one counts once. */
const formIn = (text: string): Json => Object.fromEntries(new URLSearchParams(text));

const isNoRoute = ({ responseBody, status }: Exchange): boolean =>
  status >= 400 && NO_ROUTE.has(parsed(responseBody)?.error_type);

/** The schema of a body without other fields than it names, unless it allows them: no client should need them. */
function closed(schema: Json): Json {
  if (schema.items !== undefined) return { ...schema, items: closed(schema.items) };
  return { additionalProperties: false, ...withWholeReferences(schema) };
}

/** The schema as a document of its own, with references to the description. */
const withWholeReferences = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"description#'));

const textOf = ({ errors }: ValidateFunction): string =>
  (errors ?? [])
    .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
    .join('; ');
