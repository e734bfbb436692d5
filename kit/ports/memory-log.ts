import type { LogPort } from '#application/ports/index.ts';

export interface LogEntry {
  readonly level: 'warn' | 'error';
  readonly message: string;
  readonly cause?: unknown;
}

/** Keeps the logged messages for a test. */
export class MemoryLog implements LogPort {
  private readonly records: LogEntry[] = [];

  get entries(): readonly LogEntry[] {
    return this.records;
  }

  /** The texts of one level, or of both. */
  messages(level?: LogEntry['level']): readonly string[] {
    return this.records.filter((entry) => level === undefined || entry.level === level).map((entry) => entry.message);
  }

  warn(message: string): void {
    this.records.push({ level: 'warn', message });
  }

  error(message: string, cause?: unknown): void {
    this.records.push({ level: 'error', message, cause });
  }
}
