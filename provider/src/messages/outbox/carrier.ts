import type { Channel } from '../channel.ts';
import type { Kind, TemplateValues } from './tables.ts';

/** A message to deliver. */
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
  /** When the content becomes worthless. */
  readonly expiresAt: Date;
  /** 1 at first. */
  readonly attempt: number;
}

/** The outcome of an attempt. Reasons are shown to the operator, so they must not contain a code, a link or a secret. */
export type Outcome =
  | { readonly kind: 'sent'; readonly reference?: string }
  /** Try again, not before `afterMs` if given. `isAway`: the receiver accepted no message at all, so another one would fail as well. */
  | { readonly kind: 'retry'; readonly reason: string; readonly afterMs?: number; readonly isAway?: true }
  /** Another attempt would fail as well. */
  | { readonly kind: 'rejected'; readonly reason: string };

/** Delivers the messages of one channel to an external service: an SMTP server or a gateway. */
export interface Carrier {
  /**
   * May be called again for the same id if an answer was lost. A rejection counts as `retry`.
   *
   * @param signal aborts when the message expires, or when the attempt takes too long
   */
  deliver(parcel: Parcel, signal: AbortSignal): Promise<Outcome>;
  /** Called once, after the last delivery ended. */
  close(): Promise<void>;
}

export type Carriers = Partial<Record<Channel, Carrier>>;
