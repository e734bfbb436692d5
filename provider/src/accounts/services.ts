import type { DevControls } from '../base/http/dev-controls.ts';
import type { Services as MessagesServices } from '../messages/services.ts';
import type { RateLimitServices } from '../project/services.ts';
import type { BreachList } from './password-strength/breach-list.ts';
import type { PasswordJudge } from './password-strength/judge.ts';

/** The services of this wing and of `apps`: what logins need, beside messages. */
export interface Services extends MessagesServices {
  /** The passwords known from breaches; a small embedded list when absent. */
  readonly breaches?: BreachList;
  /** Judges passwords; the one that the whole process shares when absent. */
  readonly judge?: PasswordJudge;
  /** What tests control at run time; only with `--dev`. */
  readonly control?: DevControls;
}

/** What reads and makes sessions, and signs their JWTs. */
export type SessionServices = Pick<Services, 'db' | 'clock' | 'random' | 'keys' | 'project'>;

/** What logs in, within the limits of requests. */
export type LoginServices = SessionServices & RateLimitServices;

/** What logs in by a password, and judges new ones. */
export type PasswordServices = LoginServices & Pick<Services, 'breaches' | 'judge'>;

/** What sends emails that log in. */
export type MailServices = LoginServices & Pick<Services, 'inbox' | 'carried' | 'templates'>;

/** What sends emails and texts that log in; it warns where the budget of texts is spent. */
export type MessageServices = MailServices & Pick<Services, 'metrics' | 'warn'>;
