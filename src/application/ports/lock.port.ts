/**
 * Runs one task at a time under a name, across the tabs of a browser if the platform supports it.
 *
 * - a task waits at most `patienceMs` for the lock, then runs without it; two tasks of one name overlap only if one runs for longer than
 *   the other waits. Tasks whose waits end together may wait up to a second longer, so that they begin one after the other;
 * - the lock is released when the task has settled, even if it rejected;
 * - `run` settles like the task.
 */
export interface LockPort {
  run<T>(name: string, patienceMs: number, task: () => Promise<T>): Promise<T>;
}
