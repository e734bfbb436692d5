/** `portico/bound`: sessions that are bound to a key of the browser, so that their token alone is worth nothing elsewhere. */
import type { BindingKeysPort, TransportPort } from '../application/ports/index.ts';
import { SDKUsageError } from '../domain/errors.ts';
import { ConsoleLog } from '../infrastructure/browser/console-log.ts';
import { SystemClock } from '../infrastructure/browser/system-clock.ts';
import { WebCrypto } from '../infrastructure/browser/web-crypto.ts';
import { BoundFetch } from '../infrastructure/http/bound-fetch.ts';
import { KyTransport } from '../infrastructure/http/ky-transport.ts';
import { IndexedDbBindingKeys } from '../infrastructure/storage/indexed-db-binding-keys.ts';

export { IndexedDbBindingKeys };
export type { BindingKey, BindingKeysPort, TransportPort } from '../application/ports/index.ts';

/** Options of `boundTransport`. */
export interface BoundTransportOptions {
  /** `true` refuses logins where the browser can keep no key. Otherwise their sessions are not bound, and the console says so once. */
  readonly required?: boolean;
  /** Where the keys are: in IndexedDB unless given. */
  readonly keys?: BindingKeysPort;
}

const NAMES: ReadonlySet<string> = new Set(['required', 'keys'] satisfies readonly (keyof BoundTransportOptions)[]);
const DATABASE = 'portico_bound';

/**
 * The transport of a client whose sessions are bound (RFC 9449): `adapters: { transport: boundTransport() }`. It may be made on a server,
 * and sends in browsers only.
 *
 * Throws an SDKUsageError for options that it does not have.
 */
export function boundTransport(options: BoundTransportOptions = {}): TransportPort {
  const unknown = Object.keys(options).find((name) => !NAMES.has(name));
  if (unknown !== undefined) throw new SDKUsageError('boundTransport', `${unknown} is no option`);
  const { required = false, keys = new IndexedDbBindingKeys(() => window, DATABASE) } = options;
  if (typeof required !== 'boolean') throw new SDKUsageError('boundTransport', 'required must be true or false');
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
