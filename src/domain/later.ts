import { codeLoad } from './code-loads.ts';
import type { AuthError } from './errors.ts';

/** The maximum number of waiting calls. */
const MAX_WAITING = 1_000;

/**
 * A value that arrives later, such as the code behind an `import()`. It is loaded once, when it is first needed; after a failed
 * load, the next call of `load` tries again.
 */
export interface Later<T> {
  /** The value; null until it has arrived. */
  value(): T | null;
  /** Resolves with the value. Calls during a load share it. Rejects as `codeLoad` does. */
  load(): Promise<T>;
  /**
   * Calls `act` with the value: immediately if it has arrived, else when it arrives, in the order of the calls. It does not start a load.
   * When a load fails, calls with `failed` end with the error; the others wait for the next load. At most a thousand calls can wait;
   * further ones are dropped.
   */
  pass(act: (value: T) => void, failed?: (error: AuthError) => void): void;
}

/** @param begin starts a load */
export function later<T extends object>(begin: () => Promise<T>): Later<T> {
  let value: T | null = null;
  let loading: Promise<T> | null = null;
  let waiting: Parameters<Later<T>['pass']>[] = [];

  const arrive = (arrived: T): T => {
    value = arrived;
    for (const [act] of waiting.splice(0)) act(arrived);
    return arrived;
  };
  const fail = (cause: AuthError): never => {
    loading = null;
    const calls = waiting;
    waiting = calls.filter(([, failed]) => !failed);
    for (const [, failed] of calls) failed?.(cause);
    throw cause;
  };
  return {
    value: () => value,
    load: () => (loading ??= codeLoad(begin()).then(arrive, fail)),
    pass: (...call) => {
      if (value !== null) call[0](value);
      else if (waiting.length < MAX_WAITING) waiting.push(call);
    },
  };
}

/** True if the method may return a promise instead: its result type includes one, or is void. */
type IsAwaited<Result> = [Result] extends [void] ? true : Promise<Awaited<Result>> extends Result ? true : false;

/** The methods of an object that may return a promise, or return nothing. */
export type AsyncMethods<T> = {
  readonly [
    Name in keyof T as T[Name] extends (...args: never[]) => infer Result
      ? IsAwaited<Result> extends true
        ? Name
        : never
      : never
  ]: T[Name];
};

/**
 * The methods of an object that arrives later; they can be called immediately. Each call loads the object with `load`, then calls its
 * method.
 *
 * @param instead handles the call if the object cannot be loaded; without it, the call rejects
 */
export function methodsOf<T extends object>(load: () => Promise<T>, instead?: (cause: unknown) => T): AsyncMethods<T> {
  type Method = (...args: unknown[]) => unknown;
  const get = (_: object, name: string | symbol) =>
    // With a method `then`, the proxy would count as a promise when it is awaited.
    name === 'then'
      ? undefined
      : async (...args: unknown[]) => ((await load().catch(instead))[name as keyof T] as Method)(...args);
  return new Proxy({}, { get }) as AsyncMethods<T>;
}
