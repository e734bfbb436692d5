import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  readonly path: string;
  /** Fills the disk, but for so many bytes. */
  fill(leave: number): void;
  /** Makes room again. */
  empty(): void;
  unmount(): void;
}

/** A disk of so many megabytes in memory; null where this process may not mount one. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
  const path = mkdtempSync(join(tmpdir(), 'portico-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path]);
  const unmount = (): void => {
    if (mounted.status === 0) spawnSync('umount', [path]);
    rmSync(path, { recursive: true, force: true });
  };
  if (mounted.status !== 0) {
    unmount();
    return null;
  }
  const filler = join(path, 'filler');
  return {
    path,
    fill(leave) {
      const { bavail, bsize } = statfsSync(path);
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - leave)));
    },
    empty: () => rmSync(filler, { force: true }),
    unmount,
  };
}
