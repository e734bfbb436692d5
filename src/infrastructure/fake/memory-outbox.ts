import type { OutboxPort } from '../../application/ports/index.ts';

const MOST = 100;

/** An outbox in memory: give the same one to every tab. */
export class MemoryOutbox implements OutboxPort {
  /** True makes a store that is full or forbidden: it keeps nothing more. */
  full = false;
  /** What waits, oldest first. */
  readonly texts: readonly string[] = [];

  async add(text: string): Promise<boolean> {
    if (this.full) return false;
    const texts = this.texts as string[];
    texts.push(text);
    if (texts.length > MOST) texts.shift();
    return true;
  }

  async take(count: number): Promise<readonly string[]> {
    return (this.texts as string[]).splice(0, Math.max(0, count));
  }
}
