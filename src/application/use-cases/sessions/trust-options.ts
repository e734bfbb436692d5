import type { Shape } from '../../../domain/shape.ts';

/** The option of the calls that complete a second factor. */
export interface TrustOptions {
  /** Asks for one factor in this browser from now on, where the project allows it (not in the reference client). */
  readonly trust_device?: boolean | undefined;
}

export const TRUST = { trust_device: 'boolean?' } as const satisfies Shape;

/** The option as a field of a request; without it the request stays as the reference's. */
export const trusting = (trust_device: boolean | undefined): TrustOptions =>
  trust_device === undefined ? {} : { trust_device };
