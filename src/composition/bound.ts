/** `portico/bound`: sessions that are bound to a key of the browser, so that their token alone is useless elsewhere. */
import type { BindingKeysPort, TransportPort } from '#application/ports/index.ts';
import { SDKUsageError } from '#domain/errors.ts';
import { unknownOption } from '#domain/widget/option-names.ts';
import { wrongFields, type FieldKind } from '#domain/shape.ts';
import { ConsoleLog } from '#infrastructure/browser/console-log.ts';
import { SystemClock } from '#infrastructure/browser/system-clock.ts';
import { WebCrypto } from '#infrastructure/browser/web-crypto.ts';
import { BoundFetch } from '#infrastructure/http/bound-fetch.ts';
import { proofBy } from '#infrastructure/http/proof.ts';
import { KyTransport } from '#infrastructure/http/ky-transport.ts';
import { IndexedDbBindingKeys } from '#infrastructure/storage/indexed-db-binding-keys.ts';

export { IndexedDbBindingKeys };
export type { BindingKey, BindingKeysPort, TransportPort } from '#application/ports/index.ts';

/** Options of `boundTransport`. */
export interface BoundTransportOptions {
  /** `true` rejects logins in browsers that cannot store a key. Otherwise their sessions are not bound, with one warning. */
  readonly required?: boolean;
  /** Where the keys are stored. Default: IndexedDB. */
  readonly keys?: BindingKeysPort;
}

const OPTIONS = { required: 'boolean', keys: 'object' } as const satisfies Record<
  keyof BoundTransportOptions,
  FieldKind
>;
const DATABASE = 'portico_bound';

/**
 * The transport of a client whose sessions are bound (RFC 9449): `adapters: { transport: boundTransport() }`. It can be created on a
 * server, but sends requests only in browsers.
 *
 * Throws an SDKUsageError that names the first wrong option.
 */
export function boundTransport(options: BoundTransportOptions = {}): TransportPort {
  const unknown = unknownOption(options, Object.keys(OPTIONS));
  if (unknown !== null) throw new SDKUsageError('boundTransport', unknown);
  // A default replaces only an option that is undefined: null must not switch `required` off.
  const input = Object.entries(OPTIONS).filter(([name]) => options[name as keyof BoundTransportOptions] !== undefined);
  const [wrong] = wrongFields(Object.fromEntries(input), options);
  if (wrong !== undefined) throw new SDKUsageError('boundTransport', wrong.message);
  const { required = false, keys = new IndexedDbBindingKeys(() => window, DATABASE) } = options;
  const { crypto } = globalThis;
  return new KyTransport(
    new BoundFetch(() => globalThis, {
      keys,
      clock: new SystemClock(globalThis),
      crypto: new WebCrypto(crypto),
      log: new ConsoleLog(globalThis),
      isRequired: required,
    }),
  );
}

/** A request of the page to the app's own server, for which `proofFor` makes a proof. */
export interface ProofRequest {
  /** The client's public token: each project has a separate key. */
  readonly publicToken: string;
  /** The method of the request, such as `POST`. */
  readonly method: string;
  /** Its URL: absolute, or relative to the page. */
  readonly url: string;
  /** The session JWT of the request (`client.session.getTokens()`). */
  readonly token: string;
  /** Where the keys are stored, if `boundTransport` was given another place. */
  readonly keys?: BindingKeysPort;
}

const REQUEST = { publicToken: 'string', method: 'string', url: 'string', token: 'string', keys: 'object?' } as const;

/**
 * The value of the header `DPoP` for one request to the app's own server (RFC 9449, section 4.2): a proof by the key to which the session
 * is bound. It can be used once, for this method, URL and JWT. Resolves with null if this browser has no key, for example because it cannot
 * store one.
 *
 * Rejects with an SDKUsageError that names the first invalid field.
 */
export async function proofFor(request: ProofRequest): Promise<string | null> {
  const wrong = unknownOption(request, Object.keys(REQUEST)) ?? wrongFields(REQUEST, request)[0]?.message;
  if (wrong !== undefined) throw new SDKUsageError('proofFor', wrong);
  const { publicToken, token, keys = new IndexedDbBindingKeys(() => window, DATABASE) } = request;
  const { method, url } = asSent(request);
  const key = await keys.find(publicToken);
  const { crypto } = globalThis;
  const parts = { clock: new SystemClock(globalThis), crypto: new WebCrypto(crypto) };
  return key && proofBy(key, { method, url, secret: token }, parts);
}

/** The method and the URL as `fetch` sends them. */
function asSent({ method, url }: ProofRequest): Request {
  try {
    return new Request(url, { method });
  } catch {
    throw new SDKUsageError('proofFor', 'url and method must be those of a request that fetch can send');
  }
}
