import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** The disk of a path, which need not exist yet. */
export interface Disk {
  /** Where the disk is mounted. */
  readonly path: string;
  /** Null if the system does not report it. */
  readonly freeBytes: number | null;
}

export const MEGABYTE = 1024 * 1024;

export const inMegabytes = (bytes: number): string => `${Math.ceil(bytes / MEGABYTE)} MB`;

export function freeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}

export function diskOf(path: string): Disk {
  let found = resolve(path);
  while (!existsSync(found)) found = dirname(found);
  const free = freeBytes(found);
  const { dev } = statSync(found);
  for (let above = dirname(found); found !== above && statSync(above).dev === dev; above = dirname(found))
    found = above;
  return { path: found, freeBytes: free };
}
