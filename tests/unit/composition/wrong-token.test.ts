import { describe, expect, it, vi } from 'vitest';
import { projects } from '#application/api/index.ts';
import { PorticoClient } from '#composition/client.ts';
import { errorReply } from '#kit/transport/fake-reply.ts';
import { TestWorld, TOKEN } from '../application/world.ts';

const GIVE = 'give it the public token, which starts with "public-token-".';

describe('a client', () => {
  it.each([
    ['token-test-1', 'publicToken: a public token starts with "public-token-".', []],
    ['project-test-1', `publicToken is a project id: ${GIVE}`, []],
    ['project-secret-1', `publicToken is the id of a secret: ${GIVE}`, []],
    [
      'secret-test-1',
      `publicToken is a secret of the project: ${GIVE}`,
      [expect.stringMatching(/is a secret of the project, .* Remove it from the page, replace it/u)],
    ],
  ])('with %s for its public token warns, and does not show it', async (token, now, later) => {
    const world = new TestWorld();
    world.transport.answer(projects.bootstrap, () => errorReply(401, 'invalid_public_token'));
    const tab = world.tab();
    const client = new PorticoClient(token, { adapters: tab });
    const warnings = [now];
    await import('#composition/lazy/explain-failure.ts');
    await world.settle();
    await vi.waitFor(() => expect(tab.log.messages('warn')).toEqual([...warnings, ...later]));
    expect(tab.log.messages('warn').join('\n')).not.toContain(token);
    client.destroy();
  });

  it('reads its token and its address without the blanks that come along when people paste', async () => {
    const world = new TestWorld();
    const tab = world.tab();
    const client = new PorticoClient(`\uFEFF ${TOKEN}\u00A0\n`, {
      apiUrl: '\uFEFFhttps://api.example.com\n',
      adapters: tab,
    });
    await client.rbac.allPermissions().catch(() => undefined);
    const [request] = world.transport.requestsTo(projects.bootstrap);
    expect(request?.url).toBe(`https://api.example.com/sdk/v1/projects/bootstrap/${TOKEN}`);
    expect(request?.headers['authorization']).toBe(`Basic ${btoa(`${TOKEN}:${TOKEN}`)}`);
    expect(tab.log.messages('warn')).toEqual([]);
    client.destroy();
  });

  it.each(['invalid_public_token', 'project_not_found'])(
    'whose API answers %s says once what to check',
    async (type) => {
      const world = new TestWorld();
      world.transport.answer(projects.bootstrap, () => errorReply(401, type));
      const { client, tab } = world.open();
      await vi.waitFor(() => expect(tab.log.messages('warn')).toHaveLength(1));
      const [said = ''] = tab.log.messages('warn');
      expect(said).toContain(`https://test.stytch.com has no project with the public token ${TOKEN.slice(0, 25)}`);
      expect(said).toContain('is apiUrl the address of the same project?');
      await world.clock.advance(5_000);
      await client.rbac.allPermissions().catch(() => undefined);
      await vi.waitFor(() => expect(world.transport.requestsTo(projects.bootstrap).length).toBeGreaterThan(1));
      expect(tab.log.messages('warn')).toEqual([said]);
    },
  );

  it('whose API refuses for another reason says nothing of its token', async () => {
    const world = new TestWorld();
    world.transport.answer(projects.bootstrap, () => errorReply(429, 'too_many_requests'));
    const { client, tab } = world.open();
    await client.rbac.allPermissions().catch(() => undefined);
    await import('#composition/lazy/explain-failure.ts');
    await world.settle();
    expect(tab.log.messages('warn')).toEqual([]);
  });
});
