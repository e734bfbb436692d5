import { afterEach, expect, it, vi } from 'vitest';
import { PorticoClient } from '#composition/client.ts';
import { FakeWorld } from '#kit/fake-world.ts';
import { KyTransport } from '#infrastructure/http/ky-transport.ts';
import { StartTransport } from '#infrastructure/http/start-transport.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('sends the requests of the start with fetch, and those of the use cases with ky', async () => {
  vi.spyOn(window, 'fetch').mockImplementation(async () => new Response('{}', { status: 503 }));
  const [start, ky] = [vi.spyOn(StartTransport.prototype, 'send'), vi.spyOn(KyTransport.prototype, 'send')];
  const { transport: _transport, ...adapters } = new FakeWorld().tab();
  const client = new PorticoClient('public-token-test-transports', { adapters, telemetry: false });
  expect(start).toHaveBeenCalledOnce();
  expect(ky).not.toHaveBeenCalled();
  await client.otps.email.loginOrCreate('ada@example.com').catch(() => undefined);
  expect(ky).toHaveBeenCalled();
  client.destroy();
});
