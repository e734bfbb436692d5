import { describe, expect, it, vi } from 'vitest';
import type { Session } from '#domain/sessions/session.ts';
import { STATE_KEY, TestWorld } from './world.ts';

const lastIn = (session: Session | null | undefined): string | undefined => session?.last_accessed_at;

describe('the session as it is known now', () => {
  it('has the server’s latest time of access, without notifying subscribers', async () => {
    const world = new TestWorld();
    const { client } = world.open();
    const { session } = await world.signIn(client);
    const told: unknown[] = [];
    client.onStateChange((change) => told.push(change));
    world.clock.jump(60_000);
    const { session: later } = await client.session.authenticate();
    expect(lastIn(later)).not.toBe(lastIn(session));
    expect([lastIn(client.session.getSync()), lastIn(client.session.getInfo().session)]).toEqual([
      lastIn(later),
      lastIn(later),
    ]);
    expect(told).toEqual([]);
    const first: (Session | null)[] = [];
    client.session.session$.subscribe((known) => first.push(known)).unsubscribe();
    expect(first).toEqual([later]);
  });

  it('is the newest in the other tabs, in storage, and after what changes the user alone', async () => {
    const world = new TestWorld();
    const { client } = world.open();
    await world.signIn(client);
    const { client: other } = world.open();
    await world.settle();
    const told: unknown[] = [];
    other.onStateChange((change) => told.push(change));
    world.clock.jump(60_000);
    const { session: later } = await client.session.authenticate();
    await world.settle();
    expect([lastIn(other.session.getSync()), told]).toEqual([lastIn(later), []]);
    await other.user.update({ untrusted_metadata: { a: 1 } });
    expect(told).toEqual([{ user: other.user.getSync() }]);
    const stored = JSON.parse(world.storage.values.get(STATE_KEY) ?? '') as { session: Session };
    expect([lastIn(stored.session), lastIn(client.session.getSync())]).toEqual([lastIn(later), lastIn(later)]);
  });
});

describe('permission checks without asking', () => {
  const rbac_policy = {
    roles: [{ role_id: 'reader', permissions: [{ resource_id: 'docs', actions: ['read'] }] }],
    resources: [{ resource_id: 'docs', actions: ['read', 'write'] }],
  };

  async function open() {
    const world = new TestWorld();
    Object.assign(world.server.project, { rbac_policy });
    world.server.settings.roleAssignments = [{ email: 'ada@example.com', roles: ['reader'] }];
    const { client } = world.open();
    await world.signIn(client);
    return { world, client };
  }

  it('parse nothing twice, in whatever order they are mixed with those that ask', async () => {
    const { world, client } = await open();
    const { client: reloaded } = world.open();
    await world.settle();
    for (const each of [client, reloaded]) {
      expect(each.rbac.isAuthorizedSync('docs', 'read')).toBe(true);
      const parse = vi.spyOn(JSON, 'parse');
      for (let row = 0; row < 100; row += 1) each.rbac.isAuthorizedSync('docs', row % 2 === 0 ? 'read' : 'write');
      await each.rbac.isAuthorized('docs', 'read');
      await each.rbac.allPermissions();
      expect(each.rbac.isAuthorizedSync('docs', 'write')).toBe(false);
      expect(parse).not.toHaveBeenCalled();
      parse.mockRestore();
    }
  });

  it('go by what another tab has learned since', async () => {
    const { world, client } = await open();
    expect(client.rbac.isAuthorizedSync('docs', 'write')).toBe(false);
    const [role] = rbac_policy.roles;
    const permissions = [{ resource_id: 'docs', actions: ['*'] }];
    Object.assign(world.server.project, { rbac_policy: { ...rbac_policy, roles: [{ ...role, permissions }] } });
    world.open();
    await world.settle();
    expect(client.rbac.isAuthorizedSync('docs', 'write')).toBe(true);
  });
});
