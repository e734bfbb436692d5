import type { Shape } from '#domain/shape.ts';

/** The option of the calls that complete a second factor. */
export interface TrustOptions {
  /** Requests that this browser needs only one factor from now on, if the project allows it (not in the reference client). */
  readonly trust_device?: boolean | undefined;
}

export const TRUST = { trust_device: 'boolean?' } as const satisfies Shape;

/** The option as a field of a request. Without it the request is the same as the reference's. */
export const trusting = (trust_device: boolean | undefined): TrustOptions =>
  trust_device === undefined ? {} : { trust_device };
