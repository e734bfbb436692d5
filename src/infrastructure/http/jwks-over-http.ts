import type { KeysPort, PublishedKey, TransportPort } from '../../application/ports/index.ts';
import { SDKAPIUnreachableError } from '../../domain/errors.ts';
import { parseJson } from '../../domain/json.ts';
import { retryAfterMs } from '../../domain/retry-after.ts';
import { hasShape } from '../../domain/shape.ts';

const JWKS = { keys: 'object[]' } as const;

/** A set of keys at an address (RFC 7517, section 5). */
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
    throw new SDKAPIUnreachableError(
      set === undefined ? 'invalid-json' : 'invalid-response',
      retryAfterMs(response.headers),
    );
  }
}
