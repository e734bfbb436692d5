import { afterEach, expect, it } from 'vitest';
import { serve, type LocalServer } from '#scripts/lib/net.ts';
import { docsHandler } from '#scripts/serve-docs.ts';

const running: LocalServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(async (one) => one.close()));
});

async function ask(built: Promise<void>, path: string): Promise<Response> {
  const served = await serve(docsHandler(built), 0);
  running.push(served);
  return fetch(`${served.url}${path}`, { redirect: 'manual' });
}

it('the documentation says that it is being built, and looks again', async () => {
  const answer = await ask(new Promise(() => undefined), '/docs/configuration');
  expect(answer.status).toBe(503);
  expect(await answer.text()).toContain('<meta http-equiv="refresh"');
});

it('and says when it could not be built', async () => {
  const answer = await ask(Promise.reject(new Error('broken')), '/docs/');
  expect(answer.status).toBe(500);
  expect(await answer.text()).not.toContain('refresh');
});

it('and stands in a folder', async () => {
  const answer = await ask(Promise.resolve(), '/docs');
  expect([answer.status, answer.headers.get('location')]).toEqual([308, '/docs/']);
});
