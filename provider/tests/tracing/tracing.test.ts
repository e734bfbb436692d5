import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { optionsFrom } from '#provider/operation/options/options.ts';
import { run } from '#provider/operation/server/run.ts';
import { basic, PUBLIC_TOKEN, type Fields } from '../kit/harness.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

interface ExportedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code?: number };
  readonly seconds: number;
}

/** A collector that takes OTLP over HTTP, as JSON. */
async function collector() {
  const spans: ExportedSpan[] = [];
  const resources: Fields[] = [];
  let text = '';
  const attributesOf = (list: readonly Fields[]): Fields =>
    Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value as object)[0]]));
  const server: Server = createServer((request, reply) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      text += body;
      for (const { resource, scopeSpans } of (JSON.parse(body) as Fields)['resourceSpans']) {
        resources.push(attributesOf(resource.attributes));
        for (const span of scopeSpans.flatMap((scope: Fields) => scope['spans']) as Fields[]) {
          const seconds = (Number(span['endTimeUnixNano']) - Number(span['startTimeUnixNano'])) / 1e9;
          spans.push({ ...span, attributes: attributesOf(span['attributes']), seconds } as unknown as ExportedSpan);
        }
      }
      reply.writeHead(request.url === '/v1/traces' ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, spans, resources, text: () => text, close: () => server.close() };
}

describe('traces', () => {
  let collected: Awaited<ReturnType<typeof collector>>;
  const replies: Fields = {};
  beforeAll(async () => {
    collected = await collector();
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collected.url);
    vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment.name=test');
    const server = await run(optionsFrom(['--dev', '--port', '0', '--data', 'memory']));
    const headers = { authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN), 'content-type': 'application/json' };
    const body = JSON.stringify({ email: 'canary@example.com' });
    const post = async (path: string, more: Record<string, string>) =>
      (await fetch(server.url + path, { method: 'POST', headers: { ...headers, ...more }, body })).json();
    replies['sent'] = await post('/sdk/v1/otps/email/login_or_create', { traceparent: `00-${TRACE}-${PARENT}-01` });
    replies['refused'] = await post('/sdk/v1/otps/authenticate?canary', { traceparent: 'canary' });
    await fetch(`${server.url}/canary`);
    await server.stop();
    vi.unstubAllEnvs();
  });
  afterAll(() => collected.close());

  const serverSpans = () => collected.spans.filter(({ kind }) => kind === 2);

  it('have a span for each request, which continues the trace of its caller', () => {
    const sent = serverSpans().find(({ name }) => name === 'POST /sdk/v1/otps/email/login_or_create');
    expect(sent).toMatchObject({
      traceId: TRACE,
      parentSpanId: PARENT,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/sdk/v1/otps/email/login_or_create',
        'http.response.status_code': 200,
        'portico.request_id': replies['sent'].data.request_id,
      },
    });
    const refused = serverSpans().find(({ name }) => name === 'POST /sdk/v1/otps/authenticate');
    expect(refused).toMatchObject({ attributes: { 'http.response.status_code': 400, 'portico.refusal': 'invalid_schema' } }); // prettier-ignore
    expect(refused?.traceId).not.toBe(TRACE);
    expect(refused?.parentSpanId ?? '').toBe('');
    expect(serverSpans().map(({ name }) => name)).toContain('GET (no route)');
  });

  it('have a span for each statement of a request, by its verb and table', () => {
    const sent = serverSpans().find(({ traceId }) => traceId === TRACE);
    const statements = collected.spans.filter(({ kind }) => kind === 3);
    expect(statements.length).toBeGreaterThan(2);
    const known = new Set(serverSpans().map(({ spanId }) => spanId));
    expect(statements.filter(({ parentSpanId = '' }) => !known.has(parentSpanId))).toEqual([]);
    const read = statements.find(({ name }) => name === 'SELECT emails');
    expect(read).toMatchObject({
      traceId: TRACE,
      parentSpanId: sent?.spanId,
      attributes: { 'db.system.name': 'postgresql', 'db.operation.name': 'SELECT', 'db.collection.name': 'emails' },
    });
    expect(statements.filter(({ seconds }) => seconds < 0 || seconds > (sent?.seconds ?? 0) + 60)).toEqual([]);
  });

  it('name the server, and hold nothing that came with a request', () => {
    expect(collected.resources[0]).toMatchObject({
      'service.name': 'portico-provider',
      'deployment.environment.name': 'test',
    });
    expect(collected.text()).not.toMatch(/canary/iu);
  });
});
