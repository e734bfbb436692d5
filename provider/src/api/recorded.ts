import { Refusal, REFUSALS } from '#domain/rules/refusal.ts';
import type { Services } from './services.ts';
import type { RequestCaller } from '#provider/base/contract.ts';
import { auditRefusal, auditRepeated } from '#provider/base/audit/budgets.ts';
import type { Actor, AuditEvent } from '#provider/base/audit/events.ts';
import { actorIn, audit, entryOf, type AuditEntry } from '#provider/base/audit/record.ts';

const STATUSES: ReadonlySet<number> = new Set([401, 403, 404, 429]);

/** True for a refusal that matters to an operator; false for malformed requests. */
export function isTelling(error: unknown): error is Refusal {
  if (!(error instanceof Refusal)) return false;
  const [status, , cause] = REFUSALS[error.type];
  return STATUSES.has(status) || cause === 'proof';
}

/** The calls that a user can repeat without limit in a session. */
const REPEATABLE: ReadonlySet<AuditEvent> = new Set(['user_changed', 'factor_renamed', 'recovery_codes_shown']);

/** Writes the row of a successful call that wrote none itself. */
async function writeAfter(
  services: Pick<Services, 'db' | 'clock' | 'keys'>,
  caller: RequestCaller,
  entry: Pick<AuditEntry, 'user_id' | 'actor' | 'details'>,
): Promise<void> {
  const whole = entryOf(caller, entry);
  if (whole === null) return;
  const isRepeatable = caller.trail.by === null && REPEATABLE.has(whole.event);
  await (isRepeatable ? auditRepeated : audit)(services, services.db, whole);
}

/**
 * Answers a request, and ensures its row in the audit log. Most calls write it in their own transaction. For the others it is written once
 * they have succeeded. A refusal is written when its transaction is over.
 *
 * @param target the id of the call's subject, once it is known
 */
export async function recorded<R>(
  services: Pick<Services, 'db' | 'clock' | 'keys' | 'report'>,
  caller: RequestCaller,
  answering: () => Promise<R>,
  target: (reply: R | undefined) => string | null = () => null,
): Promise<R> {
  const { trail, session } = caller;
  if (trail.event === null) return answering();
  const who = async (): Promise<Actor & { readonly user_id: string | null }> => {
    const found = session.isPresented ? await session.find() : undefined;
    if (found === undefined) return { ...(trail.by ?? { kind: 'anonymous', id: null }), user_id: trail.about };
    return { ...actorIn(found), user_id: trail.about ?? found.user_id };
  };
  const entry = async (reply: R | undefined, details: Readonly<Record<string, unknown>>) => {
    const { user_id, kind, id } = await who();
    // If nothing was found, the text could be anything that the caller sent, so it is not stored.
    const about = reply === undefined ? null : target(reply);
    const user = user_id ?? (about?.startsWith('user-') === true ? about : null);
    const more = about === null || about === user ? details : { ...details, target: about };
    return { user_id: user, actor: { kind, id }, details: more };
  };
  try {
    const reply = await answering();
    if (!trail.isWritten) await writeAfter(services, caller, await entry(reply, {}));
    return reply;
  } catch (cause) {
    if (isTelling(cause)) {
      try {
        const refusalEntry = await entry(undefined, { error_type: cause.type });
        const { event, requestId: request_id, by } = trail;
        const actor = by ?? refusalEntry.actor;
        await auditRefusal(services, { ...refusalEntry, actor, event, request_id, address: caller.address });
      } catch (error) {
        // The caller gets the refusal even if this fails.
        services.report(error, { where: 'the audit log' });
      }
    }
    throw cause;
  }
}
