import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '#provider/base/log/log.ts';
import { UsageError } from '#provider/base/usage-error.ts';
import { ProjectServer, type ServerProgram } from './child.ts';
import { Directory, type RequestNames } from './directory.ts';
import type { ProjectFolder } from './folder.ts';
import { ProjectProcess, type Patience, type ProcessCounts } from './project-process.ts';
import { Slots } from './slots.ts';

export interface FleetOptions {
  /** The names of the folders. */
  readonly names: () => readonly string[];
  /** Reads one; throws a UsageError that names the problem. */
  readonly read: (name: string) => ProjectFolder;
  /** The names of the projects whose servers always run. */
  readonly keep: readonly string[];
  /** The maximum number of running servers. */
  readonly most: number;
  readonly patience: Patience;
  /** How often each project's server is started without a request; null for never. */
  readonly wakeMs: number | null;
  readonly program: ServerProgram;
  readonly log: Log;
  readonly counts: ProcessCounts;
}

interface Member extends ProjectFolder {
  readonly process: ProjectProcess;
}

/** The projects of a router. */
export class Fleet {
  private members = new Map<string, Member>();
  private directory = new Directory<Member>();
  private readonly slots: Slots;
  private readonly closing = new AbortController();
  /** Servers whose project was removed or replaced, until they have answered their last requests. */
  private readonly leaving = new Map<string, Promise<void>>();
  private waking: Promise<void> = Promise.resolve();

  /** Throws a UsageError that names both files if two projects cannot be distinguished. A project that cannot be read is logged. */
  constructor(private readonly options: FleetOptions) {
    this.slots = new Slots(options.most, () => [...this.members.values()].map((member) => member.process));
    for (const name of options.names()) {
      const folder = this.read(name);
      if (folder !== null) this.add(this.directory, folder);
    }
    for (const name of options.keep) {
      if (!this.members.has(name)) options.log.error('a project to keep is not there', { project: name });
    }
  }

  get states(): readonly { readonly project: string; readonly isRunning: boolean }[] {
    return [...this.members.values()].map(({ name, process }) => ({ project: name, isRunning: process.isRunning }));
  }

  find(names: RequestNames): ProjectProcess | null {
    return this.directory.find(names)?.process ?? null;
  }

  /** Starts the servers that always run, and the others from time to time, so that their databases are swept. */
  start(): void {
    this.startKept();
    if (this.options.wakeMs !== null) this.waking = this.wakeRegularly(this.options.wakeMs);
  }

  /**
   * Adopts new, changed and removed folders, each project completely or not at all. A project that is wrong, or cannot be distinguished
   * from another, stays as it was.
   */
  reload(): void {
    const before = this.members;
    const [directory, members] = [new Directory<Member>(), new Map<string, Member>()];
    const names = this.options.names();
    const found = names.map((name) => ({ name, next: this.read(name), was: before.get(name) }));
    const isSame = ({ next, was }: (typeof found)[number]): boolean =>
      was !== undefined && (next === null || signature(next) === signature(was));
    // Unchanged projects come first, so that a new project cannot take their host.
    for (const { was } of found.filter(isSame)) {
      if (was === undefined) continue;
      directory.add(was);
      members.set(was.name, was);
      was.process.reload();
    }
    [this.directory, this.members] = [directory, members];
    for (const { next, was } of found.filter((each) => !isSame(each))) {
      if (next !== null && this.adopt(next)) continue;
      if (was !== undefined && this.readd(was)) members.set(was.name, was);
    }
    for (const old of before.values()) if (this.members.get(old.name) !== old) this.leave(old);
    this.startKept();
  }

  /** Ends all servers once their requests are answered. */
  async close(): Promise<void> {
    this.closing.abort();
    await Promise.all([...[...this.members.values()].map(({ process }) => process.close()), ...this.leaving.values()]);
    await this.waking;
  }

  private startKept(): void {
    for (const { process, name } of this.members.values()) if (this.options.keep.includes(name)) void process.wake();
  }

  private read(name: string): ProjectFolder | null {
    try {
      return this.options.read(name);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      this.options.log.error('a project cannot be used', { project: name, reason: error.message });
      return null;
    }
  }

  private adopt(folder: ProjectFolder): boolean {
    try {
      this.add(this.directory, folder);
      return true;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      this.options.log.error('a project cannot be used', { project: folder.name, reason: error.message });
      return false;
    }
  }

  private readd(member: Member): boolean {
    try {
      this.directory.add(member);
      return true;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      // Another project now has its host or token, so it cannot stay as it was.
      this.options.log.error('a project is not served any more', { project: member.name, reason: error.message });
      return false;
    }
  }

  private add(directory: Directory<Member>, folder: ProjectFolder): void {
    const { log, counts, patience, program, keep } = this.options;
    const start = (): ProjectServer => new ProjectServer(folder, program);
    // Two servers cannot use one data folder.
    const before = (): Promise<void> | undefined => this.leaving.get(folder.name);
    const services = { slots: this.slots, log, counts, patience, before, start };
    const member = { ...folder, process: new ProjectProcess(folder.name, services, keep.includes(folder.name)) };
    directory.add(member);
    this.members.set(folder.name, member);
  }

  private leave({ process, name }: Member): void {
    const retirement = this.retire(name, process);
    this.leaving.set(name, retirement);
    void retirement.then(() => {
      if (this.leaving.get(name) === retirement) this.leaving.delete(name);
      return undefined;
    });
  }

  private async retire(name: string, process: ProjectProcess): Promise<void> {
    await Promise.all([this.leaving.get(name), process.close()]);
  }

  /** One by one, so that they need little of the machine. */
  private async wakeRegularly(everyMs: number): Promise<void> {
    while (!this.closing.signal.aborted) {
      for (const { process } of this.members.values()) {
        if (this.closing.signal.aborted) return;
        await process.wake();
      }
      await sleep(everyMs, undefined, { signal: this.closing.signal }).catch(() => undefined);
    }
  }
}

const signature = ({ file, host, tokens, variables, database }: ProjectFolder): string =>
  JSON.stringify([file, host, tokens, variables, database]);
