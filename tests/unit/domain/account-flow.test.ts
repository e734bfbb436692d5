import { describe, expect, it } from 'vitest';
import type { AccountState, AccountTask } from '#domain/account/account.ts';
import { SDKAPIError, SDKAPIUnreachableError } from '#domain/errors.ts';
import { ACCOUNT_TABLE, type AccountCommand, type AccountEvent } from '#domain/screens/account-flow.ts';
import { transition } from '#domain/screens/flow-table.ts';
import type { Outcome } from '#domain/screens/event.ts';
import type { User } from '#domain/users/user.ts';

const user = (user_id: string, change: Partial<User> = {}): User =>
  ({ user_id, name: {}, emails: [{ email_id: 'e-1', email: 'ada@example.com', verified: true }], ...change }) as User;
const ADA = user('ada');
const error = new SDKAPIUnreachableError('network');
const mfa = new SDKAPIError({ status_code: 403, error_type: 'mfa_required', error_message: '', error_url: '' });
const old = new SDKAPIError({ status_code: 403, error_type: 'login_required', error_message: '', error_url: '' });
const question: AccountTask = { kind: 'remove', what: 'email', id: 'e-1' };
const codes: AccountTask = { kind: 'recoveryCodes', codes: ['a'], fresh: true };
const page = {
  user: ADA,
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
} as const;
const doing = { kind: 'remove', what: 'email', id: 'e-1' } as const;

const STATES = {
  arriving: { at: 'arriving' },
  signedOut: { at: 'signedOut' },
  failed: { at: 'failed', error },
  resting: { at: 'resting', ...page, error, failed: doing, task: question },
  working: { at: 'working', ...page, task: question, doing, from: question, waiting: [] },
  proving: { at: 'proving', ...page, task: question, doing, from: question, waiting: [], way: 'totp', error },
  checking: { at: 'checking', ...page, task: question, doing, from: question, waiting: [], way: 'totp' },
} as const satisfies Readonly<Record<string, AccountState>>;

const EVENTS = {
  'person ada': { type: 'person', user: ADA },
  'person ada without the address': { type: 'person', user: user('ada', { emails: [] }) },
  'person bob': { type: 'person', user: user('bob') },
  'person nobody': { type: 'person', user: null },
  unreachable: { type: 'unreachable', error },
  detailsKnown: { type: 'detailsKnown', details: { status: 'absent' } },
  sessionsKnown: { type: 'sessionsKnown', sessions: { status: 'absent' } },
  appsKnown: { type: 'appsKnown', apps: { status: 'absent' } },
  devicesKnown: { type: 'devicesKnown', devices: { status: 'absent' } },
  recoveriesKnown: { type: 'recoveriesKnown', recoveries: { status: 'absent' } },
  recoveryCodesKnown: { type: 'recoveryCodesKnown', recoveryCodes: { status: 'absent' } },
  done: { type: 'done', news: 'emailRemoved', next: null },
  'done, and more': { type: 'done', news: null, next: codes },
  'done, and no account': { type: 'done', news: 'accountDeleted', next: null },
  numberInvalid: { type: 'numberInvalid', edit: 7 },
  cancelled: { type: 'cancelled' },
  refused: { type: 'refused', error },
  'refused for a second factor': { type: 'refused', error: mfa },
  'refused for a new login': { type: 'refused', error: old, way: 'password', isLogin: true },
  'refused for a new login by a code': { type: 'refused', error: old, way: 'email', isLogin: true },
  proofGiven: { type: 'proofGiven' },
  proofRefused: { type: 'proofRefused', error },
  'account/opened': { type: 'account/opened', task: { kind: 'name' } },
  'account/closed': { type: 'account/closed' },
  'account/asked': { type: 'account/asked', change: { kind: 'password', password: 'canary' } },
  'account/edited': { type: 'account/edited' },
  'account/proven': { type: 'account/proven', code: 'canary' },
  'account/wayChosen': { type: 'account/wayChosen', way: 'recovery' },
  'account/retried': { type: 'account/retried' },
} as const satisfies Readonly<Record<string, AccountEvent>>;

type Name = keyof typeof EVENTS;

const taskOf = (state: AccountState): string => ('task' in state && state.task !== null ? ` (${state.task.kind})` : '');
const errorOf = (state: AccountState): string => ('error' in state && state.error !== null ? ' with an error' : '');
const inAWord = (outcome: Outcome): string => (outcome.type === 'account/done' ? outcome.change : outcome.type);

/** Where an event leads: the state, its form, whether it shows an error, what is told beside it, and what is to be done. */
function leads(from: AccountState, event: AccountEvent): string {
  const { state, outcomes = [], command } = transition(ACCOUNT_TABLE, from, event);
  if (state === from && command === undefined) return 'nowhere';
  const told = outcomes.map(inAWord);
  return [
    `${state.at}${taskOf(state)}${errorOf(state)}`,
    ...(told.length > 0 ? [`: ${told.join(', ')}`] : []),
    ...(command === undefined ? [] : [` ! ${command.do}`]),
  ].join('');
}

const everywhere: Partial<Record<Name, string>> = { 'person bob': 'resting', 'person nobody': 'signedOut' };
const lists = (at: string): Partial<Record<Name, string>> => ({
  detailsKnown: at,
  sessionsKnown: at,
  appsKnown: at,
  devicesKnown: at,
  recoveriesKnown: at,
  recoveryCodesKnown: at,
});

/** For each state, where each event leads; what is not listed changes nothing. */
const TABLE: Readonly<Record<keyof typeof STATES, Partial<Record<Name, string>>>> = {
  arriving: {
    ...everywhere,
    'person ada': 'resting',
    'person ada without the address': 'resting',
    unreachable: 'failed with an error: reported',
  },
  signedOut: {
    'person bob': 'resting',
    'person ada': 'resting',
    'person ada without the address': 'resting',
    'done, and no account': 'signedOut: accountDeleted',
  },
  failed: {
    ...everywhere,
    'person ada': 'resting',
    'person ada without the address': 'resting',
    unreachable: 'failed with an error: reported',
    'account/retried': 'arriving ! load',
  },
  resting: {
    ...everywhere,
    ...lists('resting (remove) with an error'),
    'person ada': 'resting (remove) with an error',
    'person ada without the address': 'resting (remove) with an error',
    'account/opened': 'resting (name)',
    'account/closed': 'resting',
    'account/edited': 'resting (remove)',
    'account/asked': 'working (remove) ! change',
    'account/retried': 'resting (remove) with an error ! load',
  },
  working: {
    ...everywhere,
    ...lists('working (remove)'),
    'person ada': 'working (remove)',
    'person ada without the address': 'working (remove)',
    'account/opened': 'working (name)',
    done: 'resting: emailRemoved',
    'done, and more': 'resting (recoveryCodes)',
    'done, and no account': 'resting: accountDeleted',
    numberInvalid: 'resting (remove): phone/invalid',
    cancelled: 'resting (remove)',
    refused: 'resting (remove) with an error: reported',
    'refused for a second factor': 'proving (remove)',
    'refused for a new login': 'proving (remove)',
    'refused for a new login by a code': 'proving (remove) ! sendProof',
  },
  proving: {
    ...everywhere,
    ...lists('proving (remove) with an error'),
    'person ada': 'proving (remove) with an error',
    'person ada without the address': 'proving (remove) with an error',
    'account/opened': 'resting (name)',
    'account/asked': 'working (remove) ! change',
    'account/closed': 'resting (remove)',
    'account/edited': 'proving (remove)',
    'account/wayChosen': 'proving (remove)',
    proofRefused: 'proving (remove) with an error: reported',
    'account/proven': 'checking (remove) ! prove',
  },
  checking: {
    ...everywhere,
    ...lists('checking (remove)'),
    'person ada': 'checking (remove)',
    'person ada without the address': 'checking (remove)',
    'account/opened': 'checking (name)',
    proofGiven: 'working (remove) ! repeat',
    proofRefused: 'proving (remove) with an error: reported',
    cancelled: 'proving (remove)',
  },
};

describe('The table of the account page', () => {
  for (const [from, moves] of Object.entries(TABLE)) {
    for (const [name, event] of Object.entries(EVENTS)) {
      it(`${from} on ${name}`, () => {
        const expected = moves[name as Name] ?? 'nowhere';
        expect(leads(STATES[from as keyof typeof STATES], event)).toBe(expected);
      });
    }
  }

  it('keeps a form that was opened while a change was made', () => {
    const { state: opened } = transition(ACCOUNT_TABLE, STATES.working, EVENTS['account/opened']);
    expect(leads(opened, EVENTS.done)).toBe('resting (name): emailRemoved');
    expect(leads(opened, EVENTS.refused)).toBe('resting (name) with an error: reported');
  });

  it('makes changes of rows one after the other, and forgets those that wait when one is refused', () => {
    const asked = (id: string) =>
      ({ type: 'account/asked', change: { kind: 'renamePasskey', id, name: 'Phone' } }) as const;
    const after = (state: AccountState, ...events: readonly AccountEvent[]) =>
      events.reduce((now, event) => transition(ACCOUNT_TABLE, now.state, event), { state } as ReturnType<
        typeof transition<AccountState, AccountEvent, AccountCommand>
      >);
    const next = after(STATES.working, asked('one'), asked('two'), EVENTS.done);
    expect(next.command).toEqual({ do: 'change', change: asked('one').change });
    expect(next.state).toMatchObject({ at: 'working', doing: asked('one').change, waiting: [asked('two').change] });
    expect(after(next.state, EVENTS.cancelled).command).toEqual({ do: 'change', change: asked('two').change });
    expect(after(next.state, EVENTS.refused)).toMatchObject({ state: { at: 'resting', error } });
    const proving = after(
      next.state,
      EVENTS['refused for a second factor'],
      EVENTS['account/proven'],
      EVENTS.proofGiven,
    );
    expect(proving.state).toMatchObject({ at: 'working', waiting: [asked('two').change] });
  });

  it('makes a change of a button after the one that is being made, once', () => {
    const changes = [
      { kind: 'addPasskey' },
      { kind: 'acceptTerms', id: 'tos', version: '2' },
      { kind: 'createTotp' },
      { kind: 'showRecoveryCodes' },
      { kind: 'renewRecoveryCodes' },
      { kind: 'moreSessions', cursor: '1' },
      { kind: 'signOut' },
    ] as const;
    for (const state of [STATES.working, STATES.checking]) {
      let now: AccountState = state;
      for (const change of [...changes, ...changes])
        now = transition(ACCOUNT_TABLE, now, { type: 'account/asked', change } as const).state;
      expect(now).toMatchObject({ at: state.at, waiting: changes });
    }
    const waiting = { ...STATES.working, waiting: changes };
    const { state, command } = transition(ACCOUNT_TABLE, waiting, EVENTS.cancelled);
    expect(command).toEqual({ do: 'change', change: { kind: 'addPasskey' } });
    expect(state).toMatchObject({ at: 'working', doing: { kind: 'addPasskey' }, waiting: changes.slice(1) });
  });

  it('keeps a form that was opened before a change of a row began', () => {
    const rename = { type: 'account/asked', change: { kind: 'renamePasskey', id: 'one', name: 'Phone' } } as const;
    const { state: waiting } = transition(ACCOUNT_TABLE, STATES.working, rename);
    const { state: opened } = transition(ACCOUNT_TABLE, waiting, EVENTS['account/opened']);
    const { state: renaming } = transition(ACCOUNT_TABLE, opened, EVENTS.done);
    expect(leads(renaming, EVENTS.done)).toBe('resting (name): emailRemoved');
  });

  it('shows the changed details at once, and keeps them after another change', () => {
    const details = { fields: [], terms: [] };
    const known = { status: 'known', items: [details] };
    const { state } = transition(ACCOUNT_TABLE, STATES.working, { ...EVENTS.done, news: 'detailsChanged', details });
    expect(state).toMatchObject({ details: known, news: { what: 'detailsChanged' } });
    const { state: working } = transition(ACCOUNT_TABLE, state, EVENTS['account/asked']);
    expect(transition(ACCOUNT_TABLE, working, EVENTS.done).state).toMatchObject({ details: known });
  });

  it('has one state for each name', () => {
    expect(Object.keys(ACCOUNT_TABLE)).toEqual(Object.keys(STATES));
  });

  it('keeps no password and no code in its states', () => {
    for (const state of Object.values(STATES)) {
      for (const event of Object.values(EVENTS)) {
        expect(JSON.stringify(transition(ACCOUNT_TABLE, state, event).state)).not.toContain('canary');
      }
    }
  });
});

describe('the end of a session', () => {
  const nobody = EVENTS['person nobody'];
  it('is told from a page that began without one, also when it is reported twice', () => {
    const { state } = transition(ACCOUNT_TABLE, STATES.resting, nobody);
    expect(state).toEqual({ at: 'signedOut', ended: true });
    expect(transition(ACCOUNT_TABLE, state, nobody).state).toEqual(state);
    expect(transition(ACCOUNT_TABLE, STATES.arriving, nobody).state).toEqual({ at: 'signedOut' });
  });

  it('is that of the account, where the user deleted it: the session ends before the reply is told', () => {
    const { state: ended } = transition(ACCOUNT_TABLE, STATES.working, nobody);
    const { state, outcomes } = transition(ACCOUNT_TABLE, ended, EVENTS['done, and no account']);
    expect(state).toEqual({ at: 'signedOut', deleted: true });
    expect(outcomes).toEqual([{ type: 'account/done', change: 'accountDeleted' }]);
    expect(transition(ACCOUNT_TABLE, state, nobody).state).toEqual(state);
  });
});
