import type { ConnectedAppInfo } from './account.ts';
import type { TrustedDevice } from '../sessions/mfa.ts';
import type { ListedSession } from '../sessions/session.ts';
import type { User } from '../users/user.ts';

/** An event of the account in the server's audit log. */
export interface AccountEventRecord {
  /** RFC 3339. */
  readonly created_at: string;
  /** Such as `login` or `factor_added`. */
  readonly event: string;
  readonly outcome: 'ok' | 'refused';
  /** The actor: `user`, `app` (with tokens), `server` (of the app), `operator`, `system` or `anonymous`. */
  readonly actor: string;
  /** The login method, such as `otp`; null if there was none. */
  readonly method: string | null;
}

/** An app that the user signed in to with this project as its identity provider. */
export interface ConnectedApp extends ConnectedAppInfo {
  readonly description: string;
  readonly client_type: string;
}

/**
 * The server's data about the signed-in user, for export. It contains no secrets, keys or hashes, and nothing about other people. The
 * longest lists contain only the newest entries.
 */
export interface AccountData {
  /** RFC 3339. */
  readonly exported_at: string;
  readonly user: User;
  readonly sessions: readonly ListedSession[];
  /** The terms of the site that the user accepted, by their ids; absent for none. */
  readonly accepted_terms?: Readonly<
    Record<string, { readonly version: string; readonly accepted_at: string } | undefined>
  >;
  readonly trusted_devices: readonly TrustedDevice[];
  readonly connected_apps: readonly ConnectedApp[];
  readonly audit_log: readonly AccountEventRecord[];
}
