/** An HTTP request. `body` is JSON text, or null for a request without a body. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly signal?: AbortSignal | undefined;
  /** Continues when the page is left. The bodies of such requests may have at most 64 KiB together. */
  readonly keepalive?: boolean | undefined;
  /** The adapter must not retry the request, because the caller retries it. */
  readonly once?: boolean | undefined;
}

/** An HTTP response of any status, with its body as text. Header names are lower case. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * Sends a request to a server and resolves with the response.
 *
 * - a response of any status resolves;
 * - a request without a response rejects;
 * - POST, PUT and DELETE are sent once. A GET without a response, or with one of 429, 502, 503 or 504, may be sent again, at most
 *   twice and not before its `Retry-After`, unless it has `once`;
 * - redirects are not followed;
 * - cookies are sent;
 * - aborting the signal rejects.
 */
export interface TransportPort {
  send(request: HttpRequest): Promise<HttpResponse>;
}
