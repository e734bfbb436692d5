import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBackend, type Backend } from '../kit/backend.ts';
import { EITHER_DATABASE } from '../kit/harness.ts';

describe.each(EITHER_DATABASE)('a browser whose name is cut in the middle of a character, on %s', (_, database) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await startBackend(database);
  });
  afterAll(() => backend.close());

  it('logs in through the app’s server', async () => {
    const email = 'ada@example.com';
    const attributes = { ip_address: '203.0.113.7', user_agent: `${'x'.repeat(511)}😀` };
    await backend.client.magicLinks.email.loginOrCreate({ email, attributes });
    const token = new URL((await backend.provider.newest(email))?.link ?? '').searchParams.get('token') ?? '';
    const login = await backend.client.magicLinks.authenticate({ token, attributes, session_duration_minutes: 60 });
    expect(login.session?.attributes?.user_agent).toBe('x'.repeat(511));
  });
});
