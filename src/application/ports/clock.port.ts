/**
 * Time.
 *
 * - `now` is milliseconds since 1970;
 * - `after` runs the task once, `ms` from now or later, never before and never synchronously;
 * - a wait of any length is kept, also one longer than a platform timer can hold;
 * - the returned function calls it off, and may be called twice;
 * - a pending wait keeps no process alive.
 */
export interface ClockPort {
  now(): number;
  after(ms: number, task: () => void): () => void;
}
