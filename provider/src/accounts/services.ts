import type { DevControls } from '#provider/base/http/dev-controls.ts';
import type { BrowserFamily, PasskeyStep } from '#provider/base/metrics/metrics.ts';
import type { Services as MessagesServices } from '#provider/messages/services.ts';
import type { RateLimitServices } from '#provider/project/services.ts';
import type { AuthenticatorMetadata } from './authenticators/metadata.ts';
import type { BreachList } from './password-strength/breach-list.ts';
import type { PasswordJudge } from './password-strength/judge.ts';

/** The last uses of sessions, written in batches. */
interface SessionUseLog {
  /** Records the use of a session. */
  used(session: { readonly session_id: string; readonly user_id: string }, at: Date): void;
  /** Writes the uses of this user's sessions. */
  writeOf(userId: string): Promise<void>;
}

/** The counts of passkey steps, written in batches. */
interface PasskeyCountLog {
  /** Counts a step on the day of this time in milliseconds. */
  count(step: PasskeyStep, by: BrowserFamily, at: number): void;
  /** Writes all counts so far. */
  write(): Promise<void>;
}

/** The services of this wing and of `apps`: those for messages, plus those for logins. */
export interface Services extends MessagesServices {
  /** The passwords known from breaches; a small embedded list when absent. */
  readonly breaches?: BreachList;
  /** Judges passwords; if absent, the judge that the whole process shares. */
  readonly judge?: PasswordJudge;
  /** The models of the project's metadata file; absent without one. */
  readonly authenticatorMetadata?: AuthenticatorMetadata;
  /** Writes the last uses of sessions in batches. Without it, each use is written immediately. */
  readonly uses?: SessionUseLog;
  /** Counts the steps of passkeys in the database; without it only metrics count them. */
  readonly passkeyCounts?: PasskeyCountLog;
  /** The controls of tests at run time; only with `--dev`. */
  readonly control?: DevControls;
}

/** The services that read and make sessions, and sign their JWTs. */
export type SessionServices = Pick<Services, 'db' | 'clock' | 'random' | 'keys' | 'project' | 'uses' | 'warn'>;

/** The services of a login, within the limits of requests. */
export type LoginServices = SessionServices & RateLimitServices;

/** The services that log in by a password, and judge new ones. */
export type PasswordServices = LoginServices & Pick<Services, 'breaches' | 'judge'>;

/** The services that send emails for a login. */
export type MailServices = LoginServices & Pick<Services, 'inbox' | 'carried' | 'templates'>;

/** The services that send emails and text messages for a login, and warn when the budget of text messages is spent. */
export type MessageServices = MailServices & Pick<Services, 'metrics' | 'warn'>;
