import { describe, expect, it } from 'vitest';
import { reportTo } from '#provider/base/log/error-log.ts';
import { logRequest } from '#provider/base/http/hygiene.ts';
import { createLog, type LogSettings } from '#provider/base/log/log.ts';

const REQUEST = {
  method: 'POST',
  pattern: '/sdk/v1/otps/authenticate',
  status: 404,
  seconds: 0.0123,
  requestId: 'request-id-test-1',
  refusal: 'otp_code_not_found',
};

function logOf(settings: Partial<LogSettings> = {}) {
  const lines: string[] = [];
  const log = createLog({ level: 'info', format: 'json', ...settings }, (line) => lines.push(line));
  return { lines, log, json: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe('the log', () => {
  it('has one JSON object for each request, with its id, and without who sent it', () => {
    const { lines, log, json } = logOf();
    logRequest(log, REQUEST);
    expect(lines[0]).toMatch(/^\{[^\n]*\}\n$/u);
    expect(json()).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/u),
        message: 'request',
        method: 'POST',
        pattern: '/sdk/v1/otps/authenticate',
        status: 404,
        ms: 12,
        request_id: 'request-id-test-1',
        refusal: 'otp_code_not_found',
      },
    ]);
  });

  it('has one JSON object for each error, with its place and its causes', () => {
    const { log, json } = logOf();
    const error = Object.assign(new TypeError('canary'), { code: '23514', table: 'outbox', detail: 'canary' });
    reportTo(log)(error, { where: 'POST /x/:id', status: 500, requestId: 'request-id-test-1' });
    expect(json()).toMatchObject([
      {
        level: 'error',
        message: 'error',
        where: 'POST /x/:id',
        status: 500,
        request_id: 'request-id-test-1',
        error: expect.stringMatching(/^TypeError 23514 table=outbox at provider\//u),
      },
    ]);
    expect(JSON.stringify(json())).not.toContain('canary');
  });

  it('has lines for people in the format text', () => {
    const { log, lines } = logOf({ format: 'text', level: 'debug' });
    logRequest(log, REQUEST);
    reportTo(log)('thrown', { where: 'sweep' });
    log.warn('the queue is long', { waiting: 7, channel: 'email' });
    log.debug('swept');
    expect(lines).toEqual([
      'POST /sdk/v1/otps/authenticate 404 12ms request-id-test-1 refusal="otp_code_not_found"\n',
      'error sweep: a thrown string\n',
      'warning: the queue is long waiting=7 channel="email"\n',
      'swept\n',
    ]);
  });

  it('leaves out what is below its level', () => {
    for (const [level, count] of [
      ['silent', 0],
      ['error', 1],
      ['warn', 2],
      ['info', 3],
      ['debug', 4],
    ] as const) {
      // prettier-ignore
      const { log, lines } = logOf({ level });
      log.error('a');
      log.warn('b');
      log.info('c');
      log.debug('d');
      expect(lines, level).toHaveLength(count);
    }
  });

  it.each(['json', 'text'] as const)('hides a secret that a caller passes by mistake, as %s', (format) => {
    const { log, lines } = logOf({ format });
    log.info('sent', {
      token: 'canary',
      password: 'canary',
      email: 'canary@example.com',
      link: 'https://canary',
      n: 1,
    });
    expect(lines[0]).not.toContain('canary');
    expect(lines[0]).toMatch(/redacted[^\n]*\bn\b[^\n]*1/u);
  });

  it.each(['json', 'text'] as const)('keeps to one line whatever a field holds, as %s', (format) => {
    const { log, lines } = logOf({ format });
    log.info('odd', { field: 'a\nb\u2028c\u001b[31m"}' });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.match(/\n/gu)).toHaveLength(1);
    expect(lines[0]).not.toContain('\u001b');
  });
});
