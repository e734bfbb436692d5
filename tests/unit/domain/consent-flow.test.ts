import { describe, expect, it } from 'vitest';
import type { Consent } from '#domain/consent/consent.ts';
import { SDKAPIUnreachableError } from '#domain/errors.ts';
import type { OAuthAuthorizeParams } from '#domain/consent/oauth-params.ts';
import {
  authorizeTable,
  LOGOUT_TABLE,
  type AuthorizeEvent,
  type AuthorizeState,
  type LogoutEvent,
  type LogoutState,
} from '#domain/screens/consent-flow.ts';
import { transition, type Transition } from '#domain/screens/flow-table.ts';
import type { Outcome } from '#domain/screens/event.ts';

const PARAMS: OAuthAuthorizeParams = {
  client_id: 'planner',
  redirect_uri: 'https://planner.example/callback',
  response_type: 'code',
  scopes: ['openid', 'email'],
};
const BACK = 'https://planner.example/callback?code=c';
const error = new SDKAPIUnreachableError('network');
const page: Consent = { status: 'framed' };
const scopes = ['openid'];
const allowed = { type: 'consent/allowed' } as const;
const denied = { type: 'consent/denied' } as const;

/** An outcome in a word: what the page shows, or what is told. */
const inAWord = (outcome: Outcome): string =>
  outcome.type === 'consent/changed' ? outcome.consent.status : outcome.type;

/** A transition in words: the state that it leads to, what is told, and what is to be done. */
function inWords<State extends { readonly at: string }, Command extends { readonly do: string }>({
  state,
  outcomes = [],
  command,
}: Transition<State, Command>): string {
  const done = command === undefined ? '' : ` ! ${command.do}`;
  return `${state.at}${outcomes.length > 0 ? `: ${outcomes.map(inAWord).join(', ')}` : ''}${done}`;
}

/** A state, and each event that leads anywhere from it, in words; what is not listed changes nothing. */
interface Row<State, Events> {
  readonly from: State;
  readonly leads: { readonly [Name in keyof Events]?: string };
}

const begins = 'preflight: consent/started, loading ! preflight';
const nobody = 'noSession: reported, noSession';
const person = { 'person ada': begins, 'person bob': begins, 'person nobody': nobody };
const stays = 'noSession: noSession';

const AUTHORIZE_EVENTS = {
  attestFailed: { type: 'attestFailed', error },
  'person ada': { type: 'person', person: 'ada' },
  'person bob': { type: 'person', person: 'bob' },
  'person nobody': { type: 'person', person: null },
  passed: { type: 'passed', scopes },
  consentRequired: { type: 'consentRequired', scopes, page },
  answered: { type: 'answered', redirectUri: BACK },
  'answered without an address': { type: 'answered', redirectUri: '' },
  refused: { type: 'refused', error },
  returned: { type: 'returned' },
  unsafe: { type: 'unsafe', error },
  'consent/allowed': allowed,
  'consent/denied': denied,
  'consent/switched': { type: 'consent/switched' },
  'consent/retried': { type: 'consent/retried' },
} as const satisfies Readonly<Record<string, AuthorizeEvent>>;

const submitting = { at: 'submitting', person: 'ada', scopes, granted: true, by: allowed, present: 'ada' } as const;
const leaving = { returned: 'decided: success', unsafe: 'decided: error, reported' };
const recorded = { 'person ada': 'submitting', 'person bob': 'submitting', 'person nobody': 'submitting' };

/** The specification's section 4: a new state does not compile without its row. */
const AUTHORIZE: { readonly [At in AuthorizeState['at']]: readonly Row<AuthorizeState, typeof AUTHORIZE_EVENTS>[] } = {
  arriving: [
    { from: { at: 'arriving', isReported: false }, leads: { ...person, attestFailed: 'arriving: reported' } },
    {
      from: { at: 'arriving', isReported: true },
      leads: { ...person, 'person nobody': stays, attestFailed: 'arriving: reported' },
    },
  ],
  noSession: [
    {
      from: { at: 'noSession' },
      leads: {
        ...person,
        answered: 'noSession ! leave',
        'answered without an address': stays,
        refused: stays,
        returned: stays,
        unsafe: 'noSession: error, reported',
      },
    },
  ],
  preflight: [
    {
      from: { at: 'preflight', person: 'ada' },
      leads: {
        ...person,
        passed: 'submitting ! submit',
        consentRequired: 'consent: framed',
        refused: 'error: error, reported',
      },
    },
  ],
  error: [{ from: { at: 'error', person: 'ada' }, leads: { ...person, 'consent/retried': begins } }],
  consent: [
    {
      from: { at: 'consent', person: 'ada', scopes },
      leads: {
        ...person,
        'consent/allowed': 'submitting ! submit',
        'consent/denied': 'submitting ! submit',
        'consent/switched': 'consent ! signOut',
        refused: 'consent: failed',
      },
    },
  ],
  submitting: [
    {
      from: submitting,
      leads: {
        ...recorded,
        answered: 'decided ! leave',
        'answered without an address': 'decided: consent/completed, success',
        refused: 'consent: failed',
      },
    },
    {
      from: { ...submitting, granted: false, by: denied },
      leads: {
        ...recorded,
        answered: 'decided ! leave',
        'answered without an address': 'decided: consent/refused, denied',
        refused: 'consent: failed',
      },
    },
    {
      from: { ...submitting, by: null },
      leads: {
        ...recorded,
        answered: 'decided ! leave',
        'answered without an address': 'decided: consent/completed, success',
        refused: 'error: error, reported',
      },
    },
    {
      from: { ...submitting, present: 'bob' },
      leads: {
        ...recorded,
        answered: 'decided ! leave',
        'answered without an address': 'decided: consent/completed, success',
        refused: 'preflight: failed, consent/started, loading ! preflight',
      },
    },
    {
      from: { ...submitting, present: null },
      leads: {
        ...recorded,
        answered: 'decided ! leave',
        'answered without an address': 'decided: consent/completed, success',
        refused: 'noSession: failed, reported, noSession',
      },
    },
  ],
  decided: [
    { from: { at: 'decided', after: { status: 'success' } }, leads: leaving },
    { from: { at: 'decided', after: { status: 'denied' } }, leads: { ...leaving, returned: 'decided: denied' } },
  ],
};

const LOGOUT_EVENTS = {
  arrived: { type: 'arrived' },
  'answered, to ask': { type: 'answered', isConsentRequired: true, target: BACK, account: 'ada@example.com' },
  'answered, to go on': { type: 'answered', isConsentRequired: false, target: BACK, account: null },
  refused: { type: 'refused', error },
  revoked: { type: 'revoked' },
  returned: { type: 'returned' },
  unsafe: { type: 'unsafe', error },
  'consent/retried': { type: 'consent/retried' },
  'logout/confirmed': { type: 'logout/confirmed' },
  'logout/refused': { type: 'logout/refused' },
} as const satisfies Readonly<Record<string, LogoutEvent>>;

const asks = 'preflight: loading ! preflight';
const left = { returned: 'ending: loggedOut', unsafe: 'ending: error, reported' };

const LOGOUT: { readonly [At in LogoutState['at']]: readonly Row<LogoutState, typeof LOGOUT_EVENTS>[] } = {
  arriving: [{ from: { at: 'arriving' }, leads: { arrived: asks } }],
  preflight: [
    {
      from: { at: 'preflight' },
      leads: {
        'answered, to ask': 'confirming: confirmLogout',
        'answered, to go on': 'ending ! revoke',
        refused: 'error: error, reported',
      },
    },
  ],
  error: [{ from: { at: 'error' }, leads: { 'consent/retried': asks } }],
  confirming: [
    {
      from: { at: 'confirming', target: BACK },
      leads: { 'logout/confirmed': 'ending ! revoke', 'logout/refused': 'ended: notLoggedOut' },
    },
  ],
  ending: [
    { from: { at: 'ending', target: BACK }, leads: { ...left, revoked: 'ending ! leave' } },
    { from: { at: 'ending', target: undefined }, leads: { ...left, revoked: 'ended: loggedOut' } },
  ],
  ended: [{ from: { at: 'ended' }, leads: {} }],
};

describe('the authorize flow', () => {
  const table = authorizeTable(PARAMS);

  it.each(Object.values(AUTHORIZE).flat())('leads from $from.at only where its row says: $from', ({ from, leads }) => {
    for (const [name, event] of Object.entries(AUTHORIZE_EVENTS)) {
      const next = transition(table, from, event);
      const expected = (leads as Readonly<Record<string, string>>)[name];
      if (expected === undefined) expect(next).toEqual({ state: from });
      else expect(`${name} → ${inWords(next)}`).toBe(`${name} → ${expected}`);
    }
  });

  it('submits what the person decided, for the scopes that were shown', () => {
    const consent = { at: 'consent', person: 'ada', scopes } as const;
    expect(transition(table, consent, denied)).toEqual({
      state: { ...submitting, granted: false, by: denied },
      command: { do: 'submit', granted: false, scopes },
    });
    expect(transition(table, { at: 'preflight', person: 'ada' }, { type: 'passed', scopes })).toEqual({
      state: { ...submitting, by: null },
      command: { do: 'submit', granted: true, scopes },
    });
  });

  it('asks a new person anew, also after a failed submission', () => {
    const bob = { type: 'person', person: 'bob' } as const;
    const decidedByAda = transition(table, submitting, bob).state;
    const next = transition(table, decidedByAda, { type: 'refused', error });
    expect(next.state).toEqual({ at: 'preflight', person: 'bob' });
    expect(next.command).toEqual({ do: 'preflight' });
  });

  it('answers login_required to an app that wants no page shown', () => {
    const silent = authorizeTable({ ...PARAMS, prompt: 'none' });
    const next = transition(silent, { at: 'arriving', isReported: false }, { type: 'person', person: null });
    expect(inWords(next)).toBe('noSession: reported ! submit');
    expect(next.command).toEqual({ do: 'submit', granted: false, scopes: PARAMS.scopes });
  });
});

describe('the logout flow', () => {
  it.each(Object.values(LOGOUT).flat())('leads from $from.at only where its row says: $from', ({ from, leads }) => {
    for (const [name, event] of Object.entries(LOGOUT_EVENTS)) {
      const next = transition(LOGOUT_TABLE, from, event);
      const expected = (leads as Readonly<Record<string, string>>)[name];
      if (expected === undefined) expect(next).toEqual({ state: from });
      else expect(`${name} → ${inWords(next)}`).toBe(`${name} → ${expected}`);
    }
  });

  it('goes to the address of the reply, once the session has ended', () => {
    const next = transition(LOGOUT_TABLE, { at: 'ending', target: BACK }, { type: 'revoked' });
    expect(next.command).toEqual({ do: 'leave', url: BACK });
  });
});
