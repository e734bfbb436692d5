import { spawn, type ChildProcess } from 'node:child_process';
import { Agent } from 'node:http';
import { createInterface } from 'node:readline';
import { loopbackFetch } from '#provider/base/http/loopback-fetch.ts';
import type { Log } from '#provider/base/log/log.ts';
import type { ProjectFolder } from './folder.ts';

/** How to start the server of a project. */
export interface ServerProgram {
  /** The arguments after the path of Node: the program and the options that the router sets. */
  readonly words: readonly string[];
  /** The environment variables that every project gets. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  /** Writes a line of the server's own log. */
  readonly writeLine: (project: string, line: string) => void;
}

/** After SIGTERM a server needs at most about twenty seconds. After that it is killed. */
const KILL_AFTER_MS = 30_000;
const METRICS_MS = 3_000;
const WAITING = /^portico_outbox_messages\{channel="(\w+)",state="waiting"\} [1-9]/gmu;
/** The channels whose messages an operator's program delivers, so that they are not work for the server. */
const LEFT = /^messages by (.*) wait in the table outbox for your own program/u;
/** Lines of the start for which the router has its own words. */
const KNOWN = /^(?:public token|project id|database connections|operators’ page) /u;

/** The server of one project, from its start to its end. */
export class ProjectServer {
  /** How long the router keeps connections to it: shorter than the server does. */
  readonly agent = new Agent({ keepAlive: true });
  /** Resolves with the port when it listens; rejects if it ends before. */
  readonly listening: Promise<number>;
  /** Resolves with the exit code or the signal. */
  readonly exit: Promise<number | string>;
  private readonly child: ChildProcess;
  private metricsUrl: string | null = null;
  private externalChannels: readonly string[] = [];
  private killing: NodeJS.Timeout | undefined;

  constructor({ name, folder, variables }: ProjectFolder, program: ServerProgram) {
    this.child = spawn(process.execPath, program.words, {
      cwd: folder,
      env: { ...program.variables, ...variables },
      // Through this channel the server notices when the router is gone, no matter how it ended.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const { child } = this;
    this.exit = new Promise((resolve) => {
      child.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
      child.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'));
    });
    this.listening = new Promise((resolve, reject) => {
      lines(child.stdout, (line) => {
        const port = /^listening on http:\S+:(\d+)$/u.exec(line)?.[1];
        this.externalChannels = LEFT.exec(line)?.[1]?.match(/\w+/gu) ?? this.externalChannels;
        const metrics = /^metrics on (http:\S+)$/u.exec(line)?.[1];
        if (port !== undefined) resolve(Number(port));
        else if (metrics !== undefined) this.metricsUrl = metrics;
        else if (!KNOWN.test(line)) program.log.info('the server of a project says', { project: name, line });
      });
      void this.end((how) => reject(new Error(`it ended before it listened: ${how}`)));
    });
    this.listening.catch(() => undefined);
    lines(child.stderr, (line) => program.writeLine(name, line));
  }

  private async end(tell: (how: number | string) => void): Promise<void> {
    const how = await this.exit;
    clearTimeout(this.killing);
    this.agent.destroy();
    tell(how);
  }

  /** Makes it read the project file again. */
  reload(): void {
    this.child.kill('SIGHUP');
  }

  /** Ends it; requests in progress are answered. A second call changes nothing. */
  stop(): void {
    if (this.killing !== undefined) return;
    this.child.kill('SIGTERM');
    this.killing = setTimeout(() => this.kill(), KILL_AFTER_MS);
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  /** Whether its outbox has waiting messages that it delivers. False if it does not answer: then it could not deliver them either. */
  async hasMessages(): Promise<boolean> {
    if (this.metricsUrl === null) return false;
    try {
      const reply = await loopbackFetch(this.metricsUrl, { signal: AbortSignal.timeout(METRICS_MS) });
      const channels = [...(await reply.text()).matchAll(WAITING)].map(([, channel = '']) => channel);
      return channels.some((channel) => !this.externalChannels.includes(channel));
    } catch {
      return false;
    }
  }
}

function lines(stream: NodeJS.ReadableStream | null, take: (line: string) => void): void {
  if (stream !== null) createInterface({ input: stream, crlfDelay: Infinity }).on('line', take);
}
