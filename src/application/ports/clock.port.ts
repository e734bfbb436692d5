/**
 * Time.
 *
 * - `now` is milliseconds since 1970;
 * - `after` runs the task once, after at least `ms` milliseconds, and never synchronously;
 * - a delay of any length works, even one that is too long for a platform timer;
 * - the returned function cancels the task and can be called repeatedly;
 * - a pending task does not keep a process alive.
 */
export interface ClockPort {
  now(): number;
  after(ms: number, task: () => void): () => void;
}
