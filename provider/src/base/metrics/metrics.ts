/** The facts about an answered request. None of them comes from the request's contents. */
export interface AnsweredRequest {
  /** `OTHER` for a method without a route. */
  readonly method: string;
  /** The route's path with the names of its parameters, or `(no route)`. */
  readonly pattern: string;
  readonly status: number;
  readonly seconds: number;
  readonly requestId: string;
  /** The `error_type` of the reply; absent if the request was not refused. */
  readonly refusal?: string;
}

/** The turn of one table, or of another part, in a sweep. */
export interface SweepTurn {
  /** The name of the table. */
  readonly part: string;
  /** The number of rows that were due. */
  readonly rows: number;
  readonly seconds: number;
  /** `behind`: more rows are left than the part may delete per turn. */
  readonly outcome: 'done' | 'behind' | 'failed';
}

/** A passkey was offered, added or used to log in, or adding or using one was refused. */
export type PasskeyStep = 'offered' | 'made' | 'used' | 'failed';

export interface BrowserFamily {
  readonly browser: 'Chrome' | 'Safari' | 'Firefox' | 'Edge' | 'other';
  /** Whether it is on a phone or tablet. */
  readonly mobile: boolean;
}

/**
 * Counts the events of a server. Every argument must have few different values, because Prometheus stores a series for each combination. So
 * ids, addresses and other contents of requests must not be used.
 */
export interface Metrics {
  request(exchange: AnsweredRequest): void;
  /** A message that was passed to a carrier, or given up. */
  delivery(channel: string, outcome: 'sent' | 'retry' | 'dead' | 'expired'): void;
  /** A text message that was not sent because the budget of its country, or of the project, is used up. */
  spentTextBudget(country: string): void;
  swept(turn: SweepTurn): void;
  passkey(step: PasskeyStep, by: BrowserFamily): void;
  /** A batch of the audit log that its sink accepted or refused, and the number of accepted events. */
  auditBatch(outcome: 'sent' | 'failed', events: number): void;
  /** The time up to which the audit log was delivered; null if another process delivers it, or none. */
  auditReached(at: Date | null): void;
}

/** Counts nothing: for a server without metrics. */
export const NO_METRICS: Metrics = {
  request: () => undefined,
  delivery: () => undefined,
  spentTextBudget: () => undefined,
  swept: () => undefined,
  passkey: () => undefined,
  auditBatch: () => undefined,
  auditReached: () => undefined,
};
