import type { RefusalType } from '#domain/rules/refusal.ts';
import type { Session } from '#domain/sessions/session.ts';
import type { api, API_PREFIX } from '../api/index.ts';
import { endpoint, type CallsOf } from '../api/endpoint.ts';

/**
 * The control API of a provider that was started with `--dev`, as data: time, faults, settings, users and snapshots. Replies are
 * flat: the fields are beside `status_code` and `request_id`. An error has `error_type` and `error_message`; `error_details` names
 * the invalid field.
 */
export const CONTROL_PREFIX = '/dev/control';

/**
 * The header of a request's scope: 1 to 64 letters, digits and `. _ -`. Time and faults that are set with this header apply only to
 * requests with the same header, so that concurrent tests do not affect each other. Without the header they apply to all requests.
 */
export const SCOPE_HEADER = 'X-Portico-Test';

/** The clock of the provider. All its lifetimes and expiries use it. */
export interface ControlledClock {
  /** RFC 3339. */
  readonly now: string;
  /** The offset from real time, in milliseconds; negative when the clock is behind. */
  readonly moved_ms: number;
  readonly is_frozen: boolean;
}

/**
 * The method and path of a call, such as `POST /sdk/v1/otps/email/login_or_create`. The method may be `*`; in the path, `:name`
 * stands for any one segment, and a last segment `*` for the rest. `*` alone is every call of the wire, the backend API, and OAuth.
 */
// Keeps the completion of the names in editors, which plain `string` would remove.
export type FaultyCall = '*' | CallsOf<typeof api, typeof API_PREFIX> | (string & {});

/** A fault to inject into a call. */
export interface Fault {
  readonly call: FaultyCall;
  /** The error type of the response. The call has no effect. */
  readonly refuse?: RefusalType;
  /** The `Retry-After` header of the error response, in seconds: 1 to 86400. */
  readonly retry_after_seconds?: number;
  /** The delay of the response, in milliseconds of real time: 1 to 60000. */
  readonly delay_ms?: number;
  /** Closes the connection: `request` before the call has any effect, `answer` after the call, in place of its response. */
  readonly drop?: 'request' | 'answer';
  /** The number of affected requests: 1 to 1000. Default: all, until the fault is removed. */
  readonly times?: number;
}

/** The largest values of a fault's numbers. The least is 1. */
export const FAULT_MOST = { times: 1_000, retry_after_seconds: 86_400, delay_ms: 60_000 } as const;

/** An active fault. */
export interface ActiveFault extends Fault {
  readonly fault_id: string;
  /** The number of requests that the fault has affected. */
  readonly hits: number;
  readonly scope: string | null;
}

/** The outcome of the next login with a built-in social account. */
export type SocialAnswer = 'deny' | 'error';

/** A stored copy of the provider's data. */
export interface Snapshot {
  readonly name: string;
  /** RFC 3339, in real time. */
  readonly taken_at: string;
  readonly rows: number;
  readonly bytes: number;
}

/** Settings of the project, under their names in the project file, such as `{ password_strength_policy: 'luds' }`. */
export type ProjectSettings = Readonly<Record<string, unknown>>;

/** The current control state of a development provider. */
export interface ControlState {
  readonly clock: ControlledClock;
  readonly faults: readonly ActiveFault[];
  readonly captcha: { readonly required: boolean };
  readonly social: { readonly next: SocialAnswer | null };
  /** The settings that were overridden. */
  readonly settings: ProjectSettings;
  readonly snapshots: readonly Snapshot[];
}

/** A user to create. An email address or a phone number is required, and must not be in use. */
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
  /** Creates an authenticator app for the user; the reply contains its secret. */
  readonly totp?: boolean;
  /** Social logins, such as `[{ provider: 'google' }]`: the user can log in with that account. Requires `email`. */
  readonly social?: readonly { readonly provider: string }[];
  /** Locks the account, as an operator can. */
  readonly locked?: boolean;
  /** Creates a session of this duration, in minutes. Its user has what the project's `profile` requires, as by `completeProfile`. */
  readonly session_duration_minutes?: number;
}

/** A created user. */
export interface SeededPerson {
  readonly user_id: string;
  readonly email: string | null;
  readonly phone_number: string | null;
  readonly totp: { readonly secret: string; readonly recovery_codes: readonly string[] } | null;
  /** The requested session, for a browser's cookies. */
  readonly session: {
    readonly session: Session;
    readonly session_token: string;
    readonly session_jwt: string;
  } | null;
}

/** The calls below `/dev/control`. */
export const devControl = {
  state: endpoint<ControlState>()({ name: 'control.state', method: 'GET', path: '' }),
  /** Resets everything except users and snapshots to the initial state; with a scope, only the state of that scope. */
  reset: endpoint<ControlState>()({ name: 'control.reset', method: 'DELETE', path: '' }),
  /** `set` (RFC 3339) is applied before `move_ms`. The clock then advances with real time, unless it is frozen. */
  clock: endpoint<{ readonly clock: ControlledClock }>()({
    name: 'control.clock',
    method: 'POST',
    path: '/clock',
    body: { set: 'string?', move_ms: 'number?', frozen: 'boolean?' },
  }),
  /** Resets the clock to real time. */
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
  /** Expires the pending passcodes and links of one address or phone number, or all of them. */
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
  /** Each field overrides the project file's field of that name; null restores it. The change is atomic. */
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
  /**
   * Fills in what the project requires of the user and they lack, and accepts its terms. A field gets its first option, or `Test`.
   */
  completeProfile: endpoint<object>()({
    name: 'control.completeProfile',
    method: 'POST',
    path: '/users/:user_id/profile',
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
