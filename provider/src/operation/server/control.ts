import { Control } from '#provider/dev/control/control.ts';
import { databaseTime } from '#provider/dev/control/database-time.ts';
import { DevClock } from '#provider/dev/control/dev-clock.ts';
import { endLater } from '#provider/dev/control/end-later.ts';
import { ProjectSwitch } from '#provider/dev/control/project-switch.ts';
import { systemRandom } from '#provider/base/platform.ts';
import type { Services } from '#provider/api/services.ts';
import type { Warn } from '#provider/base/warnings.ts';
import { TABLES } from '../retention/bounds.ts';
import type { CliOptions } from '../options/options.ts';
import { projectWith } from '../options/project-file.ts';

/** The settings that `/dev/control` changes at run time. */
export async function controlOf(
  { db, project, clock: real }: Pick<Services, 'db' | 'project' | 'clock'>,
  { projectFile, authorizationUrl }: Pick<CliOptions, 'projectFile' | 'authorizationUrl'>,
  warn: Warn,
): Promise<Control> {
  // The database's time is used only for webhook events.
  const follow = project.webhooks.length === 0 ? undefined : await databaseTime(db).catch(() => undefined);
  if (project.webhooks.length > 0 && follow === undefined) {
    warn(
      'this role cannot create a schema: events for webhooks have the real time, even when /dev/control moves the clock.',
    );
  }
  const projects = new ProjectSwitch(project, projectWith(projectFile, authorizationUrl));
  const clock = new DevClock(real, follow, (latest) => endLater(db, latest));
  clock.start().catch((error: unknown) => {
    warn(
      `rows that an earlier run dated in the future were not ended: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
  return new Control({ clock, random: systemRandom, project: projects, tables: TABLES });
}
