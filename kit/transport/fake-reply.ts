/** A reply that a fake server's handler may return instead of plain data. */
export class FakeReply {
  constructor(
    readonly status: number,
    readonly text: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/** A reply of any status with this value as its JSON body, not wrapped in `data`. */
export function reply(status: number, json: unknown, headers?: Readonly<Record<string, string>>): FakeReply {
  return new FakeReply(status, JSON.stringify(json), { 'content-type': 'application/json', ...headers });
}

/** A reply with exactly this text as its body. */
export function rawReply(status: number, text: string, headers?: Readonly<Record<string, string>>): FakeReply {
  return new FakeReply(status, text, headers);
}

/** An error reply in the wire's format (specification, section 8). */
export function errorReply(
  status: number,
  errorType: string,
  message: string = errorType,
  details?: object,
): FakeReply {
  return reply(status, {
    status_code: status,
    request_id: 'request-id-test',
    error_type: errorType,
    error_message: message,
    error_url: `https://example.com/errors/${errorType}`,
    error_details: details,
  });
}

/** The error with which `fetch` rejects when there is no network. A handler throws or returns it. */
export function offline(): TypeError {
  return new TypeError('Failed to fetch');
}
