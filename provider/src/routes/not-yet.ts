import { Refusal } from '../http/refusal.ts';

/** Stands where an answer is still to be written. */
export function notYet(): Promise<never> {
  return Promise.reject(new Refusal('internal_server_error'));
}
