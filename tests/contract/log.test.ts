import { describe, expect, it } from 'vitest';
import { ConsoleLog } from '#infrastructure/browser/console-log.ts';
import { MemoryLog, type LogEntry } from '#kit/ports/memory-log.ts';
import { logContract } from './log.contract.ts';

const runner = { describe, it, expect };

logContract(runner, 'MemoryLog', () => {
  const log = new MemoryLog();
  return { log, said: () => log.entries };
});

logContract(runner, 'ConsoleLog', () => {
  const said: LogEntry[] = [];
  const say = (level: LogEntry['level']) => (message: string, cause?: unknown) =>
    void said.push({ level, message, cause });
  return { log: new ConsoleLog({ console: { warn: say('warn'), error: say('error') } }), said: () => said };
});
