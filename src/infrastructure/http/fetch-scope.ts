/** The time limit of a request: long enough for a bad mobile network. */
export const TIMEOUT_MS = 60_000;

/** An object with `fetch`: the window, or a host's own `{ fetch }`. */
export interface FetchScope {
  readonly fetch: (input: Request, init?: RequestInit) => Promise<Response>;
}

/** The same options without a prototype, because `fetch` also reads inherited ones. */
export function bare(init: RequestInit | undefined): RequestInit {
  return Object.assign(Object.create(null) as RequestInit, init);
}
