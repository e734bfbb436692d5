import { defer, from, merge, of, type Observable } from 'rxjs';
import { accountOf } from '#domain/consent/consent.ts';
import { parseOAuthLogoutParams } from '#domain/consent/oauth-params.ts';
import {
  failure,
  LOGOUT_TABLE,
  type LogoutCommand,
  type LogoutEvent,
  type LogoutState,
} from '#domain/screens/consent-flow.ts';
import { idp } from '../../../api/index.ts';
import type { Services } from '../../../services.ts';
import type { Effect } from '../../widget-store.ts';
import { leaveFor, ownPlace, runFlow } from '../../../use-cases/run-flow.ts';

/** Runs the commands of the logout flow's table. The browser is redirected only to the address in the server's reply. */
export function logoutEffect(
  { wire, lifecycle, browser, sessions }: Services<'wire' | 'lifecycle' | 'browser' | 'sessions'>,
  query: URLSearchParams,
): Effect {
  const { error, result: params } = parseOAuthLogoutParams(query);
  if (params === null) return () => from(failure(new Error(error), false));

  const preflight = async (): Promise<LogoutEvent> => {
    try {
      const { consent_required, redirect_uri } = await wire.call(idp.logoutStart, params);
      const isConsentRequired = (consent_required as unknown) !== false;
      return { type: 'answered', isConsentRequired, target: redirect_uri, account: accountOf(sessions.state().user) };
    } catch (cause) {
      return { type: 'refused', error: cause };
    }
  };
  const revoke = async (): Promise<LogoutEvent> => {
    await lifecycle.revoke(true).catch(() => undefined);
    return { type: 'revoked' };
  };
  const perform = (command: LogoutCommand): Observable<LogoutEvent> => {
    if (command.do === 'leave') return leaveFor(browser, command.url);
    return defer(command.do === 'preflight' ? preflight : revoke);
  };
  return ({ events$ }) =>
    runFlow(
      LOGOUT_TABLE,
      ownPlace<LogoutState>({ at: 'arriving' }),
      merge(events$, of({ type: 'arrived' } as const)),
      perform,
    );
}
