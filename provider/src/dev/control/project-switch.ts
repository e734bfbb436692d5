import type { ProjectSettings } from '#application/dev-control/dev-control.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { FieldError } from '#provider/project/readers/readers.ts';
import type { Project } from '#provider/project/settings/project.ts';
import { wrongField } from './wrong-field.ts';

/** The fields that a running server has already used, or that keep a developer's server on this machine. */
const FIXED: ReadonlySet<string> = new Set([
  'project_id',
  'public_token',
  'issuer',
  'allow_loopback',
  'delivery',
  'webhooks',
] satisfies readonly (keyof Project)[]);

/** Reads the project file with these fields replaced. Throws a FieldError for a wrong one. */
export type ProjectWith = (settings: ProjectSettings) => Project;

/** The project of a developer's server, whose settings can change while it runs. */
export class ProjectSwitch {
  private overrides: ProjectSettings = {};
  private readonly uses: ((project: Project) => void)[] = [];
  private current: Project;

  constructor(
    private readonly first: Project,
    private readonly projectWith: ProjectWith,
  ) {
    this.current = first;
  }

  /** The fields that were switched. */
  get settings(): ProjectSettings {
    return this.overrides;
  }

  get project(): Project {
    return this.current;
  }

  /** The project with which emails are delivered. Of the fields that they use, only the name can change. */
  get delivered(): Project {
    const name = (): string => this.current.name;
    return {
      ...this.first,
      get name() {
        return name();
      },
    };
  }

  /** @param use called with each new project */
  onSwitch(use: (project: Project) => void): void {
    this.uses.push(use);
  }

  /** Switches all of these fields; null restores one. Throws a Refusal that names the first wrong field, and then changes nothing. */
  change(changes: ProjectSettings): void {
    const fixed = Object.keys(changes).find((field) => FIXED.has(field));
    if (fixed !== undefined) throw wrongField(`settings.${fixed}`, 'left out: it cannot change while the server runs');
    const merged = Object.entries({ ...this.overrides, ...changes }).filter(([, value]) => value !== null);
    const settings = Object.fromEntries(merged);
    this.switch(settings, this.read(settings));
  }

  reset(): void {
    if (Object.keys(this.overrides).length > 0) this.switch({}, this.first);
  }

  private switch(settings: ProjectSettings, project: Project): void {
    for (const adopt of this.uses) adopt(project);
    this.overrides = settings;
    this.current = project;
  }

  private read(settings: ProjectSettings): Project {
    try {
      return { ...this.projectWith(settings), delivery: this.first.delivery };
    } catch (error) {
      if (error instanceof FieldError) throw wrongField(`settings.${error.path}`, error.must);
      throw new Refusal('bad_request', error instanceof Error ? error.message : 'These settings do not go together.');
    }
  }
}
