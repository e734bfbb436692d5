import { createLog, type Log } from './log.ts';

/** The origin of an error: a request, by its method and pattern, or a background task. */
export interface ErrorPlace {
  /** Such as `POST /sdk/v1/otps/authenticate` or `sweep`; never the requested URL. */
  readonly where: string;
  readonly status?: number;
  readonly requestId?: string;
}

/** Logs an unexpected error. */
export type Report = (error: unknown, place: ErrorPlace) => void;

const MAX_CAUSES = 5;
const MAX_FRAMES = 12;
/** How many of a driver's frames are printed. */
const MAX_FOREIGN = 2;

/** A class name as in the sources; shorter names come from a bundler. */
const NAME = /^[A-Z][A-Za-z0-9]{2,40}$/u;
/** A SQLSTATE, or a code of Node or the operating system. */
const CODE = /^(?:[0-9A-Z]{5}|E[A-Z0-9_]{2,60})$/u;
/** A name in the schema. */
const IDENTIFIER = /^[a-z_][a-z0-9_]{0,62}$/u;
/** The fields of a PostgreSQL error that contain no values. `detail`, `hint`, `where` and the message do contain values. */
const NAMED = ['table', 'column', 'constraint'] as const;

/** `name: message`, as printed above the frames. */
const HEAD = /^[\w$.]{1,60}(?: \[\w{1,60}\])?$/u;
const FRAME = /^ {4}at (?:[^(]{1,300} \()?(?:file:\/\/)?(\/[^()]{1,400}:\d{1,7}):\d{1,7}\)?$/u;
const OTHER_FRAME =
  /^ {4}at (?:[^(]{1,300} \()?(?:node:[\w/]{1,100}:\d{1,7}:\d{1,7}|<anonymous>|native|index \d+)\)?$/u;
const FILE = /^[\w@./+-]{1,200}:\d{1,7}$/u;

/**
 * Describes an error without any request data. Messages quote values, so only classes, codes, names of the schema, and files with line
 * numbers are included. Causes follow after `<`.
 */
export function describeError(error: unknown): string {
  return causesOf(error).map(describeCause).join(' < ');
}

/** Logs errors as lines with the message `error`. */
export const reportTo =
  (log: Log): Report =>
  (error, { where, status, requestId }) =>
    log.error('error', { where, status, request_id: requestId, error: describeError(error) });

/** For errors before the log is set up, or without a log. */
export const reportToStderr: Report = (error, place) =>
  reportTo(createLog({ level: 'error', format: 'text' }, (line) => process.stderr.write(line)))(error, place);

/** The error and its chain of causes. Of several errors, only the first. */
function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  for (let next = error; next !== undefined && next !== null && causes.length < MAX_CAUSES;) {
    causes.push(next);
    next = read(next, 'cause') ?? (next instanceof AggregateError ? next.errors[0] : undefined);
  }
  return causes.length === 0 ? [error] : causes;
}

function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${error === null ? 'null' : typeof error}`;
  const code = read(error, 'code');
  const parts = [
    ifMatches(NAME, error.constructor.name) ?? 'Error',
    ifMatches(CODE, code),
    ...NAMED.map((field) => {
      const name = ifMatches(IDENTIFIER, read(error, field));
      return name === undefined ? undefined : `${field}=${name}`;
    }),
    ...framesOf(error).map((frame) => `at ${frame}`),
  ];
  return parts.filter((part) => part !== undefined).join(' ');
}

/** The files and lines of the stack; none if the stack does not begin with this error's own message. */
function framesOf({ stack = '', message }: Error): readonly string[] {
  const end = message === '' ? stack.indexOf('\n') : stack.indexOf(`: ${message}\n`);
  if (end < 0 || !HEAD.test(stack.slice(0, end))) return [];
  const body = stack.slice(message === '' ? end + 1 : end + message.length + 3);
  const frames: string[] = [];
  for (const line of body.split('\n')) {
    const frame = FRAME.exec(line)?.[1];
    if (frame !== undefined) frames.push(shortened(frame));
    else if (!OTHER_FRAME.test(line)) break;
  }
  let foreign = 0;
  return frames.filter((frame) => !frame.startsWith('node_modules/') || ++foreign <= MAX_FOREIGN).slice(0, MAX_FRAMES);
}

/** The path without the folders above this program. */
function shortened(file: string): string {
  const inside = /\/((?:node_modules|provider|src|\.server)\/.*)/u.exec(file)?.[1];
  return ifMatches(FILE, inside ?? file.slice(file.lastIndexOf('/') + 1)) ?? '(a file)';
}

function ifMatches(pattern: RegExp, value: unknown): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value : undefined;
}

/** A field of a thrown value, which can have any type. */
function read(error: unknown, field: string): unknown {
  try {
    return (error as Readonly<Record<string, unknown>> | null)?.[field] ?? undefined;
  } catch {
    return undefined;
  }
}
