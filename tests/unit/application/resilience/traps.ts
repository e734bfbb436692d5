import { config } from 'rxjs';
import { vi } from 'vitest';

/** Catches whatever nobody should ever see: what escapes a promise, a stream or the console. */
export class Traps {
  readonly caught: unknown[] = [];
  private readonly prototype = JSON.stringify(Object.getOwnPropertyNames(Object.prototype));
  private readonly keep = (what: unknown): void => void this.caught.push(what);
  private readonly before = config.onUnhandledError;
  private readonly spies = (['error', 'warn', 'log'] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation((...said) => this.keep([level, ...(said as unknown[])])),
  );

  constructor() {
    process.on('unhandledRejection', this.keep);
    process.on('uncaughtException', this.keep);
    config.onUnhandledError = this.keep;
  }

  /** Waits until rejections that nobody handles have been reported, then answers all that was caught. */
  async close(): Promise<readonly unknown[]> {
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => void setTimeout(resolve, 1));
    process.off('unhandledRejection', this.keep);
    process.off('uncaughtException', this.keep);
    config.onUnhandledError = this.before;
    for (const spy of this.spies) spy.mockRestore();
    if (JSON.stringify(Object.getOwnPropertyNames(Object.prototype)) !== this.prototype) {
      this.caught.push('Object.prototype has changed');
    }
    return this.caught;
  }
}
