import { afterEach, describe, expect, it } from 'vitest';
import { codeLoad } from '#domain/code-loads.ts';
import loadPart from '#composition/script-parts.ts';
import { TestWorld, type OpenClient } from '../application/world.ts';

const clients: OpenClient['client'][] = [];
afterEach(() => clients.splice(0).forEach((client) => client.destroy()));

/** The log of a page with one client. */
function logOf() {
  const { client, tab } = new TestWorld().open({ telemetry: false });
  clients.push(client);
  return tab.log;
}

describe('a part of a bundled app that does not load', () => {
  it.each([
    'Failed to fetch dynamically imported module: https://app.example.com/assets/login-1.js',
    'error loading dynamically imported module: https://app.example.com/assets/login-2.js',
    'Importing a module script failed.',
  ])('is named once on the console: %s', async (message) => {
    const log = logOf();
    for (let times = 0; times < 2; times += 1)
      await expect(codeLoad(Promise.reject(new TypeError(message)))).rejects.toMatchObject({ problem: 'file' });
    const [, file = message] = /(http\S+)/u.exec(message) ?? [];
    const lines = log.messages('error');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^A part did not load: .*Does the site serve every file of its build/u);
    expect(lines[0]).toContain(file);
  });

  it('is named by the built script alone where that loads it', async () => {
    const log = logOf();
    await expect(codeLoad(loadPart('gone.js'))).rejects.toMatchObject({ problem: 'file' });
    expect(log.messages('error')).toEqual([]);
  });
});
