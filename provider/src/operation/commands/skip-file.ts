import { closeSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '#provider/base/usage-error.ts';

/** What `--skip-wrong` writes: each record that cannot be imported, with its reasons. */
export interface SkippedRecord {
  /** Such as `line 3`. */
  readonly place: string;
  readonly reasons: readonly string[];
  /** The line or record itself, as far as it could be read. */
  readonly record: unknown;
}

/** The beginning of each line of a dry run's list, and of no other. */
const DRY_RUN_START = '{"dry_run":true,';

/** A file of JSON lines. It may contain hashes, so only its owner can read it. */
export class SkipFile {
  private descriptor: number | null = null;
  count = 0;

  /**
   * Refuses to write over a file, except for an empty one and the list of a dry run: it may be the list of another import, which somebody
   * works through.
   */
  constructor(
    readonly path: string,
    inputs: readonly string[],
    private readonly isDryRun: boolean,
  ) {
    if (inputs.some((input) => resolve(input) === resolve(path))) throw this.refusal('is a file of the import');
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return;
    if (!stat.isFile() || (stat.size > 0 && !beginsAsDryRun(path))) throw this.refusal('exists');
    rmSync(path);
  }

  write(skipped: SkippedRecord): void {
    this.count += 1;
    this.descriptor ??= this.open();
    const line = this.isDryRun ? { dry_run: true, ...skipped } : skipped;
    writeSync(this.descriptor, `${JSON.stringify(line)}\n`);
  }

  close(): void {
    if (this.descriptor !== null) closeSync(this.descriptor);
    this.descriptor = null;
  }

  private open(): number {
    try {
      return openSync(this.path, 'wx', 0o600);
    } catch (error) {
      throw new UsageError(`Cannot write ${this.path}: ${(error as NodeJS.ErrnoException).code ?? ''}.`, { cause: error }); // prettier-ignore
    }
  }

  private refusal(problem: string): UsageError {
    return new UsageError(`Nothing was imported. The file of --skip-wrong, ${this.path}, ${problem}: name a new file.`);
  }
}

function beginsAsDryRun(path: string): boolean {
  const descriptor = openSync(path, 'r');
  try {
    const start = Buffer.alloc(DRY_RUN_START.length);
    readSync(descriptor, start);
    return start.toString() === DRY_RUN_START;
  } finally {
    closeSync(descriptor);
  }
}
