import type { BodyFor, Endpoint, ParamsFor, ReplyFor } from '../api/index.ts';

/** What a call of `/dev/control` was refused with. Its message is safe to show: it has nothing of the request. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
}

/** Calls `/dev/control` of a provider that was started with `--dev`. Rejects with a `ControlError` alone. */
export interface ControlPort {
  /** Where the provider is, such as `http://localhost:4100`. */
  readonly origin: string;
  call<E extends Endpoint>(
    endpoint: E,
    body: BodyFor<E>,
    params?: Readonly<Record<ParamsFor<E>, string>>,
  ): Promise<ReplyFor<E>>;
}
