import { suite, type TestRunner } from '../runner.ts';
import { openClient, openTab, signedIn, signIn, type MakeFlowWorld } from './world.ts';

/** What roles allow (specification, section 6). */
export function rbacFlow({ describe, it, expect }: TestRunner, name: string, makeWorld: MakeFlowWorld): void {
  suite(
    { describe, it, expect },
    `roles: ${name}`,
    () => makeWorld({}),
    (test) => {
      test('allow their users what the policy says, and no more', async (world) => {
        const { client } = await signedIn(world, world.addressWith('viewer'));
        expect(client.user.getSync()?.roles).toEqual(['viewer']);
        expect(await client.rbac.isAuthorized('documents', 'read')).toBe(true);
        expect(await client.rbac.isAuthorized('documents', 'write')).toBe(false);
        expect(await client.rbac.isAuthorized('members', 'read')).toBe(false);
        expect(await client.rbac.allPermissions()).toEqual({ documents: { read: true, write: false } });
      });

      test('are the session’s as well, in every reply that carries one', async (world) => {
        const email = world.addressWith('viewer');
        const { client } = await signedIn(world, email);
        expect(client.session.getSync()?.roles).toEqual(['viewer']);
        expect((await client.session.authenticate()).session.roles).toEqual(['viewer']);
        const body = { password: 'correct-horse-battery-staple-47', session_duration_minutes: 60 };
        expect((await client.passwords.resetBySession(body)).session.roles).toEqual(['viewer']);
        const { client: later } = openTab(world);
        const reply = await later.passwords.authenticate({ email, ...body });
        expect([reply.user.roles, reply.session.roles]).toEqual([['viewer'], ['viewer']]);
      });

      test('allow every action by a wildcard', async (world) => {
        const { client } = await signedIn(world, world.addressWith('admin'));
        expect(await client.rbac.allPermissions()).toEqual({ documents: { read: true, write: true } });
      });

      test('allow nothing to who has none, or is not signed in', async (world) => {
        const { client } = openTab(world);
        const nothing = { documents: { read: false, write: false } };
        expect(await client.rbac.allPermissions()).toEqual(nothing);
        await signIn(world, client);
        expect(await client.rbac.allPermissions()).toEqual(nothing);
        expect(client.rbac.isAuthorizedSync('documents', 'read')).toBe(false);
      });

      test('are checked without asking, once the policy is here, also after a reload', async (world) => {
        const browser = world.newBrowser();
        const client = openClient(world, browser);
        await signIn(world, client, world.addressWith('viewer'));
        await client.rbac.isAuthorized('documents', 'read');
        expect(client.rbac.isAuthorizedSync('documents', 'read')).toBe(true);
        client.destroy();
        expect(openClient(world, browser).rbac.isAuthorizedSync('documents', 'read')).toBe(true);
      });

      test('are there when the user is fetched, and end with the session', async (world) => {
        const { client } = await signedIn(world, world.addressWith('viewer'));
        expect((await client.user.get())?.roles).toEqual(['viewer']);
        await client.session.revoke();
        expect(await client.rbac.isAuthorized('documents', 'read')).toBe(false);
      });
    },
  );
}
