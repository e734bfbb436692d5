import type { Consent } from '../consent/consent.ts';
import { isUserCode, shownUserCode } from '../consent/user-code.ts';
import type { AuthError } from '../errors.ts';
import { toAuthError } from '../thrown.ts';
import { noSession } from './consent-flow.ts';
import type { EventOf, Outcome } from './event.ts';
import type { FlowTable, Transition } from './flow-table.ts';

const stands = (consent: Consent): Outcome => ({ type: 'consent/changed', consent });
const entry = (userCode: string, error: AuthError | null = null): Outcome =>
  stands({ status: 'deviceCode', userCode: shownUserCode(userCode), error });

type Choice = EventOf<'consent/allowed' | 'consent/denied'>;

export type DeviceState =
  /** The session is not known yet. */
  | { readonly at: 'arriving' }
  | { readonly at: 'noSession' }
  | { readonly at: 'entering'; readonly person: string }
  | { readonly at: 'looking'; readonly person: string; readonly code: string }
  | { readonly at: 'consent'; readonly person: string; readonly code: string }
  | {
      readonly at: 'submitting';
      readonly person: string;
      readonly code: string;
      readonly by: Choice;
      /** The user who is signed in now; the session may change during the submission. */
      readonly present: string | null;
    }
  | { readonly at: 'decided' };

export type DeviceEvent =
  /** The signed-in user, when it becomes known and whenever it changes. */
  | { readonly type: 'person'; readonly person: string | null }
  | { readonly type: 'found'; readonly page: Consent }
  | { readonly type: 'decided'; readonly granted: boolean }
  /** The command failed: the server refused it or did not answer. */
  | { readonly type: 'refused'; readonly error: unknown }
  | EventOf<'device/codeEntered' | 'consent/allowed' | 'consent/denied' | 'consent/switched'>;

export type DeviceCommand =
  | { readonly do: 'look'; readonly code: string }
  | { readonly do: 'submit'; readonly code: string; readonly granted: boolean }
  | { readonly do: 'signOut' };

type Device = Transition<DeviceState, DeviceCommand>;

/**
 * A device that shows a code (RFC 8628, section 3.3). The user is always asked, whatever the app was allowed before. If another user signs
 * in, the flow restarts.
 *
 * @param userCode the code from the link; empty if the person enters it
 */
export function deviceTable(userCode: string): FlowTable<DeviceState, DeviceEvent, DeviceCommand> {
  const look = (person: string, code: string, outcomes: readonly Outcome[]): Device => ({
    state: { at: 'looking', person, code },
    outcomes,
    command: { do: 'look', code },
  });
  const begin = (person: string | null): Device => {
    if (person === null) {
      const reported: Outcome = { type: 'reported', error: noSession() };
      return { state: { at: 'noSession' }, outcomes: [reported, stands({ status: 'noSession' })] };
    }
    if (isUserCode(userCode)) return look(person, userCode, [stands({ status: 'loading' })]);
    return { state: { at: 'entering', person }, outcomes: [entry(userCode)] };
  };
  const restart = (_: DeviceState, { person }: { readonly person: string | null }): Device => begin(person);
  const submit = ({ person, code }: { readonly person: string; readonly code: string }, by: Choice): Device => ({
    state: { at: 'submitting', person, code, by, present: person },
    command: { do: 'submit', code, granted: by.type === 'consent/allowed' },
  });

  return {
    arriving: { person: restart },
    noSession: { person: restart },
    entering: {
      person: restart,
      'device/codeEntered': ({ person }, { code }) => look(person, code, []),
    },
    looking: {
      person: restart,
      found: ({ person, code }, { page }) => ({ state: { at: 'consent', person, code }, outcomes: [stands(page)] }),
      refused: ({ person, code }, { error: cause }) => {
        const error = toAuthError(cause);
        return { state: { at: 'entering', person }, outcomes: [entry(code, error), { type: 'reported', error }] };
      },
    },
    consent: {
      person: restart,
      'consent/allowed': submit,
      'consent/denied': submit,
      // No outcome here: the `person` event that follows reports the end of the session.
      'consent/switched': (state) => ({ state, command: { do: 'signOut' } }),
      refused: (state, { error }) => ({
        state,
        outcomes: [{ type: 'failed', asked: { type: 'consent/switched' }, error: toAuthError(error) }],
      }),
    },
    submitting: {
      person: (state, { person }) => ({ state: { ...state, present: person } }),
      decided: (_, { granted }) => ({
        state: { at: 'decided' },
        outcomes: [
          { type: granted ? 'consent/completed' : 'consent/refused' },
          stands({ status: granted ? 'deviceDone' : 'deviceDenied' }),
        ],
      }),
      refused: ({ person, present, code, by }, { error: cause }) => {
        const outcomes: readonly Outcome[] = [{ type: 'failed', asked: by, error: toAuthError(cause) }];
        if (present === person) return { state: { at: 'consent', person, code }, outcomes };
        const next = begin(present);
        return { ...next, outcomes: [...outcomes, ...(next.outcomes ?? [])] };
      },
    },
    decided: {},
  };
}
