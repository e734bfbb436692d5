import type { OutboxPort } from '#application/ports/index.ts';

const MOST = 100;

/** An outbox in memory: pass the same object to every tab. */
export class MemoryOutbox implements OutboxPort {
  /** True simulates a full or blocked store: it keeps no further texts. */
  full = false;
  /** The stored texts, oldest first. */
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
