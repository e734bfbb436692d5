import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { DATABASES, makeProvider, type Provider } from '../../../provider/tests/harness.ts';
import { DEMO_PROJECT } from '../../../provider/src/project/project.ts';
import { FakeWorld } from '../../../src/infrastructure/fake/fake-world.ts';
import { VirtualClock } from '../../../src/infrastructure/fake/virtual-clock.ts';
import { KyTransport } from '../../../src/infrastructure/http/ky-transport.ts';
import { magicLinkFlow } from './magic-link.flow.ts';
import { passcodeFlow } from './passcode.flow.ts';
import { sessionFlow } from './session.flow.ts';
import type { MakeFlowWorld } from './world.ts';

const runner = { describe, it, expect };

/**
 * The real provider in this process, reached through the real transport; only the browsers are in memory. One server
 * serves all tests of a database and project: opening one takes seconds.
 */
function worldsOn(databaseUrl: string | undefined): MakeFlowWorld {
  const servers = new Map<boolean, Promise<Server>>();
  afterAll(async () => {
    for (const server of servers.values()) await (await server).provider.close();
  });
  return async ({ pkceRequired }) => {
    const server = servers.get(pkceRequired) ?? startServer(databaseUrl, pkceRequired);
    servers.set(pkceRequired, server);
    const { provider, clock } = await server;
    const transport = new KyTransport({ fetch: async (request) => provider.app.fetch(request) });
    const newest = async (email: string) => (await provider.inbox()).find(({ to }) => to === email);
    return {
      publicToken: DEMO_PROJECT.public_token,
      newBrowser: () => {
        const browser = new FakeWorld(clock);
        return { tab: () => ({ ...browser.tab('http://localhost:3000/'), transport }) };
      },
      address: (who) => `${who}+${randomUUID()}@example.com`,
      codeFor: async (email) => (await newest(email))?.code ?? '',
      tokenFor: async (email) => new URL((await newest(email))?.link ?? '').searchParams.get('token') ?? '',
      passTime: (ms) => clock.jump(ms),
    };
  };
}

interface Server {
  readonly clock: VirtualClock;
  readonly provider: Provider;
}

async function startServer(databaseUrl: string | undefined, pkceRequired: boolean): Promise<Server> {
  const clock = new VirtualClock();
  const project = { ...DEMO_PROJECT, pkce_required_for_email_magic_links: pkceRequired };
  return { clock, provider: await makeProvider(databaseUrl, { clock, project }) };
}

for (const [name, databaseUrl] of DATABASES) {
  const makeWorld = worldsOn(databaseUrl);
  passcodeFlow(runner, `on the provider, ${name}`, makeWorld);
  magicLinkFlow(runner, `on the provider, ${name}`, makeWorld);
  sessionFlow(runner, `on the provider, ${name}`, makeWorld);
}
