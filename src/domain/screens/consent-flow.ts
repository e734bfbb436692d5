import { NO_SESSION_TEXT, type Consent } from '../consent/consent.ts';
import { destinationOf } from '../consent/destination.ts';
import { SDKAPIError } from '../errors.ts';
import { toAuthError } from '../thrown.ts';
import type { OAuthAuthorizeParams } from '../consent/oauth-params.ts';
import type { EventOf, Outcome } from './event.ts';
import type { FlowTable, LeavingEvent, Transition } from './flow-table.ts';

const stands = (consent: Consent): Outcome => ({ type: 'consent/changed', consent });
const reported = (error: unknown): Outcome => ({ type: 'reported', error: toAuthError(error) });
const isAddress = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Shows the error screen with the server's error, and reports the error to the host. */
export function failure(cause: unknown, canRetry: boolean): readonly Outcome[] {
  const error = toAuthError(cause);
  return [stands({ status: 'error', error, canRetry }), { type: 'reported', error }];
}

const unsafe = (error: unknown): readonly Outcome[] => [
  stands({ status: 'error', error: null, canRetry: false }),
  reported(error),
];

/** The error of a page that needs a signed-in user. */
export const noSession = (): SDKAPIError =>
  new SDKAPIError({
    status_code: 401,
    error_type: 'user_unauthenticated',
    error_message: NO_SESSION_TEXT,
    error_url: '',
  });

export type AuthorizeState =
  /** The session is not known yet. */
  | { readonly at: 'arriving'; readonly isReported: boolean }
  | { readonly at: 'noSession' }
  | { readonly at: 'preflight'; readonly person: string }
  | { readonly at: 'error'; readonly person: string }
  | { readonly at: 'consent'; readonly person: string; readonly scopes: readonly string[] }
  | {
      readonly at: 'submitting';
      readonly person: string;
      readonly scopes: readonly string[];
      readonly granted: boolean;
      /** The person's choice; null when no choice was required. */
      readonly by: EventOf<'consent/allowed' | 'consent/denied'> | null;
      /** The user who is signed in now; the session may change during the submission. */
      readonly present: string | null;
    }
  /** The browser leaves the page. A person who comes back, for example with the back button, sees `after`. */
  | { readonly at: 'decided'; readonly after: Consent };

export type AuthorizeEvent =
  | { readonly type: 'attestFailed'; readonly error: unknown }
  /** The signed-in user, when it becomes known and whenever it changes. */
  | { readonly type: 'person'; readonly person: string | null }
  /** The preflight's answer: the remaining scopes are granted without asking, or the person must be asked. */
  | { readonly type: 'passed'; readonly scopes: readonly string[] }
  | { readonly type: 'consentRequired'; readonly scopes: readonly string[]; readonly page: Consent }
  /** The server accepted the submission. */
  | { readonly type: 'answered'; readonly redirectUri: unknown }
  /** The command failed: the server refused it or did not answer. */
  | { readonly type: 'refused'; readonly error: unknown }
  | LeavingEvent
  | EventOf<'consent/allowed' | 'consent/denied' | 'consent/switched' | 'consent/retried' | 'factor/verified'>;

export type AuthorizeCommand =
  | { readonly do: 'preflight' }
  | { readonly do: 'submit'; readonly granted: boolean; readonly scopes: readonly string[] }
  | { readonly do: 'signOut' }
  | { readonly do: 'leave'; readonly url: string };

type Authorize = Transition<AuthorizeState, AuthorizeCommand>;

/**
 * The authorization of an app (specification, section 4). If another user signs in, the flow restarts, because one user cannot consent for
 * another. During a submission, the restart waits until the submission has failed.
 *
 * @param reportsBeforeLeaving whether the decision is also reported to the host when the browser leaves for the app
 */
export function authorizeTable(
  params: OAuthAuthorizeParams,
  reportsBeforeLeaving = false,
): FlowTable<AuthorizeState, AuthorizeEvent, AuthorizeCommand> {
  const { client_id, redirect_uri, scopes } = params;
  const isSilent = params.prompt?.split(' ').includes('none') === true;

  const begin = (person: string | null, isReported = false): Authorize => {
    if (person !== null) {
      const started: Outcome = { type: 'consent/started', client_id, redirect_uri, scope: scopes.join(' ') };
      return {
        state: { at: 'preflight', person },
        outcomes: [started, stands({ status: 'loading' })],
        command: { do: 'preflight' },
      };
    }
    const reports = isReported ? [] : [reported(noSession())];
    const state = { at: 'noSession' } as const;
    // With `prompt=none`, the app gets the error and no page is shown (OpenID Connect Core, section 3.1.2.6).
    if (isSilent) return { state, outcomes: reports, command: { do: 'submit', granted: false, scopes } };
    return { state, outcomes: [...reports, stands({ status: 'noSession' })] };
  };
  const restart = (_: AuthorizeState, { person }: { readonly person: string | null }): Authorize => begin(person);

  const submit = (
    { person, scopes: consentScopes }: { readonly person: string; readonly scopes: readonly string[] },
    granted: boolean,
    by: EventOf<'consent/allowed' | 'consent/denied'> | null,
  ): Authorize => ({
    state: { at: 'submitting', person, scopes: consentScopes, granted, by, present: person },
    command: { do: 'submit', granted, scopes: consentScopes },
  });
  const leave = (state: AuthorizeState, url: string): Authorize => ({ state, command: { do: 'leave', url } });

  return {
    arriving: {
      attestFailed: (_, { error }) => ({ state: { at: 'arriving', isReported: true }, outcomes: [reported(error)] }),
      person: ({ isReported }, { person }) => begin(person, isReported),
    },
    noSession: {
      person: restart,
      answered: (state, { redirectUri }) =>
        isAddress(redirectUri) ? leave(state, redirectUri) : { state, outcomes: [stands({ status: 'noSession' })] },
      refused: (state) => ({ state, outcomes: [stands({ status: 'noSession' })] }),
      returned: (state) => ({ state, outcomes: [stands({ status: 'noSession' })] }),
      unsafe: (state, { error }) => ({ state, outcomes: unsafe(error) }),
    },
    preflight: {
      person: restart,
      passed: ({ person }, event) => submit({ person, scopes: event.scopes }, true, null),
      consentRequired: ({ person }, { scopes: consentScopes, page }) => ({
        state: { at: 'consent', person, scopes: consentScopes },
        outcomes: [stands(page)],
      }),
      refused: ({ person }, { error }) => ({ state: { at: 'error', person }, outcomes: failure(error, true) }),
    },
    error: {
      person: restart,
      'consent/retried': ({ person }) => begin(person),
      // The app requires two factors.
      'factor/verified': ({ person }) => begin(person),
    },
    consent: {
      person: restart,
      'consent/allowed': (state, by) => submit(state, true, by),
      'consent/denied': (state, by) => submit(state, false, by),
      // No outcome here: the `person` event that follows reports the end of the session.
      'consent/switched': (state) => ({ state, command: { do: 'signOut' } }),
      refused: (state, { error }) => ({
        state,
        outcomes: [{ type: 'failed', asked: { type: 'consent/switched' }, error: toAuthError(error) }],
      }),
    },
    submitting: {
      person: (state, { person }) => ({ state: { ...state, present: person } }),
      answered: ({ granted }, { redirectUri }) => {
        const after: Consent = { status: granted ? 'success' : 'denied' };
        const state = { at: 'decided', after } as const;
        if (isAddress(redirectUri)) {
          const decided: Outcome = { type: 'consent/decided', granted };
          return { ...leave(state, redirectUri), outcomes: reportsBeforeLeaving ? [decided] : [] };
        }
        return { state, outcomes: [{ type: granted ? 'consent/completed' : 'consent/refused' }, stands(after)] };
      },
      refused: ({ person, present, scopes: consentScopes, by }, { error: cause }) => {
        const error = toAuthError(cause);
        const state: AuthorizeState = by ? { at: 'consent', person, scopes: consentScopes } : { at: 'error', person };
        const outcomes = by ? [{ type: 'failed', asked: by, error } as const] : failure(error, true);
        if (present === person) return { state, outcomes };
        const next = begin(present);
        return { ...next, outcomes: [...outcomes, ...(next.outcomes ?? [])] };
      },
    },
    decided: {
      returned: (state) => ({ state, outcomes: [stands(state.after)] }),
      unsafe: (state, { error }) => ({ state, outcomes: unsafe(error) }),
    },
  };
}

export type LogoutState =
  | { readonly at: 'arriving' }
  | { readonly at: 'preflight' }
  | { readonly at: 'error' }
  /** `target` is the URL to which the server then sends the browser. */
  | { readonly at: 'confirming'; readonly target: unknown }
  | { readonly at: 'ending'; readonly target: unknown }
  | { readonly at: 'ended' };

export type LogoutEvent =
  | { readonly type: 'arrived' }
  | {
      readonly type: 'answered';
      readonly isConsentRequired: boolean;
      readonly target: unknown;
      /** The label of the signed-in account. */
      readonly account: string | null;
    }
  | { readonly type: 'refused'; readonly error: unknown }
  | { readonly type: 'revoked' }
  | LeavingEvent
  | EventOf<'consent/retried' | 'logout/confirmed' | 'logout/refused'>;

export type LogoutCommand =
  | { readonly do: 'preflight' }
  | { readonly do: 'revoke' }
  | { readonly do: 'leave'; readonly url: string };

type Logout = Transition<LogoutState, LogoutCommand>;

const beginLogout = (): Logout => ({
  state: { at: 'preflight' },
  outcomes: [stands({ status: 'loading' })],
  command: { do: 'preflight' },
});
const confirmLogout = (account: string | null, target: unknown): Consent => ({
  status: 'confirmLogout',
  account,
  ...(isAddress(target) ? { destination: destinationOf(target) } : {}),
});
const endSession = (target: unknown): Logout => ({ state: { at: 'ending', target }, command: { do: 'revoke' } });
const loggedOut = (state: LogoutState): Logout => ({ state, outcomes: [stands({ status: 'loggedOut' })] });

/** A logout that an app requests (specification, section 4; OpenID Connect RP-Initiated Logout 1.0). */
export const LOGOUT_TABLE: FlowTable<LogoutState, LogoutEvent, LogoutCommand> = {
  arriving: { arrived: beginLogout },
  preflight: {
    answered: (_, { isConsentRequired, target, account }) =>
      isConsentRequired
        ? { state: { at: 'confirming', target }, outcomes: [stands(confirmLogout(account, target))] }
        : endSession(target),
    refused: (_, { error }) => ({ state: { at: 'error' }, outcomes: failure(error, true) }),
  },
  error: { 'consent/retried': beginLogout },
  confirming: {
    'logout/confirmed': ({ target }) => endSession(target),
    'logout/refused': () => ({ state: { at: 'ended' }, outcomes: [stands({ status: 'notLoggedOut' })] }),
  },
  ending: {
    revoked: (state) =>
      isAddress(state.target) ? { state, command: { do: 'leave', url: state.target } } : loggedOut({ at: 'ended' }),
    returned: loggedOut,
    unsafe: (state, { error }) => ({ state, outcomes: unsafe(error) }),
  },
  ended: {},
};
