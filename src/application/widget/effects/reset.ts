import { exhaustMap } from 'rxjs';
import type { Outcome } from '../../../domain/screens/event.ts';
import { sessionMinutes, type LoginConfig } from '../../../domain/widget-config.ts';
import type { Logins } from '../logins.ts';
import type { WidgetParts } from '../mounted-widget.ts';
import type { Effect } from '../widget-store.ts';
import { attempt, ofType } from './attempt.ts';

/** The links that each client has used or is using, by token. */
const opened = new WeakMap<Logins, Map<string, Promise<object>>>();

/**
 * Exchanges a link's token for a session, once however often the page is mounted: another mount shares what the first
 * one began. After a failure the next call tries anew.
 */
function openOnce(logins: Logins, token: string, minutes: number): Promise<object> {
  const links = opened.get(logins) ?? new Map<string, Promise<object>>();
  opened.set(logins, links);
  const known = links.get(token);
  if (known !== undefined) return known;
  const reply = logins.magicLinks.authenticate(token, minutes);
  links.set(token, reply);
  reply.catch(() => links.delete(token));
  return reply;
}

/** What the page behind a reset mail does with its token (specification, section 2). */
export function resetEffects({ logins }: WidgetParts, config: () => LoginConfig, token: string): readonly Effect[] {
  const link: Effect = ({ events$ }) =>
    ofType(events$, 'resetLink/opened').pipe(
      exhaustMap((asked) =>
        attempt(events$, asked, async (): Promise<Outcome> => {
          const reply = await openOnce(await logins(), token, sessionMinutes(config()));
          return { type: 'resetLink/verified', reply };
        }),
      ),
    );
  const reset: Effect = ({ events$ }) =>
    ofType(events$, 'password/resetSubmitted').pipe(
      exhaustMap(({ type, password }) =>
        attempt(events$, { type, password: '' }, async (): Promise<Outcome> => {
          const { passwords } = await logins();
          const reply = await passwords.resetByEmail({
            token,
            password,
            session_duration_minutes: sessionMinutes(config()),
          });
          return { type: 'password/reset', reply };
        }),
      ),
    );
  return [link, reset];
}
