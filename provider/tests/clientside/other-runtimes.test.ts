import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { portsOf, textsInMemory, type Device } from '#composition/adapters.ts';
import { PorticoClient } from '#composition/headless.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { ANY_DATABASE, PUBLIC_TOKEN } from '../kit/harness.ts';
import { servedProvider, type ServedProvider } from '../kit/served-provider.ts';

const EXTENSION = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop';

describe('where there is no page', () => {
  let op: ServedProvider;
  beforeAll(async () => {
    op = await servedProvider(ANY_DATABASE, () => ({}));
  });
  afterAll(() => op.close());

  const device: Device = {
    secrets: textsInMemory(),
    storage: textsInMemory(),
  };
  const start = () => {
    const adapters = portsOf(device, new URL('https://app.example.com/'));
    return new PorticoClient(PUBLIC_TOKEN, { apiUrl: op.issuer, adapters, telemetry: false });
  };

  it('a client in Node needs a port for everything, and then signs in, goes on after a restart, and signs out', async () => {
    expect(() => new PorticoClient(PUBLIC_TOKEN, { apiUrl: op.issuer })).toThrow('an adapter for every port');
    const first = start();
    const { method_id } = await first.otps.email.loginOrCreate('node@example.com');
    const code = (await op.provider.newest('node@example.com'))?.code ?? '';
    await first.otps.authenticate(code, method_id, { session_duration_minutes: 60 });
    const session = first.session.getSync();
    expect(session?.session_id).toMatch(/^session-/u);
    first.destroy();

    const second = start();
    expect(second.session.getSync()?.session_id).toBe(session?.session_id);
    expect((await second.session.authenticate()).session.session_id).toBe(session?.session_id);
    await second.session.revoke();
    expect(second.session.getSync()).toBeNull();
    second.destroy();
  });

  it('an extension’s pages are refused, unless the project registers the extension', async () => {
    const headers = { origin: EXTENSION };
    const refused = await op.provider.call('POST', '/sessions/authenticate', {}, { headers });
    expect([refused.status, refused.body['error_type']]).toEqual([403, 'unregistered_origin']);
    expect(projectFrom({ origins: [EXTENSION] }).origins).toEqual([EXTENSION]);
  });
});
