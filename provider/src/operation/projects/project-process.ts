import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent } from 'node:http';
import type { Log } from '#provider/base/log/log.ts';
import type { ProjectServer } from './child.ts';
import type { Displaceable, Slots } from './slots.ts';
import { NoServer, WaitingRequests } from './waiting-requests.ts';

/** In milliseconds. */
export interface Patience {
  /** After this long without a request, a server stops. */
  readonly idleMs: number;
  /** The longest wait of a request for its server. */
  readonly waitMs: number;
  /** A server that was started without a request stops after this long. */
  readonly stayMs: number;
  /** A server that does not listen this long after its start is ended, because it would occupy its slot. */
  readonly startMs: number;
  /** The wait before the next start after a crash. It doubles after each further one. */
  readonly restMs: number;
}

const LONGEST_REST_MS = 60_000;
/** The most requests that wait for one server, each with its body. A running server refuses more as well. */
const MOST_WAITING = 500;
/** A server that ran for this long had no problem at its start. */
const SOUND_MS = 60_000;

/** A server for one request. Return it when the reply has ended. */
export interface Lease {
  readonly port: number;
  readonly agent: Agent;
  /** Resolves when the server has ended. */
  readonly exit: Promise<unknown>;
  release(): void;
  /** The server refuses connections or has stopped working: it is ended, and gets no other request. */
  distrust(): void;
}

export interface ProcessServices {
  readonly slots: Slots;
  readonly log: Log;
  readonly patience: Patience;
  readonly counts: ProcessCounts;
  /** Resolves when an earlier server of this project has ended; absent if there is none. */
  readonly before: () => Promise<void> | undefined;
  /** Starts the server. */
  readonly start: () => ProjectServer;
}

/** Events of the servers, for metrics. */
export interface ProcessCounts {
  started(project: string, outcome: 'listens' | 'failed'): void;
  waited(project: string, outcome: 'served' | 'refused'): void;
}

interface LiveServer {
  readonly server: ProjectServer;
  readonly port: number;
  isDistrusted: boolean;
}

/**
 * The server of one project. The first request starts it, and it stops when none came for a time. A request that arrives while it stops
 * waits for the next server, so none is sent to a server that is about to end.
 */
export class ProjectProcess implements Displaceable {
  private running: LiveServer | null = null;
  private server: ProjectServer | null = null;
  private life: Promise<void> | null = null;
  private readonly waiting: WaitingRequests<Lease>;
  /** Called after the next start, whether it succeeded or not. */
  private readonly tries = new Set<() => void>();
  private inProgress = 0;
  private usedAt = -Infinity;
  private isStopping = false;
  /** Whether it is needed without a request, because it was woken, or crashed while working. */
  private isWanted = false;
  private isClosed = false;
  private failures = 0;
  private restUntil = -Infinity;
  private idling: NodeJS.Timeout | undefined;
  private readonly closing = new AbortController();

  constructor(
    readonly name: string,
    private readonly services: ProcessServices,
    /** Whether it always runs. */
    private readonly keep: boolean,
  ) {
    this.waiting = new WaitingRequests((outcome) => services.counts.waited(name, outcome));
  }

  get isRunning(): boolean {
    return this.running !== null;
  }

  get idleSince(): number | null {
    return this.keep || this.running === null || this.isStopping || this.inProgress > 0 ? null : this.usedAt;
  }

  /** A server for a request. Rejects with `NoServer` if there is none in time. Null if the project may now have another process. */
  lease(): Promise<Lease | null> {
    const now = this.leaseNow();
    if (now !== null || this.isClosed) return Promise.resolve(now);
    const { waitMs } = this.services.patience;
    const restMs = this.restUntil - performance.now();
    if (this.waiting.size >= MOST_WAITING) return Promise.reject(new NoServer(1));
    if (restMs > waitMs) return Promise.reject(new NoServer(Math.ceil(restMs / 1000)));
    const waiting = this.waiting.wait(waitMs);
    this.begin();
    return waiting;
  }

  /** Starts it without a request, so that pending work in its database is done. Resolves when it listens or could not start. */
  async wake(): Promise<void> {
    if (this.running !== null || this.isClosed) return;
    this.isWanted = true;
    const tried = new Promise<void>((resolve) => this.tries.add(resolve));
    this.begin();
    await tried;
  }

  reload(): void {
    // A starting server reads the file anyway.
    this.running?.server.reload();
  }

  hasMessages(): Promise<boolean> {
    return this.running?.server.hasMessages() ?? Promise.resolve(false);
  }

  displace(): Promise<void> {
    if (this.idleSince === null) return Promise.resolve();
    this.stop();
    return this.life ?? Promise.resolve();
  }

  /** Ends it permanently once its requests are answered. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.idling);
    this.closing.abort();
    this.waiting.sendAway();
    if (this.inProgress === 0) this.stop();
    await this.life;
  }

  private leaseNow(): Lease | null {
    if (this.running === null || this.running.isDistrusted || this.isStopping || this.isClosed) return null;
    const { running } = this;
    const { server, port } = running;
    this.inProgress += 1;
    this.usedAt = performance.now();
    clearTimeout(this.idling);
    let isReleased = false;
    return {
      port,
      agent: server.agent,
      exit: server.exit,
      distrust() {
        running.isDistrusted = true;
        server.kill();
      },
      release: () => {
        if (isReleased) return;
        isReleased = true;
        this.inProgress -= 1;
        this.usedAt = performance.now();
        if (this.inProgress === 0) this.becameIdle(this.services.patience.idleMs);
      },
    };
  }

  private becameIdle(forMs: number): void {
    if (this.isClosed) this.stop();
    if (this.keep || this.running === null || this.isStopping) return;
    clearTimeout(this.idling);
    this.idling = setTimeout(() => void this.endIdle(forMs), forMs);
    this.services.slots.makeRoom();
  }

  private async endIdle(forMs: number): Promise<void> {
    const since = this.idleSince;
    if (since === null) return;
    const isAtWork = await this.hasMessages();
    // A request may have come meanwhile.
    if (this.idleSince !== since) return;
    if (isAtWork) this.becameIdle(forMs);
    else this.stop();
  }

  private stop(): void {
    if (this.isStopping || this.server === null) return;
    this.isStopping = true;
    clearTimeout(this.idling);
    this.server.stop();
  }

  private begin(): void {
    this.life ??= this.live().finally(() => {
      this.life = null;
      this.tried();
      if (this.isNeeded()) this.begin();
    });
  }

  private isNeeded(): boolean {
    return !this.isClosed && (this.waiting.size > 0 || this.isWanted || this.keep);
  }

  /** From a start to the end of that server. */
  private async live(): Promise<void> {
    await this.services.before();
    await this.rest();
    if (!this.isNeeded()) return;
    const free = await this.services.slots.take(() => this.isNeeded());
    if (free === null) return;
    try {
      if (this.isNeeded()) await this.serve();
    } finally {
      free();
    }
  }

  private async serve(): Promise<void> {
    const { log, counts, patience } = this.services;
    const { name } = this;
    const began = performance.now();
    this.isStopping = false;
    this.isWanted = false;
    const server = this.started();
    if (server === null) return;
    this.server = server;
    const late = setTimeout(() => server.kill(), patience.startMs);
    const port = await server.listening.catch(() => null);
    clearTimeout(late);
    this.tried();
    if (port !== null) {
      counts.started(name, 'listens');
      log.info('the server of a project listens', { project: name, ms: Math.round(performance.now() - began) });
      this.running = { server, port, isDistrusted: false };
      this.usedAt = -Infinity;
      if (this.isClosed) this.stop();
      this.waiting.serve(() => this.leaseNow());
      if (this.inProgress === 0) this.becameIdle(patience.stayMs);
    }
    const how = await server.exit;
    const wasSound = port !== null && performance.now() - began >= SOUND_MS;
    this.running = null;
    this.server = null;
    clearTimeout(this.idling);
    if (this.isStopping) {
      this.failures = 0;
      log.info('the server of a project stopped', { project: name });
      return;
    }
    if (port === null) counts.started(name, 'failed');
    // The next server continues its work.
    this.isWanted = port !== null;
    if (wasSound) this.failures = 0;
    const fields = { project: name, exit: how, retry_ms: this.postpone() };
    if (port === null) log.error('the server of a project did not start', fields);
    else log.error('the server of a project ended by itself', fields);
  }

  /** Null if the system cannot create a process, for example for lack of memory or file descriptors. The other projects continue. */
  private started(): ProjectServer | null {
    try {
      return this.services.start();
    } catch (error) {
      const { log, counts } = this.services;
      const { name } = this;
      const exit = (error as NodeJS.ErrnoException).code ?? 'error';
      counts.started(name, 'failed');
      log.error('the server of a project did not start', { project: name, exit, retry_ms: this.postpone() });
      return null;
    }
  }

  /** Delays the next start, longer after each failure. Returns the delay in milliseconds. */
  private postpone(): number {
    this.failures += 1;
    const pause = Math.min(this.services.patience.restMs * 2 ** (this.failures - 1), LONGEST_REST_MS);
    this.restUntil = performance.now() + pause;
    return pause;
  }

  /** Waits until the next start is due. Requests that cannot wait that long are refused immediately. */
  private async rest(): Promise<void> {
    const pause = this.restUntil - performance.now();
    if (pause <= 0) return;
    this.waiting.refuse(Math.ceil(pause / 1000), this.restUntil);
    if (this.isNeeded()) await sleep(pause, undefined, { signal: this.closing.signal }).catch(() => undefined);
  }

  private tried(): void {
    for (const tell of this.tries) tell();
    this.tries.clear();
  }
}
