import type { DevControls } from '../base/http/dev-controls.ts';
import type { Services as MessageServices } from '../messages/services.ts';
import type { BreachList } from './password-strength/breach-list.ts';
import type { PasswordJudge } from './password-strength/judge.ts';

/** The services of this wing and of `apps`: what logins need, beside messages. */
export interface Services extends MessageServices {
  /** The passwords known from breaches; a small embedded list when absent. */
  readonly breaches?: BreachList;
  /** Judges passwords; the one that the whole process shares when absent. */
  readonly judge?: PasswordJudge;
  /** What tests control at run time; only with `--dev`. */
  readonly control?: DevControls;
}
