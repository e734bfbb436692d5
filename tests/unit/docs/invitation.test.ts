import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { BACKEND_LINK_MINUTES } from '#domain/rules/lifetimes.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { DOCUMENTED_PROVIDER, exampleNamed } from './examples.ts';
import { serveProvider, type ServedProvider } from './served-provider.ts';

mkdirSync(join(ROOT, '.cache'), { recursive: true });
const dir = mkdtempSync(join(ROOT, '.cache/docs-invitation-'));
let served: ServedProvider;
let sample: { invite(email: string): Promise<string> };

beforeAll(async () => {
  served = await serveProvider({ sign_up: { policy: 'invited' } });
  const file = join(dir, 'invite.ts');
  writeFileSync(file, exampleNamed('invite.ts').source.replaceAll(DOCUMENTED_PROVIDER, served.url));
  // The backend SDK warns of every address but the hosted one.
  const warning = vi.spyOn(console, 'warn').mockReturnValue();
  sample = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as typeof sample;
  warning.mockRestore();
});
afterAll(async () => {
  rmSync(dir, { recursive: true, force: true });
  await served?.close();
});

it('an invitation opens the page of the sample, which logs the person in', async () => {
  const email = 'invited@example.com';
  const user_id = await sample.invite(email);
  const link = new URL((await served.provider.newest(email))?.link ?? '');
  expect(link.origin + link.pathname).toBe('http://localhost:3000/authenticate');
  expect(link.searchParams.get('stytch_token_type')).toBe('magic_links');
  const body = { token: link.searchParams.get('token'), session_duration_minutes: 60 };
  const { data } = await served.provider.post('/magic_links/authenticate', body);
  expect(data['user']).toMatchObject({ user_id, status: 'active' });
});

it('the page has the limits and the default of the lifetime', () => {
  expect(BACKEND_LINK_MINUTES.login).toEqual({ fallback: 60, min: 5, max: 10_080 });
});
