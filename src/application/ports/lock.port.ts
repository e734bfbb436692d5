/**
 * One task at a time under a name, across the tabs of a browser where the platform can.
 *
 * - two tasks under one name do not overlap while each is done within the other's patience;
 * - a task waits at most `patienceMs` for the lock, then runs without it;
 * - the lock is free again when the task has settled, also when it rejected;
 * - the result, or the rejection, is the task's own.
 */
export interface LockPort {
  run<T>(name: string, patienceMs: number, task: () => Promise<T>): Promise<T>;
}
