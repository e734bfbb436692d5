/**
 * A queue of texts for the server that is kept when the page closes.
 *
 * - `add` resolves with whether the text was stored;
 * - `take` removes the oldest texts and resolves with them; two callers never get the same text;
 * - at most 100 texts are stored: the oldest are dropped first;
 * - a store that is full, blocked or missing stores nothing and does not throw.
 */
export interface OutboxPort {
  add(text: string): Promise<boolean>;
  take(count: number): Promise<readonly string[]>;
}
