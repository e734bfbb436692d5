import { pino } from 'pino';
import { parseJson } from '#domain/json.ts';
import { isRecord } from '#domain/shape.ts';

/** Flat, so that the names in `SECRET` match every field. */
export type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Writes lines for the operator. The message is a constant; the fields contain the values. */
export interface Log {
  error(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  debug(message: string, fields?: Fields): void;
}

export interface LogSettings {
  readonly level: 'silent' | 'error' | 'warn' | 'info' | 'debug';
  /** `json`: one JSON object per line; `text`: a line for people. */
  readonly format: 'json' | 'text';
}

/** Fields that no line may contain, even if a caller passes one by mistake. */
const SECRET = [
  'authorization',
  'cookie',
  'token',
  'session_token',
  'session_jwt',
  'oauth_attach_token',
  'password',
  'code',
  'code_verifier',
  'client_secret',
  'secret',
  'link',
  'url',
  'email',
  'phone_number',
  'address',
];

/** @param write receives each line, including its line break */
export function createLog({ level, format }: LogSettings, write: (line: string) => void): Log {
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET, censor: '[redacted]' },
    },
    { write: format === 'json' ? write : (line) => write(textOf(line)) },
  );
  return {
    error: (message, fields = {}) => logger.error(fields, message),
    warn: (message, fields = {}) => logger.warn(fields, message),
    info: (message, fields = {}) => logger.info(fields, message),
    debug: (message, fields = {}) => logger.debug(fields, message),
  };
}

const nothing = (): void => undefined;
export const SILENT: Log = { error: nothing, warn: nothing, info: nothing, debug: nothing };

/** The most bytes that are kept while the reader of the log does not read. Further lines are lost. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

/** Writes to stderr without waiting, so that a stopped reader does not stop this process. The rest is written when the process exits. */
export function writerToStderr(): (line: string) => void {
  const stderr = pino.destination({ fd: 2, sync: false, minLength: 0, maxLength: MAX_WAITING_BYTES });
  // If the reader is gone, this process must not end.
  stderr.on('error', () => undefined);
  return (line) => void stderr.write(line);
}

export const logToStderr = (settings: LogSettings): Log => createLog(settings, writerToStderr());

/** The line for people. The most important fields come first, without names. */
function textOf(line: string): string {
  const json = parseJson(line);
  if (!isRecord(json)) return line;
  const { level, message, time: _, ...fields } = json;
  if (message === 'request') {
    const { method, pattern, status, ms, request_id, ...rest } = fields;
    return `${words([method, pattern, status, `${String(ms)}ms`, request_id])}${formatFields(rest)}\n`;
  }
  if (message === 'error') {
    const { where, status, request_id, error, ...rest } = fields;
    return `${words(['error', where, status, request_id])}: ${String(error)}${formatFields(rest)}\n`;
  }
  return `${level === 'warn' ? 'warning: ' : level === 'error' ? 'error: ' : ''}${String(message)}${formatFields(fields)}\n`;
}

const words = (parts: readonly unknown[]): string =>
  parts
    .filter((part) => part !== undefined)
    .map(String)
    .join(' ');

const formatFields = (fields: object): string =>
  Object.entries(fields)
    .map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
    .join('');
