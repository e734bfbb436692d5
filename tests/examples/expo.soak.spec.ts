import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDeps } from '#scripts/ensure-deps.mjs';
import { ROOT } from '#scripts/lib/root.mjs';
import { expect, test } from '../e2e/fixtures.ts';
import { newAddress } from '../e2e/visitor.ts';
import { HAS_HERMES, Hermes, type StoredValue } from '../hermes/hermes.ts';
import { installExample, runCommand } from './kit/example.ts';
import { skipOnOlderNode } from './kit/node-version.ts';

skipOnOlderNode('expo');

// Both tests use the folder in which the example is installed.
test.describe.configure({ mode: 'default' });

const CREDENTIALS =
  'project-test-d1e70000-0000-4000-8000-000000000000:secret-test-d1e70000-0000-4000-8000-000000000000';
const SESSION = '{ session_duration_minutes: 60 }';
const EMAIL = 'client.user.getSync().emails[0].email';
const OFFLINE = { EXPO_OFFLINE: '1', EXPO_NO_TELEMETRY: '1', CI: '1' };

async function installApp(): Promise<string> {
  const folder = (await installExample('expo')) ?? '';
  // What portico depends on is not below the example, as it is after `npm install`, but among the repository's packages.
  writeFileSync(
    join(folder, 'metro.config.js'),
    `const config = require('expo/metro-config').getDefaultConfig(__dirname);
     config.watchFolders.push(${JSON.stringify(join(ROOT, 'node_modules'))});
     module.exports = config;`,
  );
  return folder;
}

test('the example expo is bundled for a phone, and compiled to the bytecode of its Hermes', async () => {
  const folder = await installApp();
  await runCommand(folder, ['typescript/bin/tsc'], OFFLINE);
  const output = await runCommand(
    folder,
    ['expo/bin/cli', 'export', '--platform', 'android', '--output-dir', 'dist'],
    OFFLINE,
  );
  expect(output).toMatch(/_expo\/static\/js\/android\/\S+\.hbc/u);
});

test('the example expo signs in, stays signed in and signs out in Hermes, without a page', async ({
  inbox,
  providerUrl,
}) => {
  test.skip(!HAS_HERMES, 'there is no program of Hermes for this machine');
  const folder = await installApp();
  await ensureDeps(join(ROOT, 'tests/hermes'));
  copyFileSync(join(ROOT, 'tests/hermes/entry.js'), join(folder, 'entry.js'));
  const args = [
    '--platform',
    'android',
    '--dev',
    'false',
    '--minify',
    'false',
    '--entry-file',
    'entry.js',
    '--bundle-output',
    'bundle.js',
  ];
  await runCommand(folder, ['expo/bin/cli', 'export:embed', ...args], OFFLINE);
  const bundle = readFileSync(join(folder, 'bundle.js'), 'utf8');

  const stored: StoredValue = { secrets: new Map(), storage: new Map() };
  const settings = {
    publicToken: 'public-token-test-d1e70000-0000-4000-8000-000000000000',
    apiUrl: providerUrl,
    site: 'http://localhost:3000',
  };
  const start = () => new Hermes({ bundle, stored, settings });
  let app = start();
  try {
    expect(
      await app.run('[typeof document, typeof localStorage, typeof BroadcastChannel, typeof crypto, typeof navigator]'),
    ).toEqual(Array.from({ length: 5 }, () => 'undefined'));
    const address = newAddress();
    const sent = (await app.run(`client.otps.email.loginOrCreate('${address}')`)) as { readonly method_id: string };
    const signIn = (code: string) => `client.otps.authenticate('${code}', '${sent.method_id}', ${SESSION})`;
    await expect(app.run(signIn('000000'))).rejects.toMatchObject({ error_type: 'otp_code_not_found' });
    await app.run(signIn(await inbox.codeFor(address)));
    expect(await app.run(EMAIL)).toBe(address);
    // The tokens are with the secrets alone.
    const tokens = Object.values((await app.run('client.session.getTokens()')) as Readonly<Record<string, string>>);
    expect(tokens).toHaveLength(2);
    for (const token of tokens) {
      expect([...stored.secrets.values()].join(' ')).toContain(token);
      expect([...stored.storage.values()].join(' ')).not.toContain(token);
    }

    // The app is started anew: who is signed in is known at once, and the server confirms it.
    app.stop();
    app = start();
    expect(await app.run(EMAIL)).toBe(address);
    await app.run(`client.session.authenticate(${SESSION})`);
    await app.run("client.user.update({ name: { first_name: 'Ada' } })");
    expect(await app.run('client.user.get().then(({ name }) => name.first_name)')).toBe('Ada');
    const other = `{ email: '${newAddress()}', password: 'password' }`;
    expect(await app.run(`client.passwords.strengthCheck(${other})`)).toMatchObject({ valid_password: false });

    // A social login opens the system's browser, with a proof key; a passkey is refused.
    await app.run("client.oauth.github.start({ login_redirect_url: 'http://localhost:3000/authenticate' })");
    const opened = new URL(app.opened[0] ?? '');
    expect(opened.origin).toBe(new URL(providerUrl).origin);
    expect(opened.searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/u);
    await expect(app.run('client.webauthn.register({ is_passkey: true })')).rejects.toMatchObject({
      name: 'NotSupportedError',
    });

    // Somebody ends the session elsewhere: the app finds out when it comes back to the front after some minutes.
    const { session_id } = (await app.run('client.session.getSync()')) as { readonly session_id: string };
    const reply = await fetch(`${providerUrl}/v1/sessions/revoke`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(CREDENTIALS)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ session_id }),
    });
    expect(reply.status).toBe(200);
    await app.run('void ((now) => (Date.now = () => now() + 240_000))(Date.now)');
    app.activate();
    await expect.poll(() => app.run('client.user.getSync()')).toBeNull();
    expect(stored.secrets.size).toBe(0);
    expect(app.logged).toEqual([]);
  } finally {
    app.stop();
  }
});
