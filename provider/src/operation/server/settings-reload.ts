import { isDeepStrictEqual } from 'node:util';
import { stat } from 'node:fs/promises';
import { audit } from '#provider/base/audit/record.ts';
import type { Log } from '#provider/base/log/log.ts';
import type { Services } from '#provider/base/services.ts';
import { UsageError } from '#provider/base/usage-error.ts';
import type { Project } from '#provider/project/settings/project.ts';
import type { Settings } from './settings.ts';

/** The settings that the server, its listeners and other processes have already used. */
const FIXED = [
  'project_id',
  'public_token',
  'issuer',
  'allow_loopback',
  'session_cookies',
  'passkey_domain',
  'webhooks',
] as const satisfies readonly (keyof Project)[];

/** Whether only a start adopts a change of the field. */
export const needsStart = (field: string): boolean => FIXED.some((each) => each === field);

/** How often the project file is checked. Not all file systems, such as those of containers, send change notifications. */
const WATCH_MS = 5_000;

interface ReloadOptions {
  readonly file: string;
  /** Reads the settings; throws a UsageError that names the problem. */
  readonly read: () => Settings;
  /**
   * Prepares everything that the settings need, and throws if that fails.
   *
   * @returns a function that makes them the server's settings. It cannot fail, and resolves when the work with the old ones has ended
   */
  readonly prepare: (settings: Settings) => () => Promise<void>;
  readonly watchMs?: number;
}

/** Adopts changes of the project file while the server runs: all of them, or none if one is wrong. */
export class SettingsReload {
  private last: Promise<unknown> = Promise.resolve();
  private again: NodeJS.Timeout | undefined;
  private watching: NodeJS.Timeout | undefined;
  /** The state of the file when it was last read. */
  private fileState = '';
  private stopped = false;
  private readonly changed = (): void => void this.reload();

  constructor(
    private readonly services: Pick<Services, 'db' | 'clock' | 'keys'> & { readonly log: Log },
    private current: Settings,
    private readonly options: ReloadOptions,
  ) {}

  /** Reloads whenever the file changes, until `stop`. The first check reads it, because it may have changed since the server started. */
  watch(): void {
    this.watching = setInterval(() => void this.look(), this.options.watchMs ?? WATCH_MS).unref();
  }

  /** Stops watching, and waits for a reload that is under way. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.again);
    clearInterval(this.watching);
    await this.last;
  }

  /** Reads the file again. A wrong one is logged and changes nothing. Never rejects. */
  reload(): Promise<void> {
    clearTimeout(this.again);
    const done = this.last.then(() => this.adopt()).catch((error: unknown) => this.refuse(error));
    this.last = done;
    return done;
  }

  private async look(): Promise<void> {
    const now = await stat(this.options.file).then(
      ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
      () => 'absent',
    );
    if (now === this.fileState || this.stopped) return;
    this.fileState = now;
    await this.reload();
  }

  private async adopt(): Promise<void> {
    // Nobody would stop the work that it began.
    if (this.stopped) return;
    const next = this.options.read();
    checkNumber(this.current, next);
    const fields = changedFields(this.current, next);
    const fixed = fields.find(needsStart);
    if (fixed !== undefined) throw new UsageError(`${fixed} cannot change while the server runs: start it again.`);
    if (fields.length === 0 && isDeepStrictEqual(this.current.templates, next.templates)) return;
    const adopt = this.options.prepare(next);
    // Recorded first: settings without a record would be worse than repeating a reload.
    const actor = { kind: 'system', id: null } as const;
    const details = { fields };
    await audit(this.services, this.services.db, { event: 'settings_reloaded', user_id: null, actor, details });
    this.current = next;
    const handover = adopt();
    this.services.log.info('the settings of the project file are in use', { fields: fields.join(', ') });
    await handover;
  }

  private refuse(error: unknown): void {
    const isWrong = error instanceof UsageError;
    const reason = isWrong ? error.message : error instanceof Error ? error.name : 'unknown error';
    this.services.log.error('the project file was not reloaded: the settings before it stay in use', { reason });
    // The database may have been away.
    if (!isWrong && !this.stopped) this.again = setTimeout(this.changed, this.options.watchMs ?? WATCH_MS).unref();
  }
}

/** The names of the changed fields. A newer metadata file counts as a change of `passkeys`. */
function changedFields(
  { project: before, metadata }: Settings,
  { project: after, ...next }: Settings,
): readonly string[] {
  const names = Object.keys(after) as (keyof Project)[];
  const isNewer = metadata?.no !== next.metadata?.no;
  return names.filter((name) => (name === 'passkeys' && isNewer) || !isDeepStrictEqual(before[name], after[name]));
}

/** Refuses an older BLOB of the same signer (FIDO Metadata Service 3.0, section 3.2), because it could lack the status of a stolen key. */
function checkNumber(before: Settings, after: Settings): void {
  const isSame = before.project.passkeys.metadata_roots_file === after.project.passkeys.metadata_roots_file;
  const [used, next] = [before.metadata?.no, after.metadata?.no];
  if (isSame && used !== undefined && next !== undefined && next < used) {
    throw new UsageError(`passkeys.metadata_file is number ${next}, older than number ${used}, which is in use.`);
  }
}
