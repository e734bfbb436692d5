import type { HttpRequest } from '#application/ports/index.ts';

/** A request that the fake server received. */
export interface SeenRequest<Params extends string = string> {
  /** The endpoint's name, or null if no handler was set for it. */
  readonly endpoint: string | null;
  readonly method: HttpRequest['method'];
  readonly url: string;
  /** Without the prefix. */
  readonly path: string;
  readonly params: Readonly<Record<Params, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON; null if there was no body, undefined if it was not JSON. */
  readonly body: unknown;
  /** The cookies of the request. */
  readonly cookies: ReadonlyMap<string, string>;
}
