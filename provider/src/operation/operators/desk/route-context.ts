import { isStorable, knownParams } from '#server-rules/request-body.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { AppContext } from '#provider/base/http/environment.ts';
import type { Html } from '#provider/base/http/page-frame.ts';
import { readFields } from '#provider/base/http/request.ts';
import type { Services } from '#provider/api/services.ts';
import type { Fault } from './layout.ts';
import type { Operator } from './operator-store.ts';
import type { Role } from './roles.ts';
import type { AuditActor } from './audit-actor.ts';

/** An operator who acts: for the audit log, and for the page of the response. */
interface ActingOperator extends AuditActor {
  readonly operator: Operator;
}

/** The shared parts of the operators' page. */
export interface OperatorRouteContext {
  readonly services: Services;
  /** The operator of the session; refuses if there is none, or if they have none of the roles. */
  readonly operatorIn: (context: AppContext, roles: readonly Role[]) => Promise<ActingOperator>;
}

/** A request for a page. */
export interface PageRequest {
  readonly services: Services;
  readonly operator: Operator;
  /** A value in the URL; undefined if it is empty, or the database cannot store it. */
  readonly query: (name: string) => string | undefined;
  /** A part of the path, such as the id of a user. */
  readonly param: (name: string) => string;
  /** The submitted form that the page shows again, and its mistake. */
  readonly form?: URLSearchParams;
  readonly fault?: Fault;
}

export type View = (request: PageRequest) => Promise<Html>;

export const PAGE_LIMIT = 50;

/** The parts of the path, such as the id of a user. */
export const paramsOf = (context: AppContext) => knownParams(context.req.param());

export function pageRequest(context: AppContext, services: Services, operator: Operator): PageRequest {
  return {
    services,
    operator,
    query(name) {
      const text = context.req.query(name)?.slice(0, 300) ?? '';
      return text === '' || !isStorable(text) ? undefined : text;
    },
    param: (name) => paramsOf(context)[name] ?? '',
  };
}

/** The fields of a form, all of which the database can store. */
export async function formOf(context: AppContext): Promise<URLSearchParams> {
  const fields = await readFields(context.req.raw);
  if (!isStorable([...fields])) throw new Refusal('bad_request', 'The form holds characters that cannot be stored.');
  return fields;
}
