import type { LogPort } from '#application/ports/index.ts';

/** The global object that may have a console: the window, or any other. */
export interface ConsoleScope {
  readonly console?: Pick<Console, 'warn' | 'error'> | undefined;
}

/** Logs to the developer's console. A missing or broken console only loses the message. */
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
      // The console itself failed, so the failure cannot be reported.
    }
  }
}
