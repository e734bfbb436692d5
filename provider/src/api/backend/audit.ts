import type { Endpoint } from '#application/api/endpoint.ts';
import { isRecord } from '#domain/shape.ts';
import type { Services } from '../services.ts';
import type { Credential } from '#provider/base/contract.ts';

/** The fields that name a call's subject, most specific first. None of them is a secret. */
const TARGETS = ['user_id', 'client_id', 'session_id', 'method_id', 'profile_id', 'id'];

/** The id in the first of these that has one. */
export function targetOf(...sources: readonly unknown[]): string | null {
  for (const source of sources) {
    for (const field of TARGETS) {
      const value = isRecord(source) ? source[field] : undefined;
      if (typeof value === 'string' && value !== '') return value.slice(0, 256);
    }
  }
  return null;
}

/** Calls that change only when a session was last used, although their method is POST. */
const READING = /^\/sessions\/authenticate$|\/search$|\/strength_check$/u;

/** Whether calls of the endpoint change stored data. */
export function changesData({ method, path }: Pick<Endpoint, 'method' | 'path'>): boolean {
  return method !== 'GET' && !READING.test(path);
}

export interface AuditedCall {
  readonly request_id: string;
  readonly call: string;
  readonly changes: boolean;
  readonly target: string | null;
}

export interface Outcome {
  readonly status: number;
  readonly error_type: string | null;
  readonly target: string | null;
}

/** Adds the result of a call. */
export type EndCall = (outcome: Outcome) => Promise<void>;

/**
 * Begins the record of a call. A call that changes something is recorded before it is carried out, so that there is a record even if the
 * server dies. A call that only reads is recorded once, before its reply is sent.
 */
export async function beginCall(
  { db, clock, report }: Pick<Services, 'db' | 'clock' | 'report'>,
  by: Credential,
  call: AuditedCall,
): Promise<EndCall> {
  const { secret_id, name } = by;
  const row = { ...call, secret_id, secret_name: name, created_at: new Date(clock.now()) };
  if (!call.changes) {
    return async ({ target, ...outcome }) => {
      // Somebody who sends made-up tokens to an app's server must not fill the database with lookups of them.
      if (outcome.error_type === 'session_not_found') return;
      await db
        .insertInto('backend_calls')
        .values({ ...row, ...outcome, target: target ?? row.target })
        .execute();
    };
  }
  const { seq } = await db.insertInto('backend_calls').values(row).returning('seq').executeTakeFirstOrThrow();
  return async ({ target, ...outcome }) => {
    try {
      await db
        .updateTable('backend_calls')
        .set({ ...outcome, target: target ?? row.target })
        .where('seq', '=', seq)
        .execute();
    } catch (error) {
      // A successful change is not undone if this fails: its record then has no result.
      report(error, { where: 'the trail of backend calls' });
    }
  };
}

/** The calls, newest first; all of them, or those about one user or other target. */
export async function listCalls({ db }: Pick<Services, 'db'>, target: string | null, most: number) {
  let calls = db.selectFrom('backend_calls').selectAll().orderBy('seq', 'desc').limit(most);
  if (target !== null) calls = calls.where('target', '=', target);
  return calls.execute();
}
