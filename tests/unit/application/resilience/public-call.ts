/** A public call as data. */
import { type Endpoint } from '#application/api/index.ts';
import type { PorticoClient } from '#composition/client.ts';

type Fields = Readonly<Record<string, unknown>>;

/** One public call that goes to the server, in a form that a test can bend. */
export interface PublicCall {
  /** The public name, as usage errors tell it. */
  readonly method: string;
  readonly to: readonly Endpoint[];
  /** Arguments that are as they must be, by name. */
  readonly good: Fields;
  /** The kinds of the required ones, in the order of checking. */
  readonly required: Readonly<Record<string, 'string' | 'number' | 'boolean' | 'string[]'>>;
  readonly call: (client: PorticoClient, given: never) => Promise<unknown>;
}

/** The same object without some fields; getters stay getters. */
export function rest(given: Fields, ...names: readonly string[]): never {
  const kept = Object.entries(Object.getOwnPropertyDescriptors(given)).filter(([name]) => !names.includes(name));
  return Object.defineProperties({}, Object.fromEntries(kept)) as never;
}

/** A call that takes all its arguments in one object. */
export function object(
  method: string,
  to: readonly Endpoint[],
  good: Fields,
  required: PublicCall['required'],
  call: (client: PorticoClient, given: never) => Promise<unknown>,
): PublicCall {
  return { method, to, good, required, call };
}
