import { describe, expect, it } from 'vitest';
import { inviteOperator } from '#provider/operation/operators/desk/operator-store.ts';
import { SoftwareAuthenticator } from '../kit/webauthn-authenticator.ts';
import { EITHER_DATABASE, MINUTE, type Fields } from '../kit/harness.ts';
import { BY, cookieOf, ORIGIN, type Sendable } from '../kit/operators-browser.ts';
import { HOSTILE, pageSteps } from './page-steps.ts';

const GRACE = { name: 'Grace', role: 'admin' } as const;

describe.each(EITHER_DATABASE)("the operators' page, on %s", (_, database) => {
  const world = pageSteps(database);
  const { ask, get, post, upload, optionsOf, enrolled, logIn, events, refusals } = world;

  it('refuses every form to a reader, and to whoever is not logged in', async () => {
    const { cookie } = await enrolled('Mary', 'reader');
    const posts = world.app.routes.filter(({ method }) => method === 'POST').map(({ path }) => path);
    const forms = posts.filter((path) => !/\/(?:login|enrol)\/|\/logout$/u.test(path));
    expect(forms.length).toBeGreaterThan(15);
    for (const form of forms) {
      const path = form.replace('/operators/', '').replace(/:\w+/u, 'x');
      expect([path, (await post(path, cookie)).status, (await post(path, '')).status]).toEqual([path, 403, 401]);
    }
  });

  it('enrols a passkey by a link that works once, and logs in by it', async () => {
    const { token, key, credential, reply } = await enrolled('Grace');
    expect(reply.status).toBe(200);
    expect(reply.headers.get('set-cookie')).toMatch(
      /^__Host-operator=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/u,
    );
    expect((await ask('POST', 'enrol/start', { json: { token } })).status).toBe(404);
    expect((await ask('POST', 'enrol/finish', { json: { token, credential } })).status).toBe(404);
    const answered = await logIn(key);
    expect(answered.status).toBe(200);
    expect((await get('users', cookieOf(answered))).text).toContain('ada@example.com');
    expect(await events()).toEqual(expect.arrayContaining(['operator_enrolled Grace', 'operator_login Grace']));
    const before = await refusals();
    const other = new SoftwareAuthenticator(ORIGIN);
    other.create(await optionsOf('enrol/start', { token: await inviteOperator(world.provider.services, GRACE, BY) }));
    expect((await logIn(other)).status).toBe(400);
    await ask('POST', 'enrol/start', { json: { token } });
    expect((await refusals()).slice(before.length)).toEqual([
      'operator_login {"error_type":"webauthn_verification_failed"}',
      'operator_enrolled {"error_type":"invite_not_found"}',
    ]);
  });

  it('refuses assertions of another origin, without the person, or twice; and an invitation of another operator', async () => {
    const { key } = await enrolled('Edsger');
    for (const spoiled of [{ origin: 'https://evil.example.com' }, { verified: false }, { crossOrigin: true }]) {
      const credential = key.get(await optionsOf('login/start', {}), spoiled);
      expect((await ask('POST', 'login/finish', { json: { credential } })).status).toBe(400);
    }
    const credential = key.get(await optionsOf('login/start', {}));
    expect((await ask('POST', 'login/finish', { json: { credential } })).status).toBe(200);
    expect((await ask('POST', 'login/finish', { json: { credential } })).status).toBe(400);
    const [one, two] = [
      await inviteOperator(world.provider.services, { name: 'One', role: 'admin' }, BY),
      await inviteOperator(world.provider.services, { name: 'Two', role: 'admin' }, BY),
    ];
    const mixed = new SoftwareAuthenticator(ORIGIN).create(await optionsOf('enrol/start', { token: one }));
    expect((await ask('POST', 'enrol/finish', { json: { token: two, credential: mixed } })).status).toBe(400);
    const late = new SoftwareAuthenticator(ORIGIN).create(await optionsOf('enrol/start', { token: two }));
    world.provider.clock.time += 61 * MINUTE;
    expect((await ask('POST', 'enrol/finish', { json: { token: two, credential: late } })).status).toBe(404);
  });

  it('shows nothing without a session, and nothing to a session of a user', async () => {
    const { session_token } = await world.provider.signIn('eve@example.com');
    const pages = [
      'users',
      `users/${world.user_id}`,
      'clients',
      'clients/x',
      'keys',
      'outbox',
      'audit',
      'people',
      'import',
    ];
    for (const cookie of ['', `__Host-operator=${session_token}`, 'operator=x']) {
      for (const page of pages) expect((await get(page, cookie)).location).toBe('/operators/login');
      expect((await post(`users/${world.user_id}/lock`, cookie)).status).toBe(401);
    }
    expect((await world.provider.app.request('/operators/users')).status).toBe(404);
  });

  it('escapes what users wrote, and lets no script of a page run', async () => {
    const { cookie } = await enrolled('Barbara');
    const filter = encodeURIComponent(HOSTILE);
    for (const path of [
      'users',
      `users?text=${filter}`,
      `users/${world.user_id}`,
      `audit?event=${filter}`,
      `users?done=${filter}`,
    ]) {
      const { text, headers } = await get(path, cookie);
      expect(text).not.toContain('<script>alert');
      expect(text).not.toContain('<img src=x');
      expect(text).not.toMatch(/<script(?![^>]* src=)|\son\w+=(?=["'])|style=/u);
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self';/u);
      expect(headers.get('cache-control')).toBe('no-store');
    }
    expect((await get('users', cookie)).text).toContain('&lt;script&gt;');
  });

  it('leads back from an address that is no page, and says whether a client or nobody was refused', async () => {
    const { cookie } = await enrolled('Radia');
    const { status, text } = await get('clients/a/b', cookie);
    expect([status, text.includes('Page not found'), text.includes('href="/operators/clients"')]).toEqual([
      404,
      true,
      true,
    ]);
    expect((await get('connections', cookie)).text).toContain('No app was refused');
    expect((await get('connections?client=planner', cookie)).text).toContain('This client was not refused');
  });

  it('answers odd requests as if they found nothing', async () => {
    const { cookie } = await enrolled('Alan');
    for (const path of [
      'users?text=%00',
      'users?after=999999999999999.x',
      'users?text=%25_%5C',
      'audit?address=%00&event=%F0%9F%92%A9',
    ]) {
      expect([path, (await get(path, cookie)).status]).toEqual([path, 200]);
    }
    for (const path of ['users/%00', 'users/nobody', 'clients/%00', 'clients/nobody'])
      expect((await get(path, cookie)).status).toBe(404);
    for (const path of [
      'users?after=x',
      'audit?after=x',
      'audit?outcome=x',
      'audit?address=x',
      'outbox?state=x',
      'clients?after=%E2%82%AC',
    ]) {
      expect([path, (await get(path, cookie)).status]).toEqual([path, 400]);
    }
    for (const path of ['users/%00/lock', 'clients/%00/rotate']) expect((await post(path, cookie)).status).toBe(404);
    expect((await post('outbox/retry', cookie, { id: '\0' })).status).toBe(400);
    expect(world.provider.traces).toEqual([]);
  });

  it('refuses what another site sends, and other host names', async () => {
    const { cookie } = await enrolled('Ken');
    const path = `users/${world.user_id}/lock`;
    const sent: readonly Readonly<Record<string, string>>[] = [
      { origin: 'https://evil.example.com' },
      { origin: 'null' },
      { origin: '' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of sent) {
      expect((await ask('POST', path, { cookie, form: {}, headers })).status).toBe(403);
    }
    for (const host of ['evil.example.com', 'ops.example.com:8443', 'ops.example.com.evil.example']) {
      expect((await ask('GET', 'users', { cookie, headers: { host } })).status).toBe(421);
    }
    const { db } = world.provider.services;
    expect(await db.selectFrom('users').select('user_id').where('locked_at', 'is not', null).execute()).toEqual([]);
  });

  it('locks, unlocks, signs out and deletes, in the name of the operator; a reader does none of it', async () => {
    const { cookie } = await enrolled('Radia');
    const reader = await enrolled('Margaret', 'reader');
    const at = `users/${world.user_id}`;
    expect((await post(`${at}/delete`, reader.cookie, { confirm: 'ada@example.com' })).status).toBe(403);
    expect((await get(at, reader.cookie)).text).not.toMatch(/\/lock"|\/delete"/u);
    expect((await post(`${at}/lock`, cookie)).location).toBe(`/operators/${at}?done=locked`);
    expect((await get(`${at}?done=locked`, cookie)).text).toContain('signed out everywhere');
    expect((await post(`${at}/unlock`, cookie)).status).toBe(303);
    await world.provider.signIn('ada@example.com');
    expect((await post(`${at}/sign-out`, cookie)).status).toBe(303);
    const person = await post(`${at}/export`, cookie);
    expect((JSON.parse(person.text) as Fields)['emails']).toEqual([{ email: 'ada@example.com', verified: true }]);
    expect((await post(`${at}/delete`, cookie, { confirm: 'delete' })).status).toBe(400);
    expect((await post(`${at}/delete`, cookie, { confirm: 'ada@example.com' })).status).toBe(303);
    expect((await get(at, cookie)).status).toBe(404);
    expect(await events()).toEqual(
      expect.arrayContaining(
        ['user_locked', 'user_unlocked', 'sessions_revoked', 'user_exported', 'user_deleted'].map(
          (each) => `${each} Radia`,
        ),
      ),
    );
    for (const page of ['clients', 'outbox?state=dead', 'audit?outcome=refused', 'people']) {
      expect((await get(page, cookie)).status).toBe(200);
    }
    expect((await post('outbox/retry', cookie)).status).toBe(303);
  });

  it('makes, rotates and deletes clients; shows each secret once', async () => {
    const { cookie } = await enrolled('Frances');
    const given = { client_name: HOSTILE, client_type: 'first_party', redirect_urls: 'https://a.example.com/cb\r\n' };
    const wrong = await post('clients', cookie, { ...given, redirect_urls: 'x' });
    expect([wrong.status, wrong.text.includes('<script>alert')]).toEqual([400, false]);
    expect(wrong.text).toMatch(/aria-invalid="true"[\s\S]*id="redirect_urls-wrong"[\s\S]*must be an https URL/u);
    const secretIn = ({ text }: { readonly text: string }) => /class="secret">([\w-]{43})</u.exec(text)?.[1] ?? '';
    const made = await post('clients', cookie, given);
    const client_id = /connected-app-test-[\w-]+/u.exec(made.text)?.[0] ?? '';
    const at = `clients/${client_id}`;
    const next = await post(`${at}/rotate`, cookie);
    expect([made, next].map(({ headers }) => headers.get('cache-control'))).toEqual(['no-store', 'no-store']);
    expect((await post(`${at}/rotate`, cookie)).status).toBe(400);
    const { text } = await get(at, cookie);
    expect(text).toContain(`…${secretIn(made).slice(-4)} and a next one`);
    expect(text).not.toContain('<script>alert');
    for (const secret of [secretIn(made), secretIn(next)])
      expect([secret.length, text.includes(secret)]).toEqual([43, false]);
    const end = async (step: string, confirm_rotation: string) =>
      post(`${at}/end-rotation`, cookie, { step, confirm_rotation });
    expect((await end('finish', 'x')).status).toBe(400);
    expect((await end('finish', client_id)).location).toBe(`/operators/${at}?done=finished`);
    expect((await get(at, cookie)).text).toContain(`…${secretIn(next).slice(-4)}`);
    await post(`${at}/rotate`, cookie);
    expect((await end('cancel', client_id)).status).toBe(303);
    expect((await post(`${at}/delete`, cookie, { confirm: 'x' })).text).toContain('id="confirm-wrong"');
    expect((await post(`${at}/delete`, cookie, { confirm: client_id })).status).toBe(303);
    expect((await get(at, cookie)).status).toBe(404);
    const written = (await events()).filter((each) => each.endsWith(' Frances') && each.startsWith('client_'));
    const rotations = Array.from({ length: 4 }, () => 'client_secret_rotated Frances');
    expect(written).toEqual(['client_created Frances', ...rotations, 'client_deleted Frances']);
  });

  it('rotates keys, purges messages and imports lines after a check; a reader does none of it', async () => {
    const { cookie } = await enrolled('Hedy');
    const reader = await enrolled('Mary', 'reader');
    const send = async (fields: Sendable) => upload('import', cookie, fields);
    for (const page of ['users', 'clients', 'keys', 'outbox', 'people']) {
      expect((await get(page, reader.cookie)).text).not.toMatch(/"post" action="(?!\/operators\/logout)|\/import"/u);
    }
    expect((await post('keys/rotate', cookie, { purpose: 'x' })).status).toBe(400);
    for (const purpose of ['apps', 'sessions'])
      expect((await post('keys/rotate', cookie, { purpose })).status).toBe(303);
    expect((await get('keys', cookie)).text.match(/<strong>signs<\/strong>/gu)).toHaveLength(2);
    await world.provider.services.db.updateTable('outbox').set({ state: 'dead' }).execute();
    const purge = async (final_state: string, confirm: string) =>
      (await post('outbox/purge', cookie, { final_state, confirm })).status;
    expect([await purge('dead', 'sent'), await purge('waiting', 'waiting')]).toEqual([400, 400]);
    expect((await get('outbox', cookie)).text).toContain('<strong>dead</strong>');
    expect(await purge('dead', 'dead')).toBe(303);
    expect((await get('outbox', cookie)).text).not.toContain('<strong>dead</strong>');
    const lines = ['{"emails":[{"email":"z@xn--mnchen-3ya.example"}]}', '', '{"external_id":"x-9","secret":"hunter2"}'];
    const wrong = await send({ lines: lines.join('\r\n'), step: 'import' });
    expect(wrong.text).toMatch(/id="lines-wrong"[^>]*>\s*<li>line 3: secret must be left out/u);
    expect((await send({ lines: `</textarea>${HOSTILE}` })).text).not.toContain('<script>alert');
    const file = new Blob(lines.slice(0, 1));
    expect((await send({ lines: 'x', file, step: 'check' })).text).toContain('1 line is in order');
    const found = async () => (await get('users?text=M%C3%BCnchen', cookie)).text.includes('>z@xn--mnchen-3ya.');
    expect(await found()).toBe(false);
    for (const said of ['1 imported, 0 were there', '0 imported, 1 was there']) {
      expect((await send({ file, step: 'import' })).text).toContain(said);
    }
    expect(await found()).toBe(true);
    expect((await send({ file: new Blob([Uint8Array.of(0xff)]) })).text).toContain('UTF-8');
    expect((await send({ lines: '{}\n'.repeat(501) })).text).toContain('at most 500');
    expect((await send({ lines: 'x'.repeat(70_000) })).status).toBe(413);
    expect((await post('import', cookie, { lines: '{}' })).status).toBe(415);
    const acted = ['signing_key_rotated', 'signing_key_rotated', 'messages_purged', 'user_imported'];
    const written = (await events()).filter((each) => each.endsWith(' Hedy'));
    expect(written.slice(1)).toEqual(acted.map((event) => `${event} Hedy`));
  });
});
