import { suite, type TestRunner } from '../runner.ts';
import { factorsOf, HOUR, openTab, refusalOf, signedIn, signIn, type MakeFlowWorld } from './world.ts';

const GOOD = 'correct horse battery 7!';
const BETTER = 'a long and winding road 9?';

/** Logging in by password (specification, sections 4, 5 and 7). */
export function passwordFlow({ describe, it, expect }: TestRunner, name: string, makeWorld: MakeFlowWorld): void {
  suite(
    { describe, it, expect },
    `passwords: ${name}`,
    () => makeWorld({}),
    (test) => {
      test('sign up, and log in as the same user', async (world) => {
        const email = world.address('ada');
        const { client } = openTab(world);
        const made = await client.passwords.create({ email, password: GOOD, ...HOUR });
        expect(made.user.emails.map((each) => [each.email_id, each.email])).toEqual([[made.email_id, email]]);
        expect(made.user.password?.requires_reset).toBe(false);
        expect(factorsOf(client)).toEqual(['password']);
        const other = openTab(world).client;
        expect((await other.passwords.authenticate({ email, password: GOOD, ...HOUR })).user_id).toBe(made.user_id);
      });

      test('are refused when they are wrong, or belong to no user', async (world) => {
        const email = world.address('ada');
        const { client } = openTab(world);
        await client.passwords.create({ email, password: GOOD, ...HOUR });
        const wrong = { email, password: BETTER, ...HOUR };
        expect(await refusalOf(client.passwords.authenticate(wrong))).toBe('unauthorized_credentials');
        const nobody = { email: world.address('nobody'), password: GOOD, ...HOUR };
        expect(await refusalOf(client.passwords.authenticate(nobody))).toBe('unauthorized_credentials');
      });

      test('leave the session alone when they are refused', async (world) => {
        const { client } = await signedIn(world);
        const before = client.session.getSync();
        const wrong = { email: world.address('nobody'), password: GOOD, ...HOUR };
        expect(await refusalOf(client.passwords.authenticate(wrong))).toBe('unauthorized_credentials');
        expect(client.session.getSync()).toEqual(before);
      });

      test('must be good enough, and not known from a breach', async (world) => {
        const email = world.address('ada');
        const { client } = openTab(world);
        expect(await refusalOf(client.passwords.create({ email, password: 'ada', ...HOUR }))).toBe('weak_password');
        expect(await refusalOf(client.passwords.create({ email, password: 'Password123', ...HOUR }))).toBe(
          'breached_password',
        );
        expect((await client.user.search(email)).userType).toBe('new');
      });

      test('are judged while they are typed', async (world) => {
        const { client } = openTab(world);
        const weak = await client.passwords.strengthCheck({ password: 'ada' });
        expect([weak.valid_password, weak.breached_password, weak.strength_policy]).toEqual([false, false, 'zxcvbn']);
        expect(weak.feedback.luds_requirements.missing_characters).toBe(5);
        const breached = await client.passwords.strengthCheck({ password: 'Password123' });
        expect([breached.valid_password, breached.breached_password]).toEqual([false, true]);
        const good = await client.passwords.strengthCheck({ email: world.address('ada'), password: GOOD });
        expect([good.valid_password, good.score >= 3]).toEqual([true, true]);
      });

      test('are given by email to who signed up without, and searches tell', async (world) => {
        const email = world.address('ada');
        const { client } = openTab(world);
        const userType = async () => (await client.user.search(email)).userType;
        expect(await userType()).toBe('new');
        await signIn(world, client, email);
        expect(await userType()).toBe('passwordless');
        expect(await refusalOf(client.passwords.authenticate({ email, password: GOOD, ...HOUR }))).toBe(
          'unauthorized_credentials',
        );
        expect(await refusalOf(client.passwords.create({ email, password: GOOD, ...HOUR }))).toBe('reset_password');
        await client.passwords.resetBySession({ password: GOOD });
        expect(await userType()).toBe('password');
        expect(await refusalOf(client.passwords.create({ email, password: GOOD, ...HOUR }))).toBe('duplicate_email');
      });

      test('that a stranger set for an address are worth nothing once its owner proved it', async (world) => {
        const email = world.address('ada');
        const eve = openTab(world).client;
        await eve.passwords.create({ email, password: GOOD, ...HOUR });
        const ada = openTab(world).client;
        await signIn(world, ada, email);
        expect(await refusalOf(eve.session.authenticate())).toBe('unauthorized_credentials');
        expect(await refusalOf(eve.passwords.authenticate({ email, password: GOOD, ...HOUR }))).toBe('reset_password');
      });
    },
  );

  suite(
    { describe, it, expect },
    `changing a password: ${name}`,
    () => makeWorld({}),
    (test) => {
      test('by the one before, which is worth nothing after', async (world) => {
        const email = world.address('ada');
        const { client } = openTab(world);
        await client.passwords.create({ email, password: GOOD, ...HOUR });
        const change = { email, existing_password: GOOD, new_password: BETTER, ...HOUR };
        await client.passwords.resetByExistingPassword(change);
        expect(await refusalOf(client.passwords.resetByExistingPassword(change))).toBe('unauthorized_credentials');
        const other = openTab(world).client;
        await other.passwords.authenticate({ email, password: BETTER, ...HOUR });
      });

      test('by the session, which goes on while all others end', async (world) => {
        const email = world.address('ada');
        const { client } = await signedIn(world, email);
        const { client: elsewhere } = await signedIn(world, email);
        const before = client.session.getSync();
        const reply = await client.passwords.resetBySession({ password: GOOD });
        expect(reply.session.session_id).toBe(before?.session_id);
        expect(reply.session.expires_at).toBe(before?.expires_at);
        expect(await refusalOf(elsewhere.session.authenticate())).toBe('unauthorized_credentials');
        await client.session.authenticate();
      });

      test('needs a session, or the right password, and a good new one', async (world) => {
        const email = world.address('ada');
        const { client } = openTab(world);
        expect(await refusalOf(client.passwords.resetBySession({ password: GOOD }))).toBe('user_unauthenticated');
        await client.passwords.create({ email, password: GOOD, ...HOUR });
        const wrong = { email, existing_password: BETTER, new_password: BETTER, ...HOUR };
        expect(await refusalOf(client.passwords.resetByExistingPassword(wrong))).toBe('unauthorized_credentials');
        const weak = { email, existing_password: GOOD, new_password: 'ada', ...HOUR };
        expect(await refusalOf(client.passwords.resetByExistingPassword(weak))).toBe('weak_password');
        expect(await refusalOf(client.passwords.resetBySession({ password: 'ada' }))).toBe('weak_password');
      });
    },
  );
}
