/** A request as it goes on the wire. `body` is JSON text, or null for none. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly signal?: AbortSignal | undefined;
  /** Goes on when the page is left. At most 64 KiB of such requests may be under way. */
  readonly keepalive?: boolean | undefined;
}

/** An answer as it came: any status, the text unread. Header names are lower case. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * Carries one request to a server and its answer back.
 *
 * - an answer of any status resolves, with its body as text;
 * - a request that got no answer rejects;
 * - a request is sent once: nothing is retried here, and no redirect is followed;
 * - cookies go along;
 * - aborting the signal rejects.
 */
export interface TransportPort {
  send(request: HttpRequest): Promise<HttpResponse>;
}
