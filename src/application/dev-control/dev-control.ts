import type { RefusalType } from '../../domain/rules/refusal.ts';
import type { Session } from '../../domain/sessions/session.ts';
import type { api, API_PREFIX } from '../api/index.ts';
import { endpoint, type CallsOf } from '../api/endpoint.ts';

/**
 * What tests and developers' tools ask of a provider that was started with `--dev`, as data: time, faults, settings, people and
 * snapshots. Replies are flat: the fields are beside `status_code` and `request_id`. A refusal has `error_type`, `error_message`, and
 * in `error_details` the wrong field.
 */
export const CONTROL_PREFIX = '/dev/control';

/**
 * The header of a request's scope: 1 to 64 letters, digits and `. _ -`. What a control call with this header sets of time and faults
 * applies only to requests with the same header, so that tests at the same time do not disturb each other. Without it, it applies
 * to all requests.
 */
export const SCOPE_HEADER = 'X-Portico-Test';

/** The clock of the provider, by which everything there starts, ends and expires. */
export interface ControlledClock {
  /** RFC 3339. */
  readonly now: string;
  /** How far it is ahead of the real time, in milliseconds; negative when it is behind. */
  readonly moved_ms: number;
  readonly is_frozen: boolean;
}

/**
 * The method and path of a call, such as `POST /sdk/v1/otps/email/login_or_create`. The method may be `*`; in the path, `:name`
 * stands for any one segment, and a last segment `*` for the rest. `*` alone is every call of the wire, the backend API, and OAuth.
 */
// With `string` alone, editors would not offer the names.
export type FaultyCall = '*' | CallsOf<typeof api, typeof API_PREFIX> | (string & {});

/** How a call goes wrong on purpose. */
export interface Fault {
  readonly call: FaultyCall;
  /** The refusal that is answered; nothing is done. */
  readonly refuse?: RefusalType;
  /** The header `Retry-After` of the refusal, in seconds: 1 to 86400. */
  readonly retry_after_seconds?: number;
  /** How long the answer is held back, in real milliseconds: 1 to 60000. */
  readonly delay_ms?: number;
  /** Ends the connection: before anything is done, or instead of the answer of what was done. */
  readonly drop?: 'request' | 'answer';
  /** The number of requests: 1 to 1000. Default: until it is removed. */
  readonly times?: number;
}

/** A fault that waits for requests. */
export interface ActiveFault extends Fault {
  readonly fault_id: string;
  /** The requests that met it. */
  readonly hits: number;
  readonly scope: string | null;
}

/** How the built-in social accounts answer the next login. */
export type SocialAnswer = 'deny' | 'error';

/** A kept state of the provider's data. */
export interface Snapshot {
  readonly name: string;
  /** RFC 3339, in real time. */
  readonly taken_at: string;
  readonly rows: number;
  readonly bytes: number;
}

/** Settings of the project, under their names in the project file, such as `{ password_strength_policy: 'luds' }`. */
export type ProjectSettings = Readonly<Record<string, unknown>>;

/** What is set at a development provider. */
export interface ControlState {
  readonly clock: ControlledClock;
  readonly faults: readonly ActiveFault[];
  readonly captcha: { readonly required: boolean };
  readonly social: { readonly next: SocialAnswer | null };
  /** The settings that were switched. */
  readonly settings: ProjectSettings;
  readonly snapshots: readonly Snapshot[];
}

/** A person to create. Each has at least an email address or a phone number, which nobody may have yet. */
export interface PersonToSeed {
  readonly email?: string;
  /** E.164. */
  readonly phone_number?: string;
  readonly password?: string;
  readonly name?: { readonly first_name?: string; readonly middle_name?: string; readonly last_name?: string };
  /** RBAC roles of the project. */
  readonly roles?: readonly string[];
  readonly trusted_metadata?: Readonly<Record<string, unknown>>;
  readonly untrusted_metadata?: Readonly<Record<string, unknown>>;
  /** True gives the person an authenticator app; the reply has its secret. */
  readonly totp?: boolean;
  /** Social logins, such as `[{ provider: 'google' }]`: the person can log in by that account, which needs `email`. */
  readonly social?: readonly { readonly provider: string }[];
  /** True locks the account, as an operator does. */
  readonly locked?: boolean;
  /** Makes a session that lasts so many minutes. */
  readonly session_duration_minutes?: number;
}

/** A user that was made on demand. */
export interface SeededPerson {
  readonly user_id: string;
  readonly email: string | null;
  readonly phone_number: string | null;
  readonly totp: { readonly secret: string; readonly recovery_codes: readonly string[] } | null;
  /** The session that was asked for, to put into a browser's cookies. */
  readonly session: {
    readonly session: Session;
    readonly session_token: string;
    readonly session_jwt: string;
  } | null;
}

/** The calls below `/dev/control`. */
export const devControl = {
  state: endpoint<ControlState>()({ name: 'control.state', method: 'GET', path: '' }),
  /** Everything but people and snapshots is as it was at the start: of the scope, if the request has one. */
  reset: endpoint<ControlState>()({ name: 'control.reset', method: 'DELETE', path: '' }),
  /** `set` is RFC 3339 and comes before `move_ms`. Real time goes on from there, unless it is frozen. */
  clock: endpoint<{ readonly clock: ControlledClock }>()({
    name: 'control.clock',
    method: 'POST',
    path: '/clock',
    body: { set: 'string?', move_ms: 'number?', frozen: 'boolean?' },
  }),
  /** The clock tells the real time again. */
  resetClock: endpoint<{ readonly clock: ControlledClock }>()({
    name: 'control.resetClock',
    method: 'DELETE',
    path: '/clock',
  }),
  addFault: endpoint<{ readonly fault_id: string }>()({
    name: 'control.addFault',
    method: 'POST',
    path: '/faults',
    body: {
      call: 'string',
      refuse: 'string?',
      retry_after_seconds: 'number?',
      delay_ms: 'number?',
      drop: 'string?',
      times: 'number?',
    },
  }),
  removeFaults: endpoint<object>()({ name: 'control.removeFaults', method: 'DELETE', path: '/faults' }),
  removeFault: endpoint<object>()({ name: 'control.removeFault', method: 'DELETE', path: '/faults/:fault_id' }),
  /** Ends the passcodes and links that wait, of one address or number, or all. */
  expireCodes: endpoint<{ readonly expired: number }>()({
    name: 'control.expireCodes',
    method: 'POST',
    path: '/codes/expire',
    body: { to: 'string?' },
  }),
  /** `next` is `deny`, `error` or null. */
  social: endpoint<{ readonly social: ControlState['social'] }>()({
    name: 'control.social',
    method: 'POST',
    path: '/social',
    body: { next: 'string?' },
  }),
  captcha: endpoint<{ readonly captcha: ControlState['captcha'] }>()({
    name: 'control.captcha',
    method: 'POST',
    path: '/captcha',
    body: { required: 'boolean' },
  }),
  /** Each field is one of the project file and replaces it; null restores it. Either all of them change, or none. */
  settings: endpoint<{ readonly settings: ProjectSettings }>()({
    name: 'control.settings',
    method: 'POST',
    path: '/settings',
    body: { settings: 'object' },
  }),
  seed: endpoint<{ readonly users: readonly SeededPerson[] }>()({
    name: 'control.seed',
    method: 'POST',
    path: '/users',
    body: { users: 'object[]' },
  }),
  takeSnapshot: endpoint<{ readonly snapshot: Snapshot }>()({
    name: 'control.takeSnapshot',
    method: 'POST',
    path: '/snapshots',
    body: { name: 'string' },
  }),
  restoreSnapshot: endpoint<{ readonly snapshot: Snapshot }>()({
    name: 'control.restoreSnapshot',
    method: 'POST',
    path: '/snapshots/:name/restore',
  }),
  removeSnapshot: endpoint<object>()({ name: 'control.removeSnapshot', method: 'DELETE', path: '/snapshots/:name' }),
} as const;
