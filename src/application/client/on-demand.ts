import { SDKAPIUnreachableError } from '../../domain/errors.ts';

/** The async methods of a part of the client. */
export type OnDemand<T> = {
  readonly [Method in keyof T as T[Method] extends (...args: never[]) => Promise<unknown> ? Method : never]: T[Method];
};

/** Every async method by its name, so that one that is forgotten does not compile. */
export type MethodsOf<T> = Readonly<Record<keyof OnDemand<T>, true>>;

/**
 * A part of the client that is loaded when the first of its methods is called: few pages need it, and none at its start.
 * When it cannot be loaded the call rejects as when the server cannot be reached, and the next call tries anew.
 */
export function onDemand<T extends object>(methods: MethodsOf<T>, load: () => Promise<T>): OnDemand<T> {
  const call =
    (method: string) =>
    async (...args: unknown[]) => {
      const part = await load().catch((cause: unknown) => {
        const error = new SDKAPIUnreachableError('network');
        error.cause = cause;
        throw error;
      });
      return (part as Record<string, (...given: unknown[]) => Promise<unknown>>)[method]?.(...args);
    };
  return Object.fromEntries(Object.keys(methods).map((method) => [method, call(method)])) as OnDemand<T>;
}
