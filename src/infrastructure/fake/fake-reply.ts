/** What a fake server's handler may answer instead of plain data. */
export class FakeReply {
  constructor(
    readonly status: number,
    readonly text: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/** An answer of any status whose body is this value as JSON, not wrapped in `data`. */
export function reply(status: number, json: unknown, headers?: Readonly<Record<string, string>>): FakeReply {
  return new FakeReply(status, JSON.stringify(json), { 'content-type': 'application/json', ...headers });
}

/** An answer whose body is this very text. */
export function rawReply(status: number, text: string, headers?: Readonly<Record<string, string>>): FakeReply {
  return new FakeReply(status, text, headers);
}

/** An error reply as the wire has it (specification, section 8). */
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

/** No answer at all: what `fetch` rejects with when there is no network. A handler throws or returns it. */
export function offline(): TypeError {
  return new TypeError('Failed to fetch');
}
