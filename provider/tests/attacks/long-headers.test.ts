import { getRequestListener } from '@hono/node-server';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen, type ListeningServer } from '#provider/operation/server/listen.ts';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { ANY_DATABASE, basic, makeProvider, PUBLIC_TOKEN, type Provider } from '../kit/harness.ts';

const PAGE = 'https://shop.example';
const SITE_COOKIES = (kB: number): string => `Cookie: ${'a=b; '.repeat((kB * 1024) / 5)}\r\n`;

describe('headers that are too long', () => {
  let provider: Provider;
  let server: ListeningServer;
  const warnings: string[] = [];
  beforeAll(async () => {
    provider = await makeProvider(ANY_DATABASE, { project: { ...DEMO_PROJECT, origins: [PAGE] } });
    const listener = getRequestListener(provider.app.fetch, { overrideGlobalObjects: false });
    const warn = (sentence: string): void => void warnings.push(sentence);
    server = await listen((req, res) => void listener(req, res), null, 0, { warn });
  });
  afterAll(async () => {
    await server.close();
    await provider.close();
  });

  const send = (lines: string, target = '/sdk/v1/users/me'): Promise<string> =>
    new Promise((resolve) => {
      const from = `Host: localhost\r\nAuthorization: ${basic(PUBLIC_TOKEN, 'x')}\r\n`;
      const socket = connect({ port: server.port, host: '127.0.0.1' }, () =>
        socket.write(`GET ${target} HTTP/1.1\r\n${from}${lines}Connection: close\r\n\r\n`),
      );
      let text = '';
      socket.on('data', (part) => (text += part.toString('latin1')));
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(text));
    });

  it('are refused so that the page can read why, and the log has a line', async () => {
    const text = await send(`Origin: ${PAGE}\r\n${SITE_COOKIES(20)}`);
    expect(text).toMatch(/^HTTP\/1\.1 431 /u);
    expect(text.toLowerCase()).toContain(`access-control-allow-origin: ${PAGE}`);
    expect(text).toContain('"error_type":"request_headers_too_large"');
    expect(provider.logged.at(-1)).toMatch(/ 431 .*refusal="request_headers_too_large"/u);
  });

  it.each([
    ['five thousand values of one name', 'X-A: b\r\n'.repeat(5_000)],
    ['a long name three hundred times', `${'X'.repeat(100)}:\r\n`.repeat(300)],
    ['cookies on many lines', 'Cookie: a=b\r\n'.repeat(2_000)],
  ])('are refused as they were sent: %s', async (_, lines) => {
    const text = await send(`Origin: ${PAGE}\r\n${lines}`);
    expect(text).toMatch(/^HTTP\/1\.1 431 /u);
    expect(text).toContain('"error_type":"request_headers_too_large"');
  });

  it('of other pages are refused as from any other page', async () => {
    const text = await send(`Origin: https://evil.example\r\n${SITE_COOKIES(20)}`);
    expect(text).toMatch(/^HTTP\/1\.1 403 /u);
    expect(text).toContain('"error_type":"unregistered_origin"');
    expect(text).not.toContain('evil.example');
  });

  it('are refused for apps of every origin, without credentials', async () => {
    const text = await send(`Origin: https://app.example\r\n${SITE_COOKIES(20)}`, '/oauth2/userinfo');
    expect(text).toMatch(/^HTTP\/1\.1 431 /u);
    expect(text.toLowerCase()).toContain('access-control-allow-origin: *');
    expect(text).not.toContain('app.example');
  });

  it('that the parser refuses get nothing of the request back, and a warning', async () => {
    for (const origin of [PAGE, 'https://evil.example', '\r\nSet-Cookie: a=b', '\u00ff'.repeat(100)]) {
      const text = await send(`Origin: ${origin}\r\n${SITE_COOKIES(40)}`);
      expect(text).toBe('HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\n\r\n');
    }
    expect(warnings).toEqual(['a request was refused: its address and headers have more than 32 kB.']);
  });

  it('of up to 16 kB are read', async () => {
    expect(await send(`Origin: ${PAGE}\r\n${SITE_COOKIES(14)}`)).toMatch(/^HTTP\/1\.1 401 /u);
  });
});
