import { EMPTY, exhaustMap, filter, map } from 'rxjs';
import { isAuthError } from '#domain/errors.ts';
import type { Outcome } from '#domain/screens/event.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { sessionMinutes } from '#domain/widget/session-minutes.ts';
import { keptReset, keyOf, type ResetStorage } from '../../kept-reset.ts';
import type { Services } from '../../../services.ts';
import type { Effect } from '../../widget-store.ts';
import { attempt, ofType, whenReady } from '../attempt.ts';

/** A link that was or is being used, and the last mount that waits for the result. */
interface ResetLinkUse {
  readonly reply: Promise<object>;
  by: object;
}

/** The links that each client has used or is using, by token. */
const opened = new WeakMap<object, Map<string, ResetLinkUse>>();

/**
 * Exchanges a link's token for a session only once, no matter how often the page is mounted: another mount shares the first mount's
 * request. After a failure the next call tries again.
 */
function openOnce(
  magicLinks: Services<'magicLinks'>['magicLinks'],
  token: string,
  minutes: number,
  by: object,
): ResetLinkUse {
  const links = opened.get(magicLinks) ?? new Map<string, ResetLinkUse>();
  opened.set(magicLinks, links);
  const priorUse = links.get(token);
  if (priorUse !== undefined) {
    priorUse.by = by;
    return priorUse;
  }
  const link = { reply: magicLinks.authenticate(token, { session_duration_minutes: minutes }), by };
  links.set(token, link);
  link.reply.catch(() => links.delete(token));
  return link;
}

/** Deletes a token that was used or refused. */
function dropReset(place: ResetStorage, token: string): void {
  if (keptReset(place)?.token === token) place.tabStorage.remove(keyOf(place));
}

/** Refusals after which a token can never be used. */
const SPENT: ReadonlySet<string> = new Set(['unable_to_auth_magic_link', 'email_not_found', 'user_not_found']);

const SPENT_NOW: Outcome = { type: 'password/resetSpent' };

const isSpent = (error: unknown): boolean => isAuthError(error) && error.kind === 'api' && SPENT.has(error.error_type);

/** The page behind a reset email, and its use of the token (specification, section 2). */
export function resetEffects(
  { magicLinks, passwords, tabStorage, keys }: Services<'magicLinks' | 'passwords' | 'tabStorage' | 'keys'>,
  config: () => LoginConfig,
  token: string,
): readonly Effect[] {
  /** Uses the token. It is stored for a reload of the page until it was used, or refused permanently. */
  const using = async <Reply>(work: () => Promise<Reply>): Promise<Reply> => {
    try {
      const reply = await work();
      dropReset({ tabStorage, keys }, token);
      return reply;
    } catch (error) {
      if (isSpent(error)) dropReset({ tabStorage, keys }, token);
      throw error;
    }
  };

  const link: Effect = (context) =>
    ofType(context.events$, 'resetLink/opened').pipe(
      exhaustMap((intent) => {
        let shared: ResetLinkUse | null = null;
        const open = async (): Promise<Outcome> => {
          const reply = await using(async () => {
            shared = openOnce(magicLinks, token, sessionMinutes(config()), context);
            return shared.reply;
          });
          return { type: 'resetLink/verified', reply };
        };
        // A mount that took over notifies the host itself.
        return attempt(context.events$, intent, open, (outcome) => {
          if (shared?.by === context) context.late(outcome);
        });
      }),
    );
  const reset: Effect = ({ events$, late }) =>
    ofType(events$, 'password/resetSubmitted').pipe(
      exhaustMap((intent) => {
        const submit = async (): Promise<Outcome> => {
          const body = { token, password: intent.password, session_duration_minutes: sessionMinutes(config()) };
          const reply = await using(() => passwords.resetByEmail(body));
          return { type: 'password/reset', reply };
        };
        return attempt(events$, intent, submit, late);
      }),
    );
  /** Checks the token before the user chooses a password. If the check itself fails, using the token will show whether it is valid. */
  const looked: Effect = ({ getState }) => {
    const { screen } = getState();
    if (screen.name !== 'PasswordResetForm' || screen.tokenType !== 'reset') return EMPTY;
    return whenReady(async () => {
      try {
        const { email } = await passwords.checkReset(token);
        const outcome: Outcome = { type: 'password/resetKnown', email };
        return outcome;
      } catch (error) {
        if (!isSpent(error)) return null;
        dropReset({ tabStorage, keys }, token);
        return SPENT_NOW;
      }
    }).pipe(filter((outcome) => outcome !== null));
  };
  const refusalEffect: Effect = ({ events$, getState }) =>
    ofType(events$, 'failed').pipe(
      filter(({ asked: intent, error }) => {
        const { screen } = getState();
        const uses = intent.type === 'password/resetSubmitted' || intent.type === 'resetLink/opened';
        return uses && screen.name === 'PasswordResetForm' && screen.tokenType === 'reset' && isSpent(error);
      }),
      map(() => SPENT_NOW),
    );
  return [looked, link, reset, refusalEffect];
}
