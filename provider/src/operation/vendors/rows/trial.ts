import { UsageError } from '#provider/base/usage-error.ts';

/**
 * Tells a wrong secret, with which nothing can be decrypted, from a damaged value among others: the first stops the import before
 * anything is written.
 */
export class Trial {
  private opened = 0;
  private failed = 0;

  note(isOpen: boolean): void {
    if (isOpen) this.opened += 1;
    else this.failed += 1;
  }

  get hasOpened(): boolean {
    return this.opened > 0;
  }

  check(): void {
    if (this.opened > 0 || this.failed === 0) return;
    throw new UsageError('The secret is wrong: it decrypts no value of the export. Give the one of the old system.');
  }
}
