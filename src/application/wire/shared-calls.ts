import { AUTHENTICATED } from '../api/authenticated.ts';
import type { Endpoint } from '../api/index.ts';

type Call = Pick<Endpoint, 'name' | 'body' | 'reply' | 'spends'>;

/** Whether the server accepts only the first of two equal calls: each login uses up its credential, and so do some other calls. */
const spends = ({ reply, spends: isSpent }: Call): boolean => isSpent === true || reply === AUTHENTICATED;

/**
 * Two calls with the same text are equal. The text contains the required fields, without numbers such as a duration. Null for a call that
 * can be repeated, and for one without a credential.
 */
function keyOf(call: Call, values: object): string | null {
  const required = Object.entries(call.body).filter(([, kind]) => !kind.endsWith('?') && kind !== 'number');
  if (!spends(call) || !required.some(([, kind]) => kind === 'string')) return null;
  return JSON.stringify([call.name, ...required.map(([field]) => values[field as keyof object])]);
}

/** Calls that use up something which the server accepts once. Equal simultaneous calls are sent once, and share the result. */
export class SharedCalls {
  private readonly pending = new Map<string, Promise<unknown>>();

  /**
   * Runs the call, or waits for an equal one that is running. Only the optional fields of the first one are sent.
   *
   * @param values the fields of the call's body
   */
  async share<Result>(call: Call, values: object, run: () => Promise<Result>): Promise<Result> {
    const key = keyOf(call, values);
    if (key === null) return run();
    const other = this.pending.get(key);
    if (other !== undefined) return other as Promise<Result>;
    const own = run().finally(() => this.pending.delete(key));
    this.pending.set(key, own);
    return own;
  }
}
