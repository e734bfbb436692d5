import type { Channel } from '../channel.ts';
import type { Kind, TemplateValues } from './tables.ts';

/** A message on its way. */
export interface Parcel {
  /** The same in every attempt: the idempotency key. */
  readonly id: string;
  readonly channel: Channel;
  readonly kind: Kind;
  /** The address, number or URL. */
  readonly to: string;
  /** Empty for text messages. */
  readonly subject: string;
  readonly text: string;
  /** The requested language, such as `de`; `en` if there is none. */
  readonly locale: string;
  /** The requested template, if any. */
  readonly templateId: string | null;
  readonly values: TemplateValues;
  readonly code?: string;
  readonly link?: string;
  /** The content is worthless from then on. */
  readonly expiresAt: Date;
  /** 1 at first. */
  readonly attempt: number;
}

/** Reasons are shown to the operator. They must not hold a code, a link or a secret. */
export type Outcome =
  | { readonly kind: 'sent'; readonly reference?: string }
  /** Try again, not before `afterMs` if given. `isAway`: the receiver took no message at all, so that another one would fail as well. */
  | { readonly kind: 'retry'; readonly reason: string; readonly afterMs?: number; readonly isAway?: true }
  /** Another attempt would fail as well. */
  | { readonly kind: 'rejected'; readonly reason: string };

/** Takes messages of one channel out of the house: an SMTP server, a gateway. */
export interface Carrier {
  /**
   * May be called for the same id again, after an answer that got lost. A rejection counts as `retry`.
   *
   * @param signal aborts when the message expires, or when the attempt takes too long
   */
  deliver(parcel: Parcel, signal: AbortSignal): Promise<Outcome>;
  /** Called once, after the last delivery ended. */
  close(): Promise<void>;
}

export type Carriers = Partial<Record<Channel, Carrier>>;
