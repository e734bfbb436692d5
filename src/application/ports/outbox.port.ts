/**
 * Texts on their way to a server that outlive the page that wrote them.
 *
 * - `add` answers whether the text is kept;
 * - `take` answers the oldest texts and removes them: no two callers get the same one;
 * - at most 100 texts are kept: the oldest go first;
 * - a store that is full, forbidden or missing keeps nothing and does not throw.
 */
export interface OutboxPort {
  add(text: string): Promise<boolean>;
  take(count: number): Promise<readonly string[]>;
}
