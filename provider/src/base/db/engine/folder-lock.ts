import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UsageError } from '../../usage-error.ts';
import { say } from './engine-end.ts';
import { FolderClaim, type Rhythm } from './folder-claim.ts';

const RHYTHM: Rhythm = { beatMs: 2_000, watchMs: 30_000 };
/** Processes that start at the same moment see each other, and each tries again after a different delay. */
const TRIES = 5;
const PAUSE_MS = 100;
const LONG_PAUSE_MS = 1_000;

export interface FolderLock {
  /** Ends the process if it has lost the folder. Called before each write. */
  check(): void;
  release(): void;
}

export interface LockOptions {
  /** Waits until the folder is free, and is called once with a sentence about that. If absent, a folder in use is refused. */
  readonly onBusy?: ((sentence: string) => void) | undefined;
  readonly rhythm?: Rhythm;
}

/**
 * Locks a data folder for this process, because two processes that write to it would destroy it. Rejects with a UsageError if another
 * process has it. Every process first shows its claim and then looks for others, so of two that start together at least one sees the other.
 */
export async function lockFolder(folder: string, { onBusy, rhythm = RHYTHM }: LockOptions = {}): Promise<FolderLock> {
  refuseEarlierLock(folder);
  for (let attempt = 1; ; attempt += 1) {
    const claim = await explained(folder, FolderClaim.announce(folder, rhythm));
    const lock = new HeldFolder(folder, claim, rhythm);
    const rival = await explained(folder, claim.rival()).catch((error: unknown) => {
      lock.release();
      throw error;
    });
    if (rival === null) return lock;
    lock.release();
    if (attempt === TRIES) {
      const use = `The data folder ${folder} is in use by ${rival}`;
      if (onBusy === undefined) throw new UsageError(`${use}; stop it, or name another with --data.`);
      onBusy(`${use}: this server starts when that one has stopped.`);
    }
    const pause = attempt < TRIES ? PAUSE_MS : LONG_PAUSE_MS;
    await sleep(pause * (1 + 3 * Math.random()));
  }
}

class HeldFolder implements FolderLock {
  private readonly timer: NodeJS.Timeout;
  private isReleased = false;
  private readonly atExit = (): void => this.release();

  constructor(
    private readonly folder: string,
    private readonly claim: FolderClaim,
    { beatMs }: Rhythm,
  ) {
    this.timer = setInterval(() => this.beat(), beatMs).unref();
    process.on('exit', this.atExit);
  }

  check(): void {
    if (!this.isReleased && !existsSync(this.claim.path)) this.end();
  }

  release(): void {
    if (this.isReleased) return;
    this.isReleased = true;
    clearInterval(this.timer);
    process.off('exit', this.atExit);
    this.claim.withdraw();
  }

  private beat(): void {
    try {
      this.claim.beat();
    } catch {
      // A file system that fails for a moment is not a reason to end.
      this.check();
    }
  }

  /** A process of another machine, which could not see this one, may be using the folder now. */
  private end(): never {
    say(
      `The data folder ${this.folder} was removed, or another process has it since this one stood still: this one ends.`,
    );
    process.exit(1);
  }
}

/** The lock of an earlier version does not cover processes in other containers. */
function refuseEarlierLock(folder: string): void {
  const path = join(folder, 'lock');
  if (!existsSync(path)) return;
  throw new UsageError(
    `${path} is the lock of an earlier version of the server. Stop that server, and delete the file if it is still there.`,
  );
}

/** Explains an error of the file system. */
async function explained<T>(folder: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    const remedy =
      code === 'EACCES' ? ' The user who runs the server must own the data folder and everything in it.' : '';
    throw new UsageError(`Cannot write to the data folder ${folder}: ${code ?? syscall}.${remedy}`);
  }
}
