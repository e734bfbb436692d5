import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

const LISTENS = '0A';
const SCRIPT = /\.[cm]?[jt]s$/u;

/** The process that listens at a port of this machine, such as ` by process 12 (node main.js)`; empty if the system does not report it. */
export function portOwner(port: number): string {
  try {
    const sockets = new Set(['tcp', 'tcp6'].flatMap((table) => listenersIn(`/proc/net/${table}`, port)));
    const pid =
      sockets.size === 0 ? undefined : readdirSync('/proc').find((name) => /^\d+$/u.test(name) && has(name, sockets));
    return pid === undefined ? '' : ` by process ${pid}${nameOf(pid)}`;
  } catch {
    // Other systems do not have these files.
    return '';
  }
}

/** The sockets that listen at the port (proc(5)). */
function listenersIn(table: string, port: number): readonly string[] {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  return readFileSync(table, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/u))
    .filter(([, local = '', , state]) => local.endsWith(`:${hex}`) && state === LISTENS)
    .map((columns) => `socket:[${columns[9] ?? ''}]`);
}

function has(pid: string, sockets: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((name) => sockets.has(linkAt(`/proc/${pid}/fd/${name}`)));
  } catch {
    // The process has ended, or belongs to another user.
    return false;
  }
}

function linkAt(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** The program and its script. Arguments are left out, because they may be secrets. */
function nameOf(pid: string): string {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  const script = words.slice(1).find((word) => SCRIPT.test(word) && !word.startsWith('-'));
  const name = [words[0] ?? '', script ?? '']
    .map((word) => basename(word))
    .join(' ')
    .trim();
  return name === '' ? '' : ` (${name})`;
}
