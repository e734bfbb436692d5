import { isStorable, knownParams } from '../../../../../server-rules/request-body.ts';
import { Refusal } from '../../../../../src/domain/rules/refusal.ts';
import type { AppContext } from '../../../base/http/environment.ts';
import { readFields } from '../../../base/http/request.ts';
import type { Services } from '../../../api/services.ts';
import type { Operator } from './operator-store.ts';
import type { AuditActor } from './audit-actor.ts';

/** An operator who may make changes: for the audit log, and for the page of the response. */
export interface AdminOperator extends AuditActor {
  readonly operator: Operator;
}

/** The shared parts of the operators' page. */
export interface OperatorRouteContext {
  readonly services: Services;
  /** The operator of the session; refuses if there is none. */
  readonly operatorIn: (context: AppContext) => Promise<Operator>;
  /** The same, but refuses operators with read access. */
  readonly adminIn: (context: AppContext) => Promise<AdminOperator>;
}

export const PAGE_LIMIT = 50;

/** A value in the URL; undefined if the database cannot store it. */
export function query(context: AppContext, name: string): string | undefined {
  const text = context.req.query(name)?.slice(0, 300) ?? '';
  return text === '' || !isStorable(text) ? undefined : text;
}

/** A part of the path, such as the id of a user. */
export function param(context: AppContext, name: string): string {
  return knownParams(context.req.param())[name] ?? '';
}

/** The fields of a form, all of which the database can store. */
export async function formOf(context: AppContext): Promise<URLSearchParams> {
  const fields = await readFields(context.req.raw);
  if (!isStorable([...fields])) throw new Refusal('bad_request', 'The form holds characters that cannot be stored.');
  return fields;
}

/** Whether the operator typed the confirmation of an action that cannot be undone. */
export function isTyped(form: URLSearchParams, name: string, expected: string): boolean {
  return form.get(name)?.trim() === expected;
}
