import { isNearlyFull } from '#provider/base/db/engine/engine-end.ts';
import { diskOf, inMegabytes, MEGABYTE, type Disk } from '#provider/base/free-space.ts';
import { BackupError, type BackupContents } from '../backup/format.ts';
import { UsageError } from '../options/options.ts';

/** The size of a new database: its tables, and the first file of its write-ahead log. */
const EMPTY_BYTES = 40 * MEGABYTE;

/** The space needed per byte of small rows as texts: rows, their indexes, and the write-ahead log, which is larger than both. */
const MOST_BYTES_FOR_BYTE = 10;

/** Whether a disk has room for a backup. */
export class RestoreRoom {
  private readonly disk: Disk;

  /** @param folder need not exist yet */
  constructor(
    folder: string,
    private readonly contents: BackupContents,
  ) {
    this.disk = diskOf(folder);
  }

  /** Throws if the backup certainly does not fit. */
  check(file: string): void {
    const { path, freeBytes } = this.disk;
    const least = EMPTY_BYTES + this.contents.length;
    if (freeBytes === null || freeBytes >= least) return;
    throw new UsageError(
      `Cannot restore ${file}: it needs at least ${inMegabytes(least)}, and the disk at ${path} has ${inMegabytes(freeBytes)} free. ` +
        `${inMegabytes(least - freeBytes)} are missing.`,
    );
  }

  /** If the disk is full now, the error of a restore as one about the disk. */
  explain(file: string, error: unknown): unknown {
    const { path, freeBytes } = this.disk;
    if (error instanceof BackupError || freeBytes === null || !isNearlyFull(path)) return error;
    const most = EMPTY_BYTES + MOST_BYTES_FOR_BYTE * this.contents.length;
    return new UsageError(
      `Cannot restore ${file}: the disk at ${path} is full. It had ${inMegabytes(freeBytes)} free, and the restore needs up to ${inMegabytes(most)}.`,
    );
  }
}
