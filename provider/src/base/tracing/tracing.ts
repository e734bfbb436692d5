import { AsyncLocalStorage } from 'node:async_hooks';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type TextMapPropagator,
  type Tracer,
} from '@opentelemetry/api';
import type { LogEvent } from 'kysely';
import { sqlState } from '../db/database-errors.ts';
import type { AnsweredRequest } from '../metrics/metrics.ts';

/** The exporter of spans, and the propagation of traces. */
export interface Spans {
  readonly tracer: Tracer;
  /** Reads the trace that a request continues (W3C Trace Context). */
  readonly propagator: TextMapPropagator;
}

/**
 * Traces requests and their statements. Spans contain names of routes and tables, and nothing from the request. Each server has a separate
 * tracer: nothing is registered for the whole process.
 */
export class RequestTracer {
  private readonly current = new AsyncLocalStorage<Context>();

  constructor(private readonly spans: Spans) {}

  /** Answers the request within a span that continues the caller's trace. */
  async request(incoming: Request, answer: () => Promise<AnsweredRequest>): Promise<AnsweredRequest> {
    const parent = this.spans.propagator.extract(ROOT_CONTEXT, incoming.headers, {
      get: (headers: Headers, name) => headers.get(name) ?? undefined,
      keys: (headers: Headers) => [...headers.keys()],
    });
    const span = this.spans.tracer.startSpan('request', { kind: SpanKind.SERVER }, parent);
    try {
      const exchange = await this.current.run(trace.setSpan(parent, span), answer);
      describe(span, exchange);
      return exchange;
    } finally {
      span.end();
    }
  }

  /** Adds a span for a statement that has just ended. */
  statement({ query, queryDurationMillis, ...event }: LogEvent): void {
    const parent = this.current.getStore();
    // Background work is not traced, because each trace would be a single statement.
    if (parent === undefined) return;
    const endTime = Date.now();
    const { operation, table } = namesIn(query.sql);
    const span = this.spans.tracer.startSpan(
      table === undefined ? operation : `${operation} ${table}`,
      {
        kind: SpanKind.CLIENT,
        startTime: endTime - queryDurationMillis,
        attributes: {
          'db.system.name': 'postgresql',
          'db.operation.name': operation,
          ...(table === undefined ? {} : { 'db.collection.name': table }),
        },
      },
      parent,
    );
    if (event.level === 'error') {
      const state = sqlState(event.error);
      span.setAttribute('error.type', state === '' ? 'unknown' : state);
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end(endTime);
  }
}

function describe(span: Span, { method, pattern, status, requestId, refusal }: AnsweredRequest): void {
  span.updateName(`${method} ${pattern}`);
  span.setAttributes({
    'http.request.method': method,
    'http.route': pattern,
    'http.response.status_code': status,
    'portico.request_id': requestId,
    ...(refusal === undefined ? {} : { 'portico.refusal': refusal }),
  });
  if (status < 500) return;
  span.setAttribute('error.type', refusal ?? String(status));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The verb of a statement and its first table, both without values. */
function namesIn(sql: string): { readonly operation: string; readonly table: string | undefined } {
  const operation = /^\s*([a-z]{1,20})\b/iu.exec(sql)?.[1]?.toUpperCase() ?? 'OTHER';
  return { operation, table: /\b(?:from|into|update|table)\s+"?([a-z_]{1,63})\b/iu.exec(sql)?.[1] };
}
