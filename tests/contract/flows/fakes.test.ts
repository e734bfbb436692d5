import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { FakeServer } from '../../../src/infrastructure/fake/fake-server.ts';
import { FakeWorld } from '../../../src/infrastructure/fake/fake-world.ts';
import { magicLinkFlow } from './magic-link.flow.ts';
import { passcodeFlow } from './passcode.flow.ts';
import { sessionFlow } from './session.flow.ts';
import type { MakeFlowWorld } from './world.ts';

const makeWorld: MakeFlowWorld = async ({ pkceRequired }) => {
  const world = new FakeWorld();
  const server = new FakeServer(world.transport, world.clock, async (verifier) =>
    createHash('sha256').update(verifier).digest('base64url'),
  );
  server.project['pkce_required_for_email_magic_links'] = pkceRequired;
  const newest = (email: string) => server.inbox.find(({ to }) => to === email);
  return {
    publicToken: 'public-token-test-1',
    newBrowser: () => {
      const browser = new FakeWorld(world.clock);
      return { tab: () => ({ ...browser.tab('http://localhost:3000/'), transport: world.transport }) };
    },
    address: (who) => `${who}@example.com`,
    codeFor: async (email) => newest(email)?.code ?? '',
    tokenFor: async (email) => newest(email)?.token ?? '',
    passTime: (ms) => world.clock.jump(ms),
  };
};

const runner = { describe, it, expect };
passcodeFlow(runner, 'on the fakes', makeWorld);
magicLinkFlow(runner, 'on the fakes', makeWorld);
sessionFlow(runner, 'on the fakes', makeWorld);
