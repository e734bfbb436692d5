import { expect, it } from 'vitest';
import { makeControlled } from '../kit/controlled.ts';
import { EITHER_DATABASE } from '../kit/harness.ts';

it.each(EITHER_DATABASE)(
  'a browser reads where the operators’ page is, and a program that there is no such route, on %s',
  async (_, url) => {
    const provider = await makeControlled(url);
    const ask = async (accept: string) => {
      const reply = await provider.app.request('/admin', { headers: { accept } });
      return [reply.status, reply.headers.get('content-type'), await reply.text()] as const;
    };
    const [status, type, page] = await ask('text/html,application/xhtml+xml,*/*;q=0.8');
    expect([status, type]).toEqual([404, expect.stringContaining('text/html')]);
    expect(page).toContain('--operators-port');
    const [, sheet = ''] = /<link rel="stylesheet" href="([^"]+)"/u.exec(page) ?? [];
    const css = await provider.app.request(sheet);
    expect([css.status, css.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/css')]);
    expect(await ask('application/json')).toEqual([
      404,
      expect.stringContaining('application/json'),
      expect.stringContaining('route_not_found'),
    ]);
    await provider.close();
  },
);
