import { createMiddleware } from 'hono/factory';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Random } from '../platform.ts';
import type { AppContext, AppEnv } from './environment.ts';
import { refuse } from './replies.ts';

export const BODY_LIMIT = 64 * 1024;

export interface BodyLimits {
  /** The maximum bytes of incomplete bodies, over all requests. */
  readonly maxBytes: number;
  /** The maximum number of requests with an incomplete body. */
  readonly maxBodies: number;
  /** The time limit for a whole body. */
  readonly totalMs: number;
  /** The minimum bytes in every interval (in milliseconds) except the last. */
  readonly stepBytes: number;
  readonly stepMs: number;
}

const LIMITS: BodyLimits = {
  maxBytes: 32 * 1024 * 1024,
  maxBodies: 1_500,
  totalMs: 10_000,
  stepBytes: 1024,
  stepMs: 5_000,
};

type BodyAbort = (why: Refusal) => void;

/** The received body of each request, or the refusal that explains why there is none. */
const arrived = new WeakMap<Request, Uint8Array | Refusal>();

/**
 * Receives bodies. A body that is too slow is aborted. If there are too many bodies or bytes, the oldest is aborted, because honest clients
 * send a body without pauses.
 */
export class Bodies {
  /** Oldest first. */
  private readonly open = new Map<BodyAbort, number>();
  private bytes = 0;

  constructor(private readonly limits: BodyLimits = LIMITS) {}

  /** The number of bodies that are arriving. */
  get pending(): number {
    return this.open.size;
  }

  /** Waits until the body is complete or has failed; `bodyOf` returns it. */
  async receive(request: Request): Promise<void> {
    if (!arrived.has(request)) arrived.set(request, await this.read(request).catch(refusalOf));
  }

  async read(request: Request): Promise<Uint8Array> {
    if (request.headers.get('content-encoding') !== null) throw new Refusal('unsupported_media_type');
    if (Number(request.headers.get('content-length') ?? 0) > BODY_LIMIT) throw new Refusal('request_too_large');
    if (request.body === null) return new Uint8Array();
    const reader = (request.body as ReadableStream<Uint8Array>).getReader();
    let cut: BodyAbort = () => undefined;
    const wasCut = new Promise<never>((_, reject) => (cut = reject));
    const { totalMs, stepMs } = this.limits;
    const late = (): void => cut(new Refusal('request_timeout'));
    const total = setTimeout(late, totalMs);
    const step = setTimeout(late, stepMs);
    this.open.set(cut, 0);
    try {
      return await Promise.race([this.collect(reader, cut, step), wasCut]);
    } catch (error) {
      void reader.cancel().catch(() => undefined);
      throw error;
    } finally {
      clearTimeout(total);
      clearTimeout(step);
      this.bytes -= this.open.get(cut) ?? 0;
      this.open.delete(cut);
    }
  }

  private async collect(reader: ReadableStreamDefaultReader<Uint8Array>, cut: BodyAbort, step: NodeJS.Timeout) {
    const chunks: Uint8Array[] = [];
    let size = 0;
    let steps = 0;
    this.makeRoom();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (!this.open.has(cut)) break;
      const { byteLength } = part.value;
      size += byteLength;
      if (size > BODY_LIMIT) throw new Refusal('request_too_large');
      chunks.push(part.value);
      this.bytes += byteLength;
      this.open.set(cut, size);
      if (Math.floor(size / this.limits.stepBytes) > steps) {
        steps = Math.floor(size / this.limits.stepBytes);
        step.refresh();
      }
      this.makeRoom();
    }
    return Buffer.concat(chunks);
  }

  private makeRoom(): void {
    const { maxBytes, maxBodies } = this.limits;
    for (const [cut, size] of this.open) {
      if (this.bytes <= maxBytes && this.open.size <= maxBodies) return;
      this.open.delete(cut);
      this.bytes -= size;
      cut(
        new Refusal(
          'request_timeout',
          'Your request took too long to arrive while many others came. Please try again.',
        ),
      );
    }
  }
}

const shared = new Bodies();

/** The bytes of the body, which may have been received earlier. */
export async function bodyOf(request: Request): Promise<Uint8Array> {
  const body = arrived.get(request) ?? (await shared.read(request));
  if (body instanceof Refusal) throw body;
  return body;
}

/** A peer that disconnects leaves an incomplete body. */
function refusalOf(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal('request_timeout');
}

/** More than the database can serve in a second. Additional requests are rejected with `Retry-After` instead of waiting. */
export const MAX_IN_FLIGHT = 500;
const SOONEST_SECONDS = 2;
const SPREAD_SECONDS = 16;

/**
 * Answers 503 with `Retry-After` if this many requests are in progress. So many pages that wake up simultaneously are all served within a
 * minute, and no answer ends a session. The time varies, so that they do not all retry together.
 *
 * A request counts only once its body has arrived, so slow senders do not block others.
 */
export function shedding({ random }: { readonly random: Random }, max = MAX_IN_FLIGHT, bodies = new Bodies()) {
  let underWay = 0;
  const shed = (context: AppContext): Response => {
    const [byte = 0] = random.bytes(1);
    return refuse(context, new Refusal('service_unavailable', undefined, SOONEST_SECONDS + (byte % SPREAD_SECONDS)));
  };
  return createMiddleware<AppEnv>(async (context, next) => {
    if (underWay >= max) return shed(context);
    if (hasBody(context)) {
      await bodies.receive(context.req.raw);
      if (underWay >= max) return shed(context);
    }
    underWay += 1;
    try {
      return await next();
    } finally {
      underWay -= 1;
    }
  });
}

function hasBody({ req }: AppContext): boolean {
  return req.method !== 'GET' && req.method !== 'HEAD' && req.method !== 'OPTIONS';
}
