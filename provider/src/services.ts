import type { Captcha } from './captcha/captcha.ts';
import type { Db } from './db/database.ts';
import type { Controlled } from './dev/control/controlled.ts';
import type { Report } from './error-log.ts';
import type { Draining } from './http/draining.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { TrustedProxies } from './http/trusted-proxies.ts';
import type { Clock, Random } from './platform.ts';
import type { Project } from './project/project.ts';
import type { Templates } from './texts/templates.ts';
import type { InboxHub } from './outbox/inbox-hub.ts';
import type { Channel } from './outbox/tables.ts';
import type { Limits } from './project/limits.ts';
import type { BreachList } from './passwords/breach-list.ts';
import type { PasswordJudge } from './passwords/judge.ts';
import type { Warn } from './warnings.ts';

/**
 * The data keys of this server, which the database keeps wrapped under the operator's master key. A copy of the
 * database alone reveals no passcode, opens no sealed secret and signs nothing.
 */
export interface ServerKeys {
  /** Hashes passcodes, and encrypts secrets that the API shows again. */
  readonly codeKey: Uint8Array;
  /** Encrypts the private signing keys, and authenticates the public ones. */
  readonly signingSecret: Uint8Array;
}

/** The services that every route uses. */
export interface Services {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly keys: ServerKeys;
  readonly project: Project;
  readonly limits: Limits;
  readonly inbox: InboxHub;
  /** The channels whose messages this server delivers itself; none when absent. */
  readonly carried?: ReadonlySet<Channel>;
  /**
   * Whether this is a developer's own machine (`--dev`). Only then there are the inbox, social accounts without
   * passwords and test tokens for captcha; everything else is the same as on the internet.
   */
  readonly dev: boolean;
  /** The demo that the pages of `--dev` link to; they have no such link when it is absent. */
  readonly demoUrl?: string;
  /** What tests control at run time; only with `--dev`. */
  readonly control?: Controlled;
  /** Where the operators' page is, if it is served. */
  readonly operatorsOrigin?: string;
  /** The proxies in front of this server; none when absent. */
  readonly proxies?: TrustedProxies;
  /** Logs unexpected errors. */
  readonly report: Report;
  /** Tells the operator something in one sentence; absent where nothing is logged. */
  readonly warn?: Warn;
  readonly metrics: Metrics;
  /** Whether the server is about to stop; absent where none listens, as in a test. */
  readonly draining?: Draining;
  /** The project's own templates of mails; none when absent. */
  readonly templates?: Templates;
  /** The passwords known from breaches; a small embedded list when absent. */
  readonly breaches?: BreachList;
  /** Checks captcha tokens; without it only the test tokens of `--dev` are accepted. */
  readonly captcha?: Captcha;
  /** Judges passwords; the one that the whole process shares when absent. */
  readonly judge?: PasswordJudge;
}
