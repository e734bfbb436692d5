/** A call that is in no table of the two APIs or of OAuth. It has no body. */
export interface FurtherCall<Reply = unknown> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** A type-level member. It is never set. */
  readonly types?: { readonly reply: Reply };
}

/** Describes such a call: `furtherCall<Reply>()('GET', path)`. */
export const furtherCall =
  <Reply extends object>() =>
  (method: FurtherCall['method'], path: string): FurtherCall<Reply> => ({ method, path });
