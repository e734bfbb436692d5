import { isStorable, knownParams } from '../../../../../server-rules/request-body.ts';
import { Refusal } from '../../../../../src/domain/rules/refusal.ts';
import type { AppContext } from '../../../base/http/environment.ts';
import { readFields } from '../../../base/http/request.ts';
import type { Services } from '../../../api/services.ts';
import type { Operator } from './operator-store.ts';
import type { AuditActor } from './audit-actor.ts';

/** An operator who may change things: for the audit log, and for the page of the response. */
export interface AdminOperator extends AuditActor {
  readonly operator: Operator;
}

/** The shared parts of the operators' page. */
export interface OperatorRouteContext {
  readonly services: Services;
  /** The operator of the session; refuses when there is none. */
  readonly operatorIn: (context: AppContext) => Promise<Operator>;
  /** The same, and refuses operators who only read. */
  readonly adminIn: (context: AppContext) => Promise<AdminOperator>;
}

export const PAGE_LIMIT = 50;

/** A value of the address; nothing where it could not be stored. */
export function query(context: AppContext, name: string): string | undefined {
  const text = context.req.query(name)?.slice(0, 300) ?? '';
  return text === '' || !isStorable(text) ? undefined : text;
}

/** A part of the path, such as the id of a user. */
export function param(context: AppContext, name: string): string {
  return knownParams(context.req.param())[name] ?? '';
}

/** The fields of a form, all of which the database can hold. */
export async function formOf(context: AppContext): Promise<URLSearchParams> {
  const fields = await readFields(context.req.raw);
  if (!isStorable([...fields])) throw new Refusal('bad_request', 'The form holds characters that cannot be stored.');
  return fields;
}

/** Whether the operator typed the confirmation of an action that cannot be undone. */
export function isTyped(form: URLSearchParams, name: string, expected: string): boolean {
  return form.get(name)?.trim() === expected;
}
