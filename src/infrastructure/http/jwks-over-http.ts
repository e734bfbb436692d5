import type { KeysPort, PublishedKey, TransportPort } from '#application/ports/index.ts';
import { SDKAPIError, SDKAPIUnreachableError } from '#domain/errors.ts';
import { parseJson } from '#domain/json.ts';
import { retryAfterMs } from '#domain/retry-after.ts';
import { hasShape } from '#domain/shape.ts';

const JWKS = { keys: 'object[]' } as const;

const NOT_FOUND = { status_code: 404, error_type: 'route_not_found', error_url: '' } as const;

/** A set of keys at a URL (RFC 7517, section 5). */
export class JwksOverHttp implements KeysPort {
  constructor(
    private readonly transport: TransportPort,
    private readonly url: string,
  ) {}

  async read(): Promise<readonly PublishedKey[]> {
    const headers = { accept: 'application/json' };
    const response = await this.transport.send({ method: 'GET', url: this.url, headers, body: null });
    const set = parseJson(response.text);
    if (response.status === 200 && hasShape(JWKS, set)) return set.keys;
    // The API has no such project, or there is no API at the URL.
    if (response.status === 404)
      throw new SDKAPIError({ ...NOT_FOUND, error_message: `There are no keys at ${this.url}` });
    throw new SDKAPIUnreachableError(
      set === undefined ? 'invalid-json' : 'invalid-response',
      retryAfterMs(response.headers),
    );
  }
}
