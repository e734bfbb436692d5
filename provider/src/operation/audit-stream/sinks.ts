import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { retryAfterMs } from '#domain/retry-after.ts';
import { OutsideError, outsideFetch } from '#provider/base/http/outside-fetch.ts';
import { signedHeaders, webhookKeyFrom } from '#provider/base/http/signed-request.ts';
import type { Clock } from '#provider/base/platform.ts';
import type {
  AuditFileSettings,
  AuditStreamSettings,
  AuditUrlSettings,
} from '#provider/project/settings/audit-stream.ts';
import type { AuditBatch } from './cursor.ts';

/** Why a sink refused a batch, without addresses and secrets. */
export interface SinkFailure {
  readonly reason: string;
  /** The pause that the sink requested. */
  readonly afterMs?: number;
}

export interface AuditSink {
  /** The name for the log. */
  readonly name: string;
  /** Null if the sink has accepted the batch. Rejects only with the reason of the signal. */
  write(batch: AuditBatch, signal: AbortSignal): Promise<SinkFailure | null>;
}

const TIMEOUT_MS = 10_000;
/** Only the reply's status is used. */
const MAX_BYTES = 1024;

export function sinkOf(settings: AuditStreamSettings, realClock: Clock, timeoutMs = TIMEOUT_MS): AuditSink {
  return 'file' in settings ? fileSink(settings) : urlSink(settings, realClock, timeoutMs);
}

/** A line of JSON for each event. */
const linesOf = ({ events }: AuditBatch): string => events.map((event) => `${JSON.stringify(event)}\n`).join('');

/** The same for the same contents, not the same number: after a restore, another batch can have that number. */
const idOf = ({ number }: AuditBatch, body: string): string =>
  `audit-${number}-${createHash('sha256').update(body).digest('base64url').slice(0, 16)}`;

function urlSink(
  { url, secret, authorization, private: allowPrivate }: AuditUrlSettings,
  realClock: Clock,
  timeoutMs: number,
): AuditSink {
  const fetch = outsideFetch({ allowPrivate, timeoutMs, maxBytes: MAX_BYTES, cut: true });
  const key = secret === null ? null : webhookKeyFrom(secret);
  return {
    name: new URL(url).hostname,
    async write(batch, signal) {
      const body = JSON.stringify(batch.events);
      const id = idOf(batch, body);
      const headers = {
        'content-type': 'application/json',
        'webhook-id': id,
        ...(key === null ? {} : signedHeaders([key], { id, at: realClock.now(), body })),
        ...(authorization === null ? {} : { authorization }),
      };
      try {
        const reply = await fetch(url, { method: 'POST', headers, body, signal });
        if (reply.ok) return null;
        const wait = retryAfterMs(Object.fromEntries(reply.headers));
        return { reason: `status ${reply.status}`, ...(wait === null ? {} : { afterMs: wait }) };
      } catch (error) {
        if (error instanceof OutsideError) return { reason: error.failure.replace('_', ' ') };
        throw error;
      }
    },
  };
}

const LINE_END = 10;

function fileSink({ file: path }: AuditFileSettings): AuditSink {
  return {
    name: 'file',
    async write(batch) {
      try {
        // Opened each time, because the file may have been rotated.
        const file = await open(path, 'a+', 0o600);
        try {
          return await append(file, linesOf(batch));
        } finally {
          await file.close();
        }
      } catch (error) {
        return { reason: (error as NodeJS.ErrnoException).code ?? 'unknown error' };
      }
    },
  };
}

/** If a write was interrupted, the file ends with a partial line. That line is ended first, and the whole batch is written again. */
async function append(file: FileHandle, lines: string): Promise<SinkFailure | null> {
  const status = await file.stat();
  if (!status.isFile()) return { reason: 'not a regular file' };
  const last = Buffer.alloc(1, LINE_END);
  if (status.size > 0) await file.read(last, 0, 1, status.size - 1);
  await file.appendFile(last[0] === LINE_END ? lines : `\n${lines}`);
  await file.datasync();
  return null;
}
