import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { DOCUMENTED_PROVIDER, exampleNamed } from './examples.ts';
import { serveProvider, type ServedProvider } from './served-provider.ts';

interface Samples {
  giveRoles(userId: string, roles: string[]): Promise<readonly string[]>;
  publishPost(request: Request): Promise<Response>;
}

mkdirSync(join(ROOT, '.cache'), { recursive: true });
const dir = mkdtempSync(join(ROOT, '.cache/docs-roles-'));
let served: ServedProvider;
let samples: Samples;

/** The project of the page, and its modules with the address of a server on loopback in place of the documented one. */
beforeAll(async () => {
  served = await serveProvider(JSON.parse(exampleNamed('roles.json').source) as object);
  // The backend SDK warns of every address but the hosted one.
  const warning = vi.spyOn(console, 'warn').mockReturnValue();
  const modules = await Promise.all(
    ['give-roles.ts', 'publish-post.ts'].map(async (file) => {
      const path = join(dir, file);
      writeFileSync(path, exampleNamed(file).source.replaceAll(DOCUMENTED_PROVIDER, served.url));
      return import(/* @vite-ignore */ pathToFileURL(path).href);
    }),
  );
  warning.mockRestore();
  samples = Object.assign({}, ...modules) as Samples;
});
afterAll(async () => {
  rmSync(dir, { recursive: true, force: true });
  await served?.close();
});

const publishing = async (session: Awaited<ReturnType<ServedProvider['provider']['signIn']>>): Promise<number> => {
  const headers = { authorization: `Bearer ${String(session['session_jwt'])}` };
  return (await samples.publishPost(new Request('https://app.example.com/', { headers }))).status;
};

it('the editor of the project file may publish', async () => {
  expect(await publishing(await served.provider.signIn('grace@example.com'))).toBe(200);
});

it('a user may publish with the session after the server gave the role, in addition to those of the project file', async () => {
  const before = await served.provider.signIn('ada@example.com');
  const userId = String(before['user_id']);
  expect(await publishing(before)).toBe(403);
  expect(await samples.giveRoles(userId, ['author'])).toEqual(['author']);
  expect(await publishing(await served.provider.signIn('ada@example.com'))).toBe(403);
  expect(await samples.giveRoles(userId, ['editor'])).toEqual(['editor']);
  expect(await publishing(await served.provider.signIn('ada@example.com'))).toBe(200);
  const grace = await served.provider.signIn('grace@example.com');
  expect(await samples.giveRoles(String(grace['user_id']), ['author'])).toEqual(['editor', 'author']);
});

it('a role that is not in the policy is refused', async () => {
  const { user_id } = await served.provider.signIn('ada@example.com');
  await expect(samples.giveRoles(String(user_id), ['owner'])).rejects.toMatchObject({ error_type: 'invalid_role' });
});
