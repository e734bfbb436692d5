import type { LogPort } from '../../application/ports/index.ts';

/** What may have a console: the window, or any global object. */
export interface ConsoleScope {
  readonly console?: Pick<Console, 'warn' | 'error'> | undefined;
}

/** The developer's console. One that is missing or broken costs only the message. */
export class ConsoleLog implements LogPort {
  constructor(private readonly scope: ConsoleScope) {}

  warn(message: string): void {
    this.say('warn', message);
  }

  error(message: string, cause?: unknown): void {
    this.say('error', message, ...(cause === undefined ? [] : [cause]));
  }

  private say(level: 'warn' | 'error', message: string, ...more: readonly unknown[]): void {
    try {
      this.scope.console?.[level](`[Portico] ${message}`, ...more);
    } catch {
      // There is nowhere left to say it.
    }
  }
}
