import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { differences, differenceText, shownSettings } from '#provider/operation/admin/shown-settings.ts';
import { runCommand } from '#provider/operation/commands/run-command.ts';
import { optionsFrom } from '#provider/operation/options/options.ts';
import { run, type RunningServer } from '#provider/operation/server/run.ts';
import { systemRandom } from '#provider/base/platform.ts';
import { newMasterKey } from '#provider/base/security/master-key.ts';
import { withSecrets } from '#provider/project/readers/secret-text.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { DATABASES, freshStore, PUBLIC_TOKEN, type Fields } from '../kit/harness.ts';

const PAGE = 'https://shop.example';
const FILE: Fields = {
  name: 'Shop',
  public_token: PUBLIC_TOKEN,
  issuer: 'https://auth.shop.example',
  origins: [PAGE],
  redirect_urls: [`${PAGE}/in`],
  clients: [{ client_id: 'planner', client_type: 'public', name: 'Planner', redirect_uris: [`${PAGE}/cb`] }],
  captcha_settings: { enabled: true, siteKey: 'site', provider: 'turnstile', secret: 'canary-captcha' },
  oauth_clients: { google: { client_id: 'shop', client_secret: 'canary-google' } },
};

const pem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const signing = (letter: string): string => `whsec_${Buffer.from(letter.repeat(24)).toString('base64')}`;

describe('settings that are shown', () => {
  const key = 'a key of both sides';
  const shown = (fields: Fields): unknown => {
    const { value, secrets } = withSecrets(() => projectFrom({ ...FILE, ...fields }));
    return shownSettings(value, secrets, key);
  };
  const compared = (before: Fields, after: Fields): readonly string[] =>
    differences(shown(before), shown(after)).map(differenceText);

  it('hold no secret of any kind, and everything else', () => {
    const dkim = pem(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey);
    const apples = pem(generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey);
    const text = JSON.stringify(
      shown({
        delivery: {
          smtp: {
            url: 'smtps://shop:canary-smtp@mail.example',
            from: 'login@shop.example',
            dkim: { domain: 'shop.example', selector: 'one', private_key: dkim },
          },
          sms: { gateway: 'webhook', url: 'https://sms.example/in', secret: signing('a') },
          whatsapp: {
            gateway: 'twilio',
            account_sid: `AC${'1'.repeat(32)}`,
            auth_token: 'canary-twilio',
            from: '+14155550100',
          },
        },
        webhooks: [{ url: 'https://shop.example/hooks', secret: [signing('b'), signing('c')] }],
        hooks: { sign_up: { url: 'https://shop.example/ask', secret: signing('d') } },
        password_check: { url: 'https://old.example/check', secret: signing('e') },
        audit_stream: { url: 'https://logs.example/in', secret: signing('f'), authorization: 'Bearer canary-audit' },
        oauth_clients: {
          google: { client_id: 'shop', client_secret: 'canary-google' },
          apple: {
            client_id: 'shop',
            team_id: 'A'.repeat(10),
            key_id: 'B'.repeat(10),
            private_key: apples.replaceAll('\n', '\\n'),
          },
        },
        operator_login: {
          issuer: 'https://sso.acme.example',
          client_id: 'ops',
          client_secret: 'canary-operators',
          roles: { staff: 'support' },
        },
        trusted_auth_token_profiles: [
          {
            profile_id: 'old',
            issuer: 'old',
            audience: 'shop',
            shared_secret: `canary-shared-${'x'.repeat(32)}`,
            email_domains: ['*'],
          },
        ],
      }),
    );
    for (const secret of ['canary', 'PRIVATE KEY', ...['a', 'b', 'c', 'd', 'e', 'f'].map(signing)]) {
      expect([secret, text.includes(secret)]).toEqual([secret, false]);
    }
    expect(text.match(/"\$secret"/gu)).toHaveLength(15);
    for (const plain of ['login@shop.example', 'https://sms.example/in', 'https://logs.example/in', '+14155550100']) {
      expect([plain, text.includes(plain)]).toEqual([plain, true]);
    }
  });

  it.each<readonly [string, Fields, Fields, readonly string[]]>([
    ['nothing', {}, {}, []],
    ['a text', {}, { name: 'Store' }, ['name: "Shop" → "Store"']],
    [
      'a list of texts',
      {},
      { origins: [PAGE, 'https://b.example'] },
      [`origins: ["${PAGE}"] → ["${PAGE}","https://b.example"]`],
    ],
    [
      'an object of a list',
      {},
      { clients: [{ ...FILE['clients'][0], name: 'Plans' }] },
      ['clients[0].name: "Planner" → "Plans"'],
    ],
    [
      'an object that is added',
      { webhooks: [] },
      { webhooks: [{ url: 'https://shop.example/hooks', secret: signing('a') }] },
      ['webhooks[0]: absent → {"url":"https://shop.example/hooks","secret":["(a secret)"],"events":null}'],
    ],
    [
      'a secret',
      {},
      { captcha_settings: { ...FILE['captcha_settings'], secret: 'canary-other' } },
      ['captcha_settings.secret differs'],
    ],
    [
      'a secret of a list',
      { webhooks: [{ url: 'https://shop.example/hooks', secret: [signing('a')] }] },
      { webhooks: [{ url: 'https://shop.example/hooks', secret: [signing('b'), signing('a')] }] },
      ['webhooks[0].secret[0] differs', 'webhooks[0].secret[1]: absent → "(a secret)"'],
    ],
  ])('are compared by field: %s', (_, before, after, lines) => {
    expect(compared(before, after)).toEqual(lines);
  });
});

describe.each(DATABASES)('the command check --diff, on %s', (_, url) => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-diff-'));
  const data = join(folder, 'data');
  const file = (name: string, fields: Fields = {}): string => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify({ ...FILE, ...fields }));
    return path;
  };
  const path = file('portico.json');
  let place: readonly string[] = ['--data', data];
  let server: RunningServer;
  let port = '';
  let drop = async (): Promise<void> => undefined;
  beforeAll(async () => {
    const { store, drop: remove } = await freshStore(url);
    drop = remove;
    if (store.kind === 'postgres') place = ['--database-url', store.url];
    server = await run(
      optionsFrom(['--project', path, '--port', '0', '--drain-seconds', '0', '--log-level', 'silent', ...place]),
    );
    ({ port } = new URL(server.url));
  });
  afterAll(async () => {
    await server.stop();
    await drop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What the command prints, with the error at the end. */
  async function checked(
    project: string,
    env = process.env,
    at = ['--port', port, ...place],
  ): Promise<readonly string[]> {
    const lines: string[] = [];
    const words = ['check', '--diff', '--project', project, ...at];
    const end = await runCommand(words, (line) => void lines.push(line), env).catch(
      (error: unknown) => `! ${error instanceof Error ? error.message : ''}`,
    );
    return [...lines, end];
  }

  it('finds no difference in the file of the server, and each one in another file, without secrets', async () => {
    const here = `http://127.0.0.1:${port}`;
    expect(await checked(path)).toEqual([`The server at ${here} has the settings of ${path}.`]);
    const right = file('right.json', {
      name: 'Store',
      issuer: 'https://login.shop.example',
      oauth_clients: { google: { client_id: 'store', client_secret: 'canary-new' } },
    });
    expect(await checked(right)).toEqual([
      'name: "Shop" → "Store"',
      'issuer: "https://auth.shop.example" → "https://login.shop.example" (needs a new start)',
      'oauth_clients.google.client_id: "shop" → "store"',
      'oauth_clients.google.client_secret differs',
      `! Settings in which the server at ${here} differs from ${right}: 4.`,
    ]);
  });

  it('compares with the settings after a reload, and with the variables that override the file', async () => {
    file('portico.json', { name: 'Store' });
    await server.reload?.();
    expect(await checked(path)).toEqual([expect.stringContaining('has the settings of')]);
    const mail = { PORTICO_SMTP_URL: 'smtps://shop:canary-smtp@mail.example', PORTICO_MAIL_FROM: 'login@shop.example' };
    expect(await checked(path, { ...process.env, ...mail })).toEqual([
      expect.stringMatching(/^delivery\.smtp: null → \{.*"url":"\(a secret\)","from":"login@shop\.example"\}$/u),
      expect.stringMatching(/^! Settings in which .*: 1\.$/u),
    ]);
    file('portico.json');
    await server.reload?.();
  });

  it('shows the settings to nobody without the secret, to no page and to no proxy', async () => {
    const refused = async (headers: Readonly<Record<string, string>>): Promise<unknown> => {
      const reply = await fetch(`http://127.0.0.1:${port}/admin/settings`, { headers });
      const { error_type } = (await reply.json()) as Fields;
      return [reply.status, error_type];
    };
    expect(await refused({})).toEqual([401, 'admin_secret_required']);
    expect(await refused({ authorization: `Bearer ${newMasterKey(systemRandom)}` })).toEqual([
      401,
      'admin_secret_required',
    ]);
    expect(await refused({ origin: PAGE })).toEqual([403, 'unregistered_origin']);
    expect(await refused({ 'x-forwarded-for': '203.0.113.7' })).toEqual([403, 'unauthorized_action']);
  });

  it.runIf(url !== undefined)('says that the key is another one, and that the port is missing', async () => {
    const other = { ...process.env, PORTICO_KEY: newMasterKey(systemRandom) };
    expect(await checked(path, other)).toEqual([expect.stringMatching(/^! The server at .* has another key/u)]);
    expect(await checked(path, process.env, ['--port', '0', ...place])).toEqual([
      expect.stringMatching(/^! --diff asks the server of this machine\. Give/u),
    ]);
    const elsewhere = await checked(path, process.env, ['--host', '203.0.113.7', ...place]);
    expect(elsewhere).toEqual([expect.stringMatching(/it must also listen on loopback\.$/u)]);
  });

  it('says why there is no server to compare with', async () => {
    const memory = checked(path, {}, ['--data', 'memory']);
    expect(await memory).toEqual([
      '! Data in memory belongs to one process: --diff needs a server with --data DIR or --database-url.',
    ]);
    await server.stop();
    const reason = url === undefined ? /^! No server of this machine uses the data in / : /^! No server answers at /u;
    expect(await checked(path)).toEqual([expect.stringMatching(reason)]);
  });
});
