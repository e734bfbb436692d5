import type {
  AccountChange,
  AccountNews,
  AccountPage,
  AccountState,
  AccountTask,
  ConnectedAppInfo,
  LoadedList,
  ButtonChange,
  ProofWay,
} from '../account/account.ts';
import { doingOf, isButtonChange } from '../account/account-changes.ts';
import { needsSecondFactor, type AuthError } from '../errors.ts';
import { sameJson } from '../json.ts';
import type { PendingRecovery, RecoveryCodeSummary, TrustedDevice } from '../sessions/mfa.ts';
import type { Profile } from '../sessions/profile.ts';
import type { ListedSession } from '../sessions/session.ts';
import type { User } from '../users/user.ts';
import type { AccountIntent } from './account-event.ts';
import type { Outcome } from './event.ts';
import type { FlowTable, Transition } from './flow-table.ts';

export type AccountEvent =
  | AccountIntent
  /** The signed-in user, when it becomes known and whenever it changes; null without a session. */
  | { readonly type: 'person'; readonly user: User | null }
  /** Somebody is signed in, but the server did not report who. */
  | { readonly type: 'unreachable'; readonly error: AuthError }
  | { readonly type: 'detailsKnown'; readonly details: LoadedList<Profile> }
  | { readonly type: 'sessionsKnown'; readonly sessions: LoadedList<ListedSession> }
  | { readonly type: 'appsKnown'; readonly apps: LoadedList<ConnectedAppInfo> }
  | { readonly type: 'devicesKnown'; readonly devices: LoadedList<TrustedDevice> }
  | { readonly type: 'recoveriesKnown'; readonly recoveries: LoadedList<PendingRecovery> }
  | { readonly type: 'recoveryCodesKnown'; readonly recoveryCodes: LoadedList<RecoveryCodeSummary> }
  /** The change succeeded. `next` is the following form; `news` announces the change if it is complete. */
  | {
      readonly type: 'done';
      readonly news: AccountNews | null;
      readonly next: AccountTask | null;
      /** The changed details. */
      readonly details?: Profile;
      /** Further sessions, for the end of the list. */
      readonly more?: { readonly items: readonly ListedSession[]; readonly next: string | null };
    }
  /** The entered telephone number is not valid; nothing was sent. */
  | { readonly type: 'numberInvalid'; readonly edit: number }
  /** The person ended a passkey ceremony. */
  | { readonly type: 'cancelled' }
  /** `way`: how the user can give the proof for the change: the second factor, or a new login if `isLogin`. */
  | { readonly type: 'refused'; readonly error: AuthError; readonly way?: ProofWay; readonly isLogin?: true }
  | { readonly type: 'proofGiven' }
  | { readonly type: 'proofRefused'; readonly error: AuthError };

export type AccountCommand =
  | { readonly do: 'load' }
  | { readonly do: 'change'; readonly change: AccountChange }
  /** Repeats the last change, after the second factor. */
  | { readonly do: 'repeat' }
  | { readonly do: 'prove'; readonly way: ProofWay; readonly code: string }
  /** Sends the code by text or email. */
  | { readonly do: 'sendProof'; readonly way: 'text' | 'email' };

type AccountTransition = Transition<AccountState, AccountCommand>;
type Row<At extends AccountState['at']> = FlowTable<AccountState, AccountEvent, AccountCommand>[At];

function to(state: AccountState, command?: AccountCommand, outcomes: readonly Outcome[] = []): AccountTransition {
  return { state, outcomes, ...(command && { command }) };
}

const reported = (error: AuthError): readonly Outcome[] => [{ type: 'reported', error }];
const isPage = (state: AccountState): state is AccountPage => 'user' in state;

type RestingAccountState = Extract<AccountState, { readonly at: 'resting' }>;

/** The fields that every state of the page has. */
function resting(
  { user, details, sessions, apps, devices, recoveries, recoveryCodes, task, news }: AccountPage,
  change: Partial<Omit<RestingAccountState, 'at'>> = {},
): RestingAccountState {
  const lists = { details, sessions, apps, devices, recoveries, recoveryCodes };
  return { user, ...lists, task, news, error: null, failed: null, ...change, at: 'resting' };
}

const arrive = (user: User): AccountState => ({
  at: 'resting',
  user,
  details: { status: 'loading' },
  sessions: { status: 'loading' },
  apps: { status: 'loading' },
  devices: { status: 'loading' },
  recoveries: { status: 'loading' },
  recoveryCodes: { status: 'loading' },
  task: null,
  error: null,
  failed: null,
  news: null,
});

/** Another user starts from the beginning; changes of the same user show immediately. */
function person(state: AccountState, { user }: { readonly user: User | null }): AccountTransition {
  if (user === null) {
    return state.at === 'signedOut' ? { state } : to({ at: 'signedOut', ...(isPage(state) && { ended: true }) });
  }
  if (!isPage(state) || state.user.user_id !== user.user_id) return to(arrive(user));
  return to({ ...state, user });
}

const loaded = {
  detailsKnown: (state: AccountPage, { details }: { readonly details: LoadedList<Profile> }): AccountTransition =>
    to({ ...state, details }),
  sessionsKnown: (
    state: AccountPage,
    { sessions }: { readonly sessions: LoadedList<ListedSession> },
  ): AccountTransition => to({ ...state, sessions }),
  appsKnown: (state: AccountPage, { apps }: { readonly apps: LoadedList<ConnectedAppInfo> }): AccountTransition =>
    to({ ...state, apps }),
  devicesKnown: (state: AccountPage, { devices }: { readonly devices: LoadedList<TrustedDevice> }): AccountTransition =>
    to({ ...state, devices }),
  recoveriesKnown: (
    state: AccountPage,
    { recoveries }: { readonly recoveries: LoadedList<PendingRecovery> },
  ): AccountTransition => to({ ...state, recoveries }),
  recoveryCodesKnown: (
    state: AccountPage,
    { recoveryCodes }: { readonly recoveryCodes: LoadedList<RecoveryCodeSummary> },
  ): AccountTransition => to({ ...state, recoveryCodes }),
};

/** A session that was used in the meantime may appear in a later page again. */
function withMore(
  list: LoadedList<ListedSession>,
  { items, next }: { readonly items: readonly ListedSession[]; readonly next: string | null },
): LoadedList<ListedSession> {
  if (list.status !== 'known') return list;
  const sessionIds = new Set(list.items.map(({ session_id }) => session_id));
  return { ...list, items: [...list.items, ...items.filter(({ session_id }) => !sessionIds.has(session_id))], next };
}

/** The list immediately after the change. It is also loaded again; a row that disappeared only then would lose the focus. */
function sessionsAfter(
  list: LoadedList<ListedSession>,
  news: AccountNews | null,
  more: Parameters<typeof withMore>[1] | undefined,
): LoadedList<ListedSession> {
  if (more !== undefined) return withMore(list, more);
  if (news !== 'othersEnded' || list.status !== 'known') return list;
  return { status: 'known', items: list.items.filter(({ is_current }) => is_current), next: null };
}

const retry = (state: AccountState): AccountTransition => ({ state, command: { do: 'load' } });

function ask(state: AccountPage, { change }: { readonly change: AccountChange }): AccountTransition {
  const doing = doingOf(change);
  return to({ ...resting(state), at: 'working', doing, from: state.task, waiting: [] }, { do: 'change', change });
}

/** For a text or email, a code is sent as soon as the form shows. */
const sending = (way: ProofWay): AccountCommand | undefined =>
  way === 'text' || way === 'email' ? { do: 'sendProof', way } : undefined;

type ChangingAccountState = Extract<AccountState, { readonly at: 'working' | 'checking' }>;

/** Buttons stay usable during a change, so a second change waits. Forms are busy meanwhile. */
function wait(state: ChangingAccountState, { change }: { readonly change: AccountChange }): AccountTransition {
  const waits = isButtonChange(change) && !state.waiting.some((other) => sameJson(other, change));
  return waits ? to({ ...state, waiting: [...state.waiting, change] }) : { state };
}

const open = (state: AccountPage, { task }: { readonly task: AccountTask }): AccountTransition =>
  to(resting(state, { task, news: null }));

/** The form that was opened during a change stays. */
const openBeside = (state: ChangingAccountState, { task }: { readonly task: AccountTask }): AccountTransition =>
  to({ ...state, task });

/** Starts the next waiting change, if any. */
function goOn(
  { waiting: [change, ...waiting] }: { readonly waiting: readonly ButtonChange[] },
  page: RestingAccountState,
  outcomes: readonly Outcome[] = [],
): AccountTransition {
  if (change === undefined) return to(page, undefined, outcomes);
  return to(
    { ...page, at: 'working', doing: doingOf(change), from: null, waiting },
    { do: 'change', change },
    outcomes,
  );
}

const absent: Row<'arriving'> = {
  person,
  unreachable: (_, { error }) => to({ at: 'failed', error }, undefined, reported(error)),
};

/**
 * The account page. If the server refuses a change without the second factor, the page asks for a code in place, then repeats the change.
 * An event that a row does not list changes nothing.
 */
export const ACCOUNT_TABLE: FlowTable<AccountState, AccountEvent, AccountCommand> = {
  arriving: absent,
  signedOut: {
    person,
    // The session ends before the deletion is reported.
    done: (state, { news }) =>
      news === 'accountDeleted'
        ? to({ at: 'signedOut', deleted: true }, undefined, [{ type: 'account/done', change: news }])
        : { state },
  },
  failed: { ...(absent as Row<'failed'>), 'account/retried': () => to({ at: 'arriving' }, { do: 'load' }) },
  resting: {
    person,
    ...loaded,
    'account/opened': open,
    'account/closed': (state) => to(resting(state, { task: null })),
    'account/edited': (state) => (state.error === null ? { state } : to(resting(state))),
    'account/asked': ask,
    'account/retried': retry,
  },
  working: {
    person,
    ...loaded,
    'account/opened': openBeside,
    'account/asked': wait,
    done: (state, { news, next, more, details: changedDetails }) => {
      const latestNews = news === null ? state.news : { id: (state.news?.id ?? 0) + 1, what: news };
      const outcomes: readonly Outcome[] = news === null ? [] : [{ type: 'account/done', change: news }];
      // A form that was opened meanwhile stays.
      const task = next ?? (state.task === state.from ? null : state.task);
      const sessions = sessionsAfter(state.sessions, news, more);
      const details: LoadedList<Profile> = changedDetails
        ? { status: 'known', items: [changedDetails] }
        : state.details;
      return goOn(state, resting(state, { task, news: latestNews, details, sessions }), outcomes);
    },
    numberInvalid: (state, { edit }) => goOn(state, resting(state), [{ type: 'phone/invalid', edit }]),
    cancelled: (state) => goOn(state, resting(state)),
    refused: (state, { error, way = needsSecondFactor(error) ? 'totp' : undefined, isLogin }) =>
      way !== undefined
        ? to({ ...state, at: 'proving', way, ...(isLogin && { isLogin }), error: null }, sending(way))
        : to(resting(state, { error, failed: state.doing }), undefined, reported(error)),
  },
  proving: {
    person,
    ...loaded,
    // Any other action on the page ends the request for the proof.
    'account/opened': open,
    'account/asked': ask,
    'account/closed': (state) => to(resting(state)),
    'account/edited': (state) => (state.error === null ? { state } : to({ ...state, error: null })),
    'account/wayChosen': (state, { way }) => to({ ...state, way, error: null }, sending(way)),
    // The code was not sent.
    proofRefused: (state, { error }) => to({ ...state, error }, undefined, reported(error)),
    'account/proven': (state, { code }) =>
      to({ ...state, at: 'checking', error: null }, { do: 'prove', way: state.way, code }),
  },
  checking: {
    person,
    ...loaded,
    'account/opened': openBeside,
    'account/asked': wait,
    proofGiven: (state) => {
      const { way: _, isLogin: __, ...page } = state;
      return to({ ...page, at: 'working' }, { do: 'repeat' });
    },
    proofRefused: (state, { error }) => to({ ...state, at: 'proving', error }, undefined, reported(error)),
    // The person closed the browser's passkey dialog.
    cancelled: (state) => to({ ...state, at: 'proving' }),
  },
};
