import type { BodyFor, Endpoint, ParamsFor, ReplyFor } from '../api/index.ts';

/** The error of a refused `/dev/control` call. Its message is safe to show, because it contains no part of the request. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
}

/** Calls `/dev/control` of a provider that was started with `--dev`. Rejects only with a `ControlError`. */
export interface ControlPort {
  /** The provider's origin, such as `http://localhost:4100`. */
  readonly origin: string;
  call<E extends Endpoint>(
    endpoint: E,
    body: BodyFor<E>,
    params?: Readonly<Record<ParamsFor<E>, string>>,
  ): Promise<ReplyFor<E>>;
}
