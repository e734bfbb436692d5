import { open, readFile, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { includesSuffix, suffixesOf } from './breach-lines.ts';
import type { BreachList } from './breach-list.ts';

const DIGITS = 40;
const HASH = /^[0-9A-F]{40}$/u;
/** Longer than any line: 40 digits, a colon, a count and a line break. */
const LONGEST_LINE = 80;
/** The size of one read, which is then searched. */
const BLOCK = 4096;
const SAMPLES = 64;
const MAX_RANGE_BYTES = 4 * 1024 * 1024;

/** A list that is open until it is closed. */
export interface OpenList extends BreachList {
  close(): Promise<void>;
}

/**
 * A file with a line `HASH:COUNT` for each SHA-1, sorted by hash, as HIBP's downloader writes it. It has about forty gigabytes, so each
 * lookup searches it on the disk, reading about two dozen blocks.
 */
export class BreachFile implements OpenList {
  private constructor(
    private readonly file: FileHandle,
    private readonly size: number,
  ) {}

  /** Throws an Error that describes the expected file. */
  static async open(path: string): Promise<BreachFile> {
    const file = await open(path, 'r');
    try {
      const list = new BreachFile(file, (await file.stat()).size);
      await list.check();
      return list;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async hasSuffix(prefix: string, suffix: string): Promise<boolean> {
    const hash = prefix + suffix;
    // The line of the hash begins at `from` or later, and before `to`.
    let [from, to] = [0, this.size];
    while (to - from > BLOCK) {
      const middle = from + Math.floor((to - from) / 2);
      const line = await this.lineAfter(middle);
      if (line === null || line.hash > hash) to = line?.start ?? middle + 1;
      else if (line.hash === hash) return true;
      else from = line.start;
    }
    const block = await this.read(from, to - from + LONGEST_LINE);
    return block.split('\n').some((line) => line.startsWith(hash));
  }

  close(): Promise<void> {
    return this.file.close();
  }

  /** The first line that begins after the position; null at the end of the file. */
  private async lineAfter(position: number): Promise<{ readonly start: number; readonly hash: string } | null> {
    const text = await this.read(position, 2 * LONGEST_LINE);
    const end = text.indexOf('\n') + 1;
    if (end === 0 || position + end >= this.size) return null;
    const hash = text.slice(end, end + DIGITS);
    if (!HASH.test(hash)) throw new Error('it has a line that does not begin with a SHA-1');
    return { start: position + end, hash };
  }

  private async read(position: number, length: number): Promise<string> {
    const { buffer, bytesRead } = await this.file.read(Buffer.alloc(length), 0, length, position);
    return buffer.toString('latin1', 0, bytesRead).toUpperCase();
  }

  /** Samples the file, because lookups would find nothing in a list sorted by count or a list of NTLM hashes. */
  private async check(): Promise<void> {
    let last = await this.read(0, DIGITS);
    if (!HASH.test(last)) throw new Error('its first line does not begin with a SHA-1');
    for (let sample = 1; sample < SAMPLES; sample += 1) {
      const line = await this.lineAfter(Math.floor((this.size * sample) / SAMPLES));
      if (line === null) return;
      if (line.hash < last) throw new Error('its lines are not sorted by hash');
      last = line.hash;
    }
  }
}

/** A folder with a file for each prefix of five digits, `00000.txt` or `00000`, as HIBP's downloader writes it. */
export class BreachFolder implements OpenList {
  private constructor(
    private readonly path: string,
    private readonly extension: string,
  ) {}

  /** Throws an Error that describes the expected folder. */
  static async open(path: string): Promise<BreachFolder> {
    for (const extension of ['.txt', '']) {
      const first = await stat(join(path, `00000${extension}`)).catch(() => null);
      if (first?.isFile() !== true) continue;
      const list = new BreachFolder(path, extension);
      await list.hasSuffix('00000', '');
      return list;
    }
    throw new Error('it has no file 00000.txt');
  }

  async hasSuffix(prefix: string, suffix: string): Promise<boolean> {
    const file = join(this.path, prefix + this.extension);
    if ((await stat(file)).size > MAX_RANGE_BYTES) throw new Error('a file of the folder is too large');
    return includesSuffix(suffixesOf(await readFile(file, 'latin1')), suffix);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
