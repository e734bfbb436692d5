import type { ActiveFault, ControlState, ProjectSettings, SocialAnswer } from '#application/dev-control/dev-control.ts';
import type { Database } from '#provider/base/db/database.ts';
import type { Random } from '#provider/base/platform.ts';
import type { Project } from '#provider/project/settings/project.ts';
import type { DevControls } from '#provider/base/http/dev-controls.ts';
import type { DevClock } from './dev-clock.ts';
import { Faults } from './faults.ts';
import type { ProjectSwitch } from './project-switch.ts';
import { currentScope, ScopedValues, scoped } from './scope.ts';
import { Snapshots } from './snapshots.ts';
import { wrongField } from './wrong-field.ts';

const SOCIAL_ANSWERS = ['deny', 'error'] as const satisfies readonly SocialAnswer[];
/** A site key, because a captcha cannot be enabled without one. No service is called: `--dev` accepts its test tokens. */
const SITE_KEY = 'test-site-key';

interface ControlOptions {
  readonly clock: DevClock;
  readonly random: Random;
  readonly project: ProjectSwitch;
  /** Every table of the database. */
  readonly tables: readonly (keyof Database)[];
}

/** The changes that tests and developers' tools made in this process: time, faults and settings. */
export class Control implements DevControls {
  readonly clock: DevClock;
  readonly faulty: Faults;
  readonly project: ProjectSwitch;
  readonly snapshots: Snapshots;
  private readonly social = new ScopedValues<SocialAnswer>();

  constructor({ clock, random, project, tables }: ControlOptions) {
    this.clock = clock;
    this.project = project;
    this.faulty = new Faults(random);
    this.snapshots = new Snapshots(tables);
  }

  readonly scope: DevControls['scope'] = scoped;

  get faults(): DevControls['faults'] {
    return this.faulty.middleware;
  }

  readonly takeSocialAnswer = (): SocialAnswer | null => {
    const scope = currentScope();
    const answer = this.social.of(scope) ?? null;
    this.social.use(scope);
    return answer;
  };

  answerSocial(scope: string | null, next: string | undefined): void {
    const answer = SOCIAL_ANSWERS.find((each) => each === next);
    if (answer !== undefined) this.social.set(scope, answer);
    else if (next === undefined) this.social.remove(scope);
    else throw wrongField('next', `one of ${SOCIAL_ANSWERS.join(', ')}, or null`);
  }

  socialAnswer(scope: string | null): SocialAnswer | null {
    return this.social.of(scope) ?? null;
  }

  requireCaptcha(required: boolean): void {
    const { siteKey, ...rest } = this.project.project.captcha_settings;
    this.project.change({ captcha_settings: { ...rest, siteKey: siteKey ?? SITE_KEY, enabled: required } });
  }

  state(scope: string | null): ControlState {
    return {
      clock: this.clock.state(scope),
      faults: this.faulty.list(scope) satisfies readonly ActiveFault[],
      captcha: { required: isRequired(this.project.project) },
      social: { next: this.socialAnswer(scope) },
      settings: this.project.settings satisfies ProjectSettings,
      snapshots: this.snapshots.list(),
    };
  }

  /** Restores the state of the start. With a scope, undoes only the changes of that scope. */
  async reset(scope: string | null): Promise<void> {
    await this.clock.reset(scope);
    this.faulty.clear(scope);
    this.social.remove(scope);
    if (scope === null) this.project.reset();
  }
}

function isRequired({ captcha_settings }: Project): boolean {
  return captcha_settings.enabled;
}
