import type { Infer, Shape } from '#domain/shape.ts';

export type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/**
 * One call of the wire (specification, section 7) as data. The client, the fakes and the provider's routes are built from it.
 *
 * `path` is relative to `/sdk/v1`, or to `/v1` for the backend API; `:name` marks a parameter. `reply` lists only the fields that the
 * client itself reads, and only these are checked. The type `Reply` describes the complete reply.
 */
export interface Endpoint<Params extends string = string, Body = unknown, Reply = unknown, Query = unknown> {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body: Shape;
  /** True when the body is a list of objects of that shape. */
  readonly list: boolean;
  /** True if the server accepts the call only once, like every login. */
  readonly spends?: true;
  readonly reply: Shape;
  /** The query parameters; all of them are strings. */
  readonly query?: QueryShape;
  /** A type-level member. It is never set. */
  readonly types?: { readonly params: Params; readonly body: Body; readonly reply: Reply; readonly query: Query };
}

/** The parameters of a query, each required or optional. */
export type QueryShape = Readonly<Record<string, 'string' | 'string?'>>;

/** The fields that every reply has. */
export interface ReplyBase {
  readonly status_code: number;
  readonly request_id: string;
}

export type ParamsFor<E> = E extends Endpoint<infer Params> ? Params : never;
export type BodyFor<E> = E extends Endpoint<string, infer Body> ? Body : never;
export type ReplyFor<E> = E extends Endpoint<string, unknown, infer Reply> ? Reply : never;
export type QueryFor<E> = E extends Endpoint<string, unknown, unknown, infer Query> ? Query : never;

/** The method and path of a call, such as `POST /sdk/v1/otps/authenticate`, for all calls of a table below a prefix. */
export type CallsOf<Table, Prefix extends string> = {
  [Area in keyof Table]: {
    [Name in keyof Table[Area]]: Table[Area][Name] extends {
      readonly method: infer Method extends string;
      readonly path: infer Path extends string;
    }
      ? `${Method} ${Prefix}${Path}`
      : never;
  }[keyof Table[Area]];
}[keyof Table];

export type Method = Endpoint['method'];

/** The method and path as types, which together name a call. */
export interface EndpointRoute<How extends Method, Path extends string> {
  readonly method: How;
  readonly path: Path;
}

export interface EndpointDefinition<
  How extends Method,
  Path extends string,
  Body extends Shape,
  Query extends QueryShape = {},
> {
  readonly name: string;
  readonly method: How;
  readonly path: Path;
  readonly body?: Body;
  readonly spends?: true;
  readonly reply?: Shape;
  readonly query?: Query;
}

/** Describes a call: `endpoint<Reply>()({ name, method, path, body, reply })`. */
export function endpoint<Reply extends object>() {
  return <
    const How extends Method,
    const Path extends string,
    const Body extends Shape = {},
    const Query extends QueryShape = {},
  >(
    definition: EndpointDefinition<How, Path, Body, Query>,
  ): Endpoint<ParamsOf<Path>, Infer<Body>, ReplyBase & Reply, Infer<Query>> & EndpointRoute<How, Path> => ({
    body: {},
    list: false,
    reply: {},
    ...definition,
  });
}

/** The path with its parameters filled in, each as one segment. Throws a RangeError for an empty parameter, `.` and `..`. */
export function pathOf(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/:([a-z_]+)/giu, (_, name: string) => {
    const value = params[name] ?? '';
    if (value === '' || value === '.' || value === '..') throw new RangeError(`${name} is not an id`);
    return encodeURIComponent(value);
  });
}
