import { describe, expect, it } from 'vitest';
import { EITHER_DATABASE } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';

describe.each(EITHER_DATABASE)('the dev inbox on %s', (_, url) => {
  const provider = suiteProvider(url);

  it('lists messages newest first, by recipient and up to a number', async () => {
    for (const email of ['a@example.com', 'b@example.com', 'a@example.com']) await provider.sendCode(email);
    expect((await provider.inbox()).map(({ to }) => to)).toEqual(['a@example.com', 'b@example.com', 'a@example.com']);
    const list = async (query: string) =>
      (await (await provider.app.request(`/dev/inbox.json?${query}`)).json()) as unknown[];
    expect(await list('to=A@example.com')).toHaveLength(2);
    expect(await list('limit=1')).toHaveLength(1);
    expect(await list('limit=-1')).toHaveLength(3);
    expect(await list('to=%00')).toHaveLength(0);
  });

  it('can be emptied', async () => {
    await provider.sendCode('gone@example.com');
    expect((await provider.app.request('/dev/inbox', { method: 'DELETE' })).status).toBe(204);
    expect(await provider.inbox()).toEqual([]);
  });

  it('streams new messages, and what a reader missed, to pages on this machine', async () => {
    await provider.sendCode('seen@example.com');
    const seen = await provider.newest();
    await provider.sendCode('missed@example.com');
    const headers = { origin: 'http://localhost:3000', 'last-event-id': seen?.id ?? '' };
    const reply = await provider.app.request('/dev/inbox/stream', { headers });
    expect(reply.headers.get('content-type')).toContain('text/event-stream');
    expect(reply.headers.get('access-control-allow-origin')).toBe('http://localhost:3000');
    const read = events(reply);
    expect(JSON.parse((await read())['data'] ?? '')).toMatchObject({ to: 'missed@example.com' });
    await provider.sendCode('live@example.com');
    const live = await read();
    expect(live['event']).toBe('message');
    expect(JSON.parse(live['data'] ?? '')).toEqual(await provider.newest());
    provider.services.inbox.close();
    await expect(read()).rejects.toThrow('ended');
  });

  it('is a page that runs nothing but its own script', async () => {
    const page = await provider.app.request('/dev/inbox');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`default-src 'none'`);
    expect(policy).not.toContain('unsafe');
    const html = await page.text();
    expect(html).not.toMatch(/<style|style=| on\w+=|<script(?![^>]*src=)/u);
    const script = await (await provider.app.request('/dev/inbox.js')).text();
    expect(script).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write/u);
    expect((await provider.app.request('/dev/inbox.css')).headers.get('content-type')).toContain('text/css');
  });
});

/** Reads a stream event by event, skipping comments and bare fields. */
function events(reply: Response): () => Promise<Record<string, string>> {
  const reader = (reply.body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  return async () => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const lines = text.slice(0, end).split('\n');
        text = text.slice(end + 2);
        const fields = Object.fromEntries(
          lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
        );
        if ('data' in fields) return fields;
        continue;
      }
      const part = await reader.read();
      if (part.done) throw new Error('the stream ended');
      text += new TextDecoder().decode(part.value);
    }
  };
}
