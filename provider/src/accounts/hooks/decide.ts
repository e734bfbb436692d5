import { OWN_WORDS } from '#domain/rules/own-words.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { RequestCaller } from '#provider/base/contract.ts';
import type { Db } from '#provider/base/db/database.ts';
import { answerTo } from '#provider/base/db/statements/transaction.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { atMostEvery, type Warn } from '#provider/base/warnings.ts';
import type { HookName, HookSettings } from '#provider/project/settings/hooks.ts';
import type { Services } from '../services.ts';
import { withRoles, type WholeUser } from '../users/read-user.ts';
import { callHook } from './call.ts';
import { NO_ADDITIONS, type HookDecision } from './decision.ts';

export type HookServices = Pick<Services, 'project' | 'random' | 'warn'>;

/** What a hook learns. It has no secret, and no hash of one. */
export interface HookSubject {
  readonly whole: WholeUser;
  readonly caller: Pick<RequestCaller, 'address' | 'userAgent'>;
  /** The proofs of the person. */
  readonly factors: readonly { readonly type: string; readonly delivery_method: string }[];
  /** Further fields of this hook. */
  readonly more?: Readonly<Record<string, string>>;
}

/** Everything that an answer is about. If any of it changes before the transaction that uses the answer, the hook is called again. */
function questionOf({ project }: Pick<Services, 'project'>, { whole, caller, factors, more }: HookSubject) {
  const { user_id, status, name, emails, phone_numbers, providers, roles, ...metadata } = withRoles(project, whole);
  const { trusted_metadata, untrusted_metadata } = metadata;
  return {
    user: {
      user_id,
      external_id: whole.external_id,
      status,
      name,
      emails: emails.map(({ email, verified }) => ({ email, verified })),
      phone_numbers: phone_numbers.map(({ phone_number, verified }) => ({ phone_number, verified })),
      providers: providers.map(({ provider_type }) => provider_type),
      roles,
      trusted_metadata,
      untrusted_metadata,
    },
    factors: factors.map(({ type, delivery_method }) => ({ type, delivery_method })),
    client: { ip_address: caller.address, user_agent: caller.userAgent },
    ...more,
  };
}

/**
 * The decision of a hook about exactly this person, these proofs and this browser; null in a project without the hook. Throws its refusal.
 * The request is sent outside of the transaction, before anything is written.
 */
export function decide(services: HookServices, tx: Db, name: HookName, subject: HookSubject): HookDecision | null {
  const settings = services.project.hooks[name];
  if (settings === null) return null;
  const question = questionOf(services, subject);
  const data = { ...question, user: { ...question.user, created_at: subject.whole.user.created_at } };
  const answer = answerTo(
    tx,
    JSON.stringify([name, settings.url, question]),
    () => callHook(services, name, settings, data),
    () => unsettled(services, name),
  );
  if ('failure' in answer) return withoutAnswer(services, name, settings, answer.failure);
  if (answer.action === 'refuse') {
    const { message } = answer;
    throw new Refusal('hook_refused', message ?? undefined, undefined, message === null ? undefined : OWN_REASON);
  }
  return answer.decision;
}

/** Widgets show the message of such a refusal in every language. */
const OWN_REASON = { reason: OWN_WORDS };
const RETRY_SECONDS = 5;

/** What `on_failure` says. */
export function withoutAnswer(
  { warn }: Pick<Services, 'warn'>,
  name: HookName,
  { on_failure }: HookSettings,
  reason: string,
): HookDecision {
  const outcome = on_failure === 'refuse' ? 'refused' : 'allowed without it';
  tell(warn, `the hook ${name} ${reason}: what it decides about is ${outcome}`);
  if (on_failure === 'refuse') throw new Refusal('hook_unavailable', undefined, RETRY_SECONDS);
  return NO_ADDITIONS;
}

/** Nobody is let in by an answer about a user who has changed since, whatever `on_failure` says. */
function unsettled({ warn }: Pick<Services, 'warn'>, name: HookName): Refusal {
  tell(
    warn,
    `the user changed during each request to the hook ${name}, perhaps by the hook itself: the login is refused`,
  );
  return new Refusal('hook_unavailable', undefined, RETRY_SECONDS);
}

const tellers = new WeakMap<Warn, Warn>();

/** Warns of each reason at most once a minute. */
export function tell(warn: Warn | undefined, sentence: string): void {
  if (warn === undefined) return;
  const teller = tellers.get(warn) ?? atMostEvery(MINUTE_MS, warn);
  tellers.set(warn, teller);
  teller(sentence);
}
