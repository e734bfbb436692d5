import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseJson } from '#domain/json.ts';
import { hasShape, type Shape } from '#domain/shape.ts';

/** How often a process shows that it is alive, and how long others watch for that, in milliseconds. */
export interface Rhythm {
  readonly beatMs: number;
  readonly watchMs: number;
}

const LOOK_MS = 250;
const NAME = /^lock-[0-9a-f]{16}$/u;
/** The maximum length of a socket address on all systems. */
const LONGEST_ADDRESS = 100;

/** Local file systems, on which a socket answers every process: ext, XFS, Btrfs, ZFS, F2FS, bcachefs, tmpfs, overlay. */
const LOCAL_TYPES: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0xf2f52010, 0xca451a4e, 0x01021994, 0x794c7630,
]);

interface ClaimContent {
  /** The kernel and the mount in which the socket answers every process; empty if unknown. */
  readonly kernel: string;
  readonly socket: boolean;
  /** The process, as shown to people. */
  readonly owner: string;
}
const SHAPE = { kernel: 'string', socket: 'boolean', owner: 'string' } as const satisfies Shape;

/**
 * The claim of one process to a folder: a file that it touches again and again, and a socket on which it listens. Each claim has a new
 * name, so a dead claim stays dead, and any process can remove it.
 */
export class FolderClaim {
  private readonly name = `lock-${randomBytes(8).toString('hex')}`;
  private readonly directory: number | null;
  private readonly kernel: string;
  private server: Server | null = null;

  private constructor(
    private readonly folder: string,
    private readonly rhythm: Rhythm,
  ) {
    this.directory = openDirectory(folder);
    this.kernel = this.directory === null ? '' : kernelOf(folder, this.directory);
  }

  /** Makes a claim that others see. The socket is opened first, so a claim with a socket is always listening. */
  static async announce(folder: string, rhythm: Rhythm): Promise<FolderClaim> {
    const claim = new FolderClaim(folder, rhythm);
    try {
      claim.server = await listenAt(claim.addressOf(claim.name));
      const owner = `process ${process.pid} on ${hostname()}`;
      const content: ClaimContent = { kernel: claim.kernel, socket: claim.server !== null, owner };
      writeFileSync(claim.path, JSON.stringify(content), { flag: 'wx', mode: 0o600 });
      return claim;
    } catch (error) {
      claim.withdraw();
      throw error;
    }
  }

  get path(): string {
    return join(this.folder, this.name);
  }

  /** Shows that the process is alive. Throws if the claim is gone. */
  beat(): void {
    const now = new Date();
    utimesSync(this.path, now, now);
  }

  withdraw(): void {
    // Closing also removes the socket's file.
    this.server?.close();
    this.server = null;
    rmSync(this.path, { force: true });
    if (this.directory !== null) closeSync(this.directory);
  }

  /** The owner of another live claim; null if there is none. Removes the dead claims. */
  async rival(): Promise<string | null> {
    const others = readdirSync(this.folder).filter((name) => NAME.test(name) && name !== this.name);
    const owners = await Promise.all(others.map((name) => this.liveOwner(name)));
    return owners.find((owner) => owner !== null) ?? null;
  }

  private async liveOwner(name: string): Promise<string | null> {
    const { kernel, socket, owner } = readClaim(join(this.folder, name));
    if (await this.isAlive(name, socket, kernel !== '' && kernel === this.kernel)) return owner;
    rmSync(join(this.folder, `${name}.socket`), { force: true });
    rmSync(join(this.folder, name), { force: true });
    return null;
  }

  /**
   * Whether another claim is alive. A stopped (paused) process still has its socket, but does not touch its claim. A socket that refuses a
   * connection proves that its process is gone only on the same kernel and mount. If it is unknown, the claim counts as alive.
   */
  private async isAlive(name: string, hasSocket: boolean, isSameKernel: boolean): Promise<boolean> {
    if (hasSocket) {
      const result = await dial(this.addressOf(name));
      if (result === 'connected') return true;
      if (isSameKernel && result !== 'ENOENT') return result !== 'ECONNREFUSED';
    }
    return this.beats(name);
  }

  /** Whether the claim is touched while this watches. */
  private async beats(name: string): Promise<boolean> {
    const first = this.touchedAt(name);
    if (first === null) return false;
    const end = performance.now() + this.rhythm.watchMs;
    while (performance.now() < end) {
      await sleep(Math.min(LOOK_MS, this.rhythm.beatMs));
      const now = this.touchedAt(name);
      if (now !== first) return now !== null;
    }
    return false;
  }

  /** Opens the file, because network file systems then ask the server. Null if it is gone. */
  private touchedAt(name: string): number | null {
    let file: number | null = null;
    try {
      file = openSync(join(this.folder, name), 'r');
      return fstatSync(file).mtimeMs;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    } finally {
      if (file !== null) closeSync(file);
    }
  }

  /** The address of a claim's socket. It goes through the open directory, because the path of a folder can be longer than an address. */
  private addressOf(name: string): string {
    const short = process.platform === 'linux' && this.directory !== null;
    return join(short ? `/proc/self/fd/${this.directory}` : this.folder, `${name}.socket`);
  }
}

/** Null if directories cannot be opened, as on Windows. */
function openDirectory(folder: string): number | null {
  try {
    return openSync(folder, 'r');
  } catch {
    return null;
  }
}

/**
 * Includes the mount: one kernel can have the same files in two mounts with different sockets, for example on a network file system or one
 * that a program serves.
 */
function kernelOf(folder: string, directory: number): string {
  try {
    if (!LOCAL_TYPES.has(statfsSync(folder).type)) return '';
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return boot === '' ? '' : `${boot}/${fstatSync(directory, { bigint: true }).dev}`;
  } catch {
    return '';
  }
}

/** An empty or damaged claim counts as one without a socket. */
function readClaim(path: string): ClaimContent {
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const content = parseJson(text);
  return hasShape(SHAPE, content) ? content : { kernel: '', socket: false, owner: 'another process' };
}

/** Null if the system or the file system has no sockets. */
function listenAt(address: string): Promise<Server | null> {
  if (Buffer.byteLength(address) > LONGEST_ADDRESS) return Promise.resolve(null);
  return new Promise((resolve) => {
    const server = createServer((caller) => caller.destroy());
    server.on('error', () => resolve(null));
    server.listen({ path: address, exclusive: true }, () => {
      server.unref();
      resolve(server);
    });
  });
}

/** Whether a process accepts a connection, or the code of the failure. */
function dial(address: string): Promise<string> {
  return new Promise((resolve) => {
    const caller = connect(address);
    caller.once('connect', () => resolve('connected'));
    caller.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown error'));
    caller.once('close', () => resolve('closed'));
    caller.once('connect', () => caller.destroy());
  });
}
