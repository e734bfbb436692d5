import { suite, type TestRunner } from '../runner.ts';
import {
  factorsOf,
  HOUR,
  MINUTE_MS,
  openTab,
  refusalOf,
  signedIn,
  signIn,
  type FlowWorld,
  type MakeFlowWorld,
} from './world.ts';

/** Somebody with a passkey in this browser. */
async function withPasskey(world: FlowWorld) {
  const browser = world.newBrowser();
  const { client, tab } = openTab(world, browser);
  const email = world.address('ada');
  const { method_id } = await client.otps.email.loginOrCreate(email);
  await client.otps.authenticate(await world.codeFor(email), method_id, HOUR);
  const { webauthn_registration_id } = await client.webauthn.register({ is_passkey: true });
  return { browser, client, tab, email, webauthn_registration_id };
}

/** Passkeys, on an authenticator in memory (specification, section 7; WebAuthn Level 3). */
export function passkeyFlow({ describe, it, expect }: TestRunner, name: string, makeWorld: MakeFlowWorld): void {
  suite(
    { describe, it, expect },
    `passkeys: ${name}`,
    () => makeWorld({}),
    (test) => {
      test('are registered for the signed-in user, and are a factor of the session', async (world) => {
        const { client, webauthn_registration_id } = await withPasskey(world);
        const [registration] = client.user.getSync()?.webauthn_registrations ?? [];
        expect([registration?.webauthn_registration_id, registration?.domain, registration?.verified]).toEqual([
          webauthn_registration_id,
          'localhost',
          true,
        ]);
        expect(factorsOf(client)).toEqual(['otp', 'webauthn']);
        expect([
          registration?.backup_eligible,
          registration?.backed_up,
          registration?.aaguid,
          registration?.last_used_at,
        ]).toEqual([true, true, null, null]);
        expect(Date.parse(registration?.created_at ?? '') > 0).toBe(true);
      });

      test('log in whoever holds them, without a name', async (world) => {
        const { browser, client } = await withPasskey(world);
        const user = client.user.getSync()?.user_id;
        await client.session.revoke();
        const again = openTab(world, browser).client;
        const reply = await again.webauthn.authenticate({ is_passkey: true, ...HOUR });
        expect(reply?.user_id).toBe(user);
        expect(factorsOf(again)).toEqual(['webauthn']);
        const [used] = again.user.getSync()?.webauthn_registrations ?? [];
        expect(Date.parse(used?.last_used_at ?? '') >= Date.parse(used?.created_at ?? '')).toBe(true);
      });

      test('sign a visitor up, whose address is theirs once they prove it in that session', async (world) => {
        const browser = world.newBrowser();
        const { client } = openTab(world, browser);
        const email = world.address('new');
        const reply = await client.webauthn.register({ is_passkey: true, sign_up_email: email });
        expect(factorsOf(client)).toEqual(['webauthn']);
        const { emails, unproven_email, webauthn_registrations } = client.user.getSync() ?? {};
        expect([emails, unproven_email, webauthn_registrations?.length]).toEqual([[], email, 1]);
        const { method_id } = await client.otps.email.send(email);
        await client.otps.authenticate(await world.codeFor(email), method_id, HOUR);
        const user = client.user.getSync();
        expect([user?.user_id, user?.emails[0]?.verified]).toEqual([reply.user_id, true]);
        expect([user?.unproven_email, user?.webauthn_registrations.length]).toEqual([undefined, 1]);
      });

      test('sign a visitor up beside the owner of the address, who is somebody else', async (world) => {
        const email = world.address('owner');
        const stranger = openTab(world, world.newBrowser());
        await stranger.client.webauthn.register({ is_passkey: true, sign_up_email: email });
        const { client } = openTab(world, world.newBrowser());
        const { method_id } = await client.otps.email.loginOrCreate(email);
        const owner = await client.otps.authenticate(await world.codeFor(email), method_id, HOUR);
        expect(owner.user_id === stranger.client.user.getSync()?.user_id).toBe(false);
        expect(client.user.getSync()?.webauthn_registrations).toEqual([]);
        expect(await refusalOf(stranger.client.otps.email.send(email))).toBe('duplicate_email');
      });

      test('log in from a form that the browser fills, and only where it can', async (world) => {
        const { browser, client } = await withPasskey(world);
        await client.session.revoke();
        const { client: again, tab } = openTab(world, browser);
        const options = { is_passkey: true, conditional_mediation: true, ...HOUR };
        expect(await again.webauthn.authenticate(options)).toBe(null);
        tab.webauthn.inputs.push('username webauthn');
        await again.webauthn.authenticate(options);
        expect(factorsOf(again)).toEqual(['webauthn']);
      });

      test('are a second factor for their own user alone', async (world) => {
        const { browser, client } = await withPasskey(world);
        const { session_id } = client.session.getSync() ?? {};
        world.passTime(MINUTE_MS);
        const reply = await client.webauthn.authenticate(HOUR);
        expect(reply?.session.session_id).toBe(session_id);
        await client.session.revoke();
        const { client: eve } = openTab(world, browser);
        const email = world.address('eve');
        const { method_id } = await eve.otps.email.loginOrCreate(email);
        await eve.otps.authenticate(await world.codeFor(email), method_id, HOUR);
        expect(await refusalOf(eve.webauthn.authenticate(HOUR))).toBe('webauthn_registration_not_found');
      });

      test('of another user are no second factor, though the authenticator offers them', async (world) => {
        const email = world.address('eve');
        const { client: eve, tab } = await signedIn(world, email);
        await eve.webauthn.register({ is_passkey: true });
        await eve.session.revoke();
        await signIn(world, eve);
        await eve.webauthn.register({ is_passkey: true });
        await eve.session.revoke();
        await signIn(world, eve, email);
        const get = tab.webauthn.get.bind(tab.webauthn);
        tab.webauthn.get = async (json, mediation, signal) =>
          get(JSON.stringify({ ...(JSON.parse(json) as object), allowCredentials: [] }), mediation, signal);
        expect(await refusalOf(eve.webauthn.authenticate(HOUR))).toBe('webauthn_registration_not_found');
      });

      test('are renamed by their user', async (world) => {
        const { client, webauthn_registration_id } = await withPasskey(world);
        const reply = await client.webauthn.update({ webauthn_registration_id, name: ' Ada’s phone ' });
        expect(reply.webauthn_registration.name).toBe('Ada’s phone');
        expect((await client.user.get())?.webauthn_registrations.map((each) => each.name)).toEqual(['Ada’s phone']);
        const empty = { webauthn_registration_id, name: ' ' };
        expect(await refusalOf(client.webauthn.update(empty))).toBe('invalid_webauthn_name');
        const { client: eve } = await signedIn(world, world.address('eve'));
        const stolen = { webauthn_registration_id, name: 'Eve’s' };
        expect(await refusalOf(eve.webauthn.update(stolen))).toBe('webauthn_registration_not_found');
      });

      test('that were deleted in another browser are unknown, though the authenticator still has them', async (world) => {
        const { browser, client, email, webauthn_registration_id } = await withPasskey(world);
        await client.session.revoke();
        const elsewhere = openTab(world, world.newBrowser()).client;
        await signIn(world, elsewhere, email);
        await elsewhere.user.deleteWebauthnRegistration(webauthn_registration_id);
        expect(elsewhere.user.getSync()?.webauthn_registrations).toEqual([]);
        const again = openTab(world, browser).client;
        expect(await refusalOf(again.webauthn.authenticate({ is_passkey: true, ...HOUR }))).toBe(
          'webauthn_registration_not_found',
        );
      });

      test('are not registered twice in one authenticator', async (world) => {
        const { client } = await withPasskey(world);
        const refused = await client.webauthn.register({ is_passkey: true }).then(
          () => 'not refused',
          (error: { name?: string }) => error.name,
        );
        expect(refused).toBe('InvalidStateError');
      });

      test('are added without a question in a session, prove nothing, and log in later', async (world) => {
        const { client, tab } = await signedIn(world, world.address('ada'));
        const unable = client.webauthn.register({ conditional_mediation: true }).catch(({ name }: Error) => name);
        expect(await unable).toBe('NotSupportedError');
        tab.webauthn.capabilities.add('conditionalCreate');
        const tokens = client.session.getTokens();
        const reply = await client.webauthn.register({ conditional_mediation: true });
        expect([factorsOf(client), client.session.getTokens()?.session_token]).toEqual([
          ['otp'],
          tokens?.session_token,
        ]);
        const ids = client.user.getSync()?.webauthn_registrations.map((each) => each.webauthn_registration_id);
        expect(ids).toEqual([reply.webauthn_registration_id]);
        await client.session.revoke();
        await client.webauthn.authenticate({ is_passkey: true, ...HOUR });
        expect(factorsOf(client)).toEqual(['webauthn']);
      });

      test('that nobody confirmed are refused where the registration was not started so', async (world) => {
        const { client, tab } = await signedIn(world, world.address('ada'));
        tab.webauthn.capabilities.add('conditionalCreate');
        const create = tab.webauthn.create.bind(tab.webauthn);
        tab.webauthn.create = async (json, signal) => create(json, signal, 'conditional');
        for (const is_passkey of [true, false]) {
          expect(await refusalOf(client.webauthn.register({ is_passkey }))).toBe('webauthn_verification_failed');
        }
        expect((await client.user.get())?.webauthn_registrations).toEqual([]);
      });

      test('are for the project’s own sites and for who is signed in', async (world) => {
        const { client } = openTab(world);
        expect(await refusalOf(client.webauthn.register())).toBe('user_unauthenticated');
        const elsewhere = { domain: 'evil.example', ...HOUR };
        expect(await refusalOf(client.webauthn.authenticate(elsewhere))).toBe('invalid_domain');
      });

      test('answer a challenge in time', async (world) => {
        const { browser, client } = await withPasskey(world);
        await client.session.revoke();
        const { client: again, tab } = openTab(world, browser);
        const decide = tab.webauthn.hold();
        const login = refusalOf(again.webauthn.authenticate({ is_passkey: true, ...HOUR }));
        while (!tab.webauthn.isRunning) await new Promise((resolve) => setTimeout(resolve, 5));
        world.passTime(5 * MINUTE_MS + 1);
        decide();
        expect(await login).toBe('webauthn_challenge_not_found');
      });
    },
  );
}
