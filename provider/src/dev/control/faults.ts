import { setTimeout as sleep } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { MiddlewareHandler } from 'hono';
import { FAULT_MOST, type ActiveFault, type Fault } from '#application/dev-control/dev-control.ts';
import { Refusal, REFUSALS, type RefusalType } from '#domain/rules/refusal.ts';
import type { AppContext, AppEnv } from '#provider/base/http/environment.ts';
import type { Random } from '#provider/base/platform.ts';
import { uuid } from '#provider/base/security/secrets.ts';
import { matchesCall, namesCall } from './call-patterns.ts';
import { currentScope } from './scope.ts';
import { wrongField } from './wrong-field.ts';

const MAX_FAULTS = 200;
/** The default of `retry_after_seconds`, because every real reply with 429 has one. */
const RETRY_AFTER_SECONDS = 60;
const DROPS = ['request', 'answer'] as const;

/**
 * Browsers automatically repeat a request if a reused connection ends without a byte of a reply. A text that is not HTTP is also a network
 * failure, and is not repeated.
 */
const NOT_HTTP = 'This connection was ended by a fault of /dev/control.\n';

/** The unchecked fields of the request for a fault. */
export type FaultOrder = { readonly [Field in keyof Fault]?: string | number | undefined };

/** Requests that are made to fail. */
export class Faults {
  private readonly active = new Map<string, ActiveFault>();

  private readonly ending = new AbortController();

  constructor(private readonly random: Random) {}

  /** Releases the delayed answers, because the server stops. */
  end(): void {
    this.ending.abort();
  }

  /** The faults of the scope; with null, all. */
  list(scope: string | null): readonly ActiveFault[] {
    return [...this.active.values()].filter((fault) => scope === null || fault.scope === scope);
  }

  /** Adds a fault. Throws a Refusal that names the wrong field. @returns the id */
  add(scope: string | null, order: FaultOrder): string {
    const fault = checked(order);
    if (this.active.size >= MAX_FAULTS) this.forgetOldest(scope);
    const fault_id = `fault-${uuid(this.random)}`;
    this.active.set(fault_id, { ...fault, fault_id, hits: 0, scope });
    return fault_id;
  }

  /** Makes room: a killed test did not remove its faults, and its scope does not come back. */
  private forgetOldest(but: string | null): void {
    const oldest = [...this.active.values()].find(({ scope }) => scope !== null && scope !== but);
    if (oldest === undefined) throw new Refusal('bad_request', `There are ${MAX_FAULTS} faults already.`);
    this.active.delete(oldest.fault_id);
  }

  /** Removes the fault of the scope, unless it has already happened as often as intended. */
  remove(scope: string | null, faultId: string): void {
    if (this.list(scope).some(({ fault_id }) => fault_id === faultId)) this.active.delete(faultId);
  }

  /** Removes the faults of the scope; with null, all. */
  clear(scope: string | null): void {
    for (const { fault_id } of this.list(scope)) this.active.delete(fault_id);
  }

  /** Finds and counts the fault for the request: the oldest one of its scope, else the oldest one for all requests. */
  private take(scope: string | null, method: string, path: string): ActiveFault | undefined {
    const matching = [...this.active.values()].filter(({ call }) => matchesCall(call, method, path));
    const found =
      matching.find((fault) => fault.scope !== null && fault.scope === scope) ??
      matching.find((fault) => fault.scope === null);
    if (found === undefined) return undefined;
    const hits = found.hits + 1;
    if (hits === found.times) this.active.delete(found.fault_id);
    else this.active.set(found.fault_id, { ...found, hits });
    return found;
  }

  /** Applies faults to requests. A refusal is thrown, so that each API answers it in its own format. */
  readonly middleware: MiddlewareHandler<AppEnv> = async (context, next) => {
    const { method, path } = context.req;
    if (method === 'OPTIONS' || this.active.size === 0) return next();
    const fault = this.take(currentScope(), method, path);
    if (fault === undefined) return next();
    if (fault.drop === 'request') return this.respond(context, fault);
    if (fault.refuse !== undefined) {
      context.set('pattern', fault.call);
      await this.hold(context, fault);
      throw new Refusal(fault.refuse, undefined, retryAfterOf(fault));
    }
    await next();
    if (fault.drop === undefined) return this.hold(context, fault);
    const response = await this.respond(context, fault);
    // This is the only way to replace an existing reply.
    context.res = undefined;
    context.res = response;
  };

  /** Waits until then, or until the caller gives up. */
  private async hold({ req }: AppContext, { delay_ms }: Fault): Promise<void> {
    if (delay_ms === undefined) return;
    const signal = AbortSignal.any([req.raw.signal, this.ending.signal]);
    await sleep(delay_ms, undefined, { signal }).catch(() => undefined);
  }

  private async respond(context: AppContext, fault: Fault): Promise<Response> {
    await this.hold(context, fault);
    context.env?.incoming?.socket.end(NOT_HTTP);
    return new Response(null, RESPONSE_ALREADY_SENT);
  }
}

function retryAfterOf({ refuse, retry_after_seconds }: Fault): number | undefined {
  const status: number | undefined = refuse === undefined ? undefined : REFUSALS[refuse][0];
  return retry_after_seconds ?? (status === 429 ? RETRY_AFTER_SECONDS : undefined);
}

function checked(order: FaultOrder): Fault {
  const { call, refuse, drop } = order;
  if (typeof call !== 'string' || !namesCall(call)) {
    throw wrongField(
      'call',
      'the method and path of a call of this server, such as POST /sdk/v1/otps/authenticate, or *',
    );
  }
  if (refuse !== undefined && !isRefusal(refuse)) throw wrongField('refuse', 'an error_type of this server');
  const dropped = DROPS.find((each) => each === drop);
  if (drop !== undefined && dropped === undefined) throw wrongField('drop', `one of ${DROPS.join(', ')}`);
  if (refuse !== undefined && drop !== undefined) throw wrongField('drop', 'left out where the call is refused');
  const delay_ms = whole(order, 'delay_ms');
  const times = whole(order, 'times');
  const retry_after_seconds = whole(order, 'retry_after_seconds');
  if (retry_after_seconds !== undefined && refuse === undefined) {
    throw wrongField('retry_after_seconds', 'left out where the call is not refused');
  }
  if (refuse === undefined && dropped === undefined && delay_ms === undefined) {
    throw new Refusal('bad_request', 'A fault has at least one of refuse, delay_ms and drop.');
  }
  return {
    call,
    ...(refuse === undefined ? {} : { refuse }),
    ...(dropped === undefined ? {} : { drop: dropped }),
    ...(delay_ms === undefined ? {} : { delay_ms }),
    ...(times === undefined ? {} : { times }),
    ...(retry_after_seconds === undefined ? {} : { retry_after_seconds }),
  };
}

function isRefusal(type: unknown): type is RefusalType {
  return typeof type === 'string' && Object.hasOwn(REFUSALS, type);
}

function whole(order: FaultOrder, field: keyof typeof FAULT_MOST): number | undefined {
  const [value, max] = [order[field], FAULT_MOST[field]];
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > max) {
    throw wrongField(field, `a whole number from 1 to ${max}`);
  }
  return value;
}
