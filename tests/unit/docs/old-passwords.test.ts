import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Express } from 'express';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { importUser } from '#provider/operation/operators/users/import-users.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { ANY_DATABASE, makeProvider, type Fields, type Provider } from '../../../provider/tests/kit/harness.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { exampleNamed } from './examples.ts';

type Check = (claim: Fields) => Promise<boolean>;
interface Samples {
  passwordCheck(check: Check, secret: string): Express;
  fromCognito(pool: { userPoolId: string; clientId: string; send: (input: Fields) => Promise<object> }): Check;
  fromLdap(
    connect: () => { bind(dn: string, password: string): Promise<void>; unbind(): Promise<void> },
    base: string,
  ): Check;
}

const FILES = ['password-check.ts', 'from-cognito.ts', 'from-ldap.ts'];
const SECRET = 'whsec_c2VjcmV0LW9mLXRoZS1wYXNzd29yZC1jaGVjaw==';
const PASSWORD = 'tumbling-lanterns-over-quiet-water-41';
mkdirSync(join(ROOT, '.cache'), { recursive: true });
const dir = mkdtempSync(join(ROOT, '.cache/docs-passwords-'));
let samples: Samples;
let provider: Provider | undefined;
let server: Server | undefined;

beforeAll(async () => {
  for (const file of FILES) writeFileSync(join(dir, file), exampleNamed(file).source);
  const modules = await Promise.all(
    FILES.map((file) => import(/* @vite-ignore */ pathToFileURL(join(dir, file)).href)),
  );
  samples = Object.assign({}, ...modules) as Samples;
});
afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  await provider?.close();
  [server, provider] = [undefined, undefined];
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** The provider with one imported user, and the server of the page. */
async function start(check: Check) {
  const app = createServer(samples.passwordCheck(check, SECRET));
  server = app;
  await new Promise<void>((ready) => void app.listen(0, '127.0.0.1', ready));
  const url = `http://localhost:${(app.address() as AddressInfo).port}/password-check`;
  const project = projectFrom({ password_check: { url, secret: SECRET } });
  const made = await makeProvider(ANY_DATABASE, { project, clock: { now: () => Date.now() } });
  provider = made;
  const line = {
    external_id: 'ada',
    emails: [{ email: 'ada@example.com', verified: true }],
    password: { elsewhere: true },
  };
  await importUser(made.services, line, { name: 'Grace', address: null, request_id: null });
  const logIn = async (password: string) =>
    (await made.post('/passwords/authenticate', { email: 'ada@example.com', password, session_duration_minutes: 60 }))
      .status;
  return { url, logIn };
}

const named = (name: string): Error => Object.assign(new Error(name), { name });

/** The answers of the far system, for the user `ada` with the right password. */
const cognito = (right: object) => async (input: Fields) => {
  const { USERNAME, PASSWORD: password } = input['AuthParameters'] as Fields;
  if (USERNAME !== 'ada') throw named('UserNotFoundException');
  if (password === 'too often') throw named('TooManyRequestsException');
  if (password !== PASSWORD) throw named('NotAuthorizedException');
  return Promise.resolve(right);
};

function directory() {
  const names: string[] = [];
  const connect = () => ({
    bind: (dn: string, password: string) => {
      names.push(dn);
      // As a directory does: any name with an empty password is an anonymous bind.
      if (password === '' || (dn === 'uid=ada,ou=people,dc=example' && password === PASSWORD)) return Promise.resolve();
      return Promise.reject(password === 'too often' ? named('BusyError') : named('InvalidCredentialsError'));
    },
    unbind: () => Promise.resolve(),
  });
  return { names, connect };
}

describe('the page about passwords that the old system keeps', () => {
  const pool = { userPoolId: 'eu-central-1_AbCdEfGhI', clientId: '4k2example' };
  const SYSTEMS: readonly (readonly [string, () => Check])[] = [
    ['Cognito', () => samples.fromCognito({ ...pool, send: cognito({ AuthenticationResult: { IdToken: 'x' } }) })],
    [
      'Cognito with a second factor',
      () => samples.fromCognito({ ...pool, send: cognito({ ChallengeName: 'SMS_MFA' }) }),
    ],
    ['a directory', () => samples.fromLdap(directory().connect, 'ou=people,dc=example')],
  ];

  it.each(SYSTEMS)('%s: a right password comes in once by it, then without it', async (_name, check) => {
    const { logIn } = await start(check());
    expect(await logIn('wrong')).toBe(401);
    expect(await logIn('')).not.toBe(200);
    expect(await logIn('too often')).toBe(503);
    expect(await logIn(PASSWORD)).toBe(200);
    server?.closeAllConnections();
    server?.close();
    expect(await logIn(PASSWORD)).toBe(200);
  });

  it('a temporary password of Cognito is none', async () => {
    const check = samples.fromCognito({ ...pool, send: cognito({ ChallengeName: 'NEW_PASSWORD_REQUIRED' }) });
    expect(await check({ email: 'ada@example.com', external_id: 'ada', password: PASSWORD })).toBe(false);
  });

  it('a directory sees one name, whatever is in it, and no empty password', async () => {
    const { names, connect } = directory();
    const check = samples.fromLdap(connect, 'ou=people,dc=example');
    expect(await check({ email: 'x', external_id: 'ada,ou=admins', password: 'x' })).toBe(false);
    expect(await check({ email: ' a+b=c"<>;\\#', external_id: null, password: 'x' })).toBe(false);
    expect(await check({ email: 'x', external_id: 'ada', password: '' })).toBe(false);
    expect(names).toEqual([
      'uid=ada\\2cou\\3dadmins,ou=people,dc=example',
      'uid=\\20a\\2bb\\3dc\\22\\3c\\3e\\3b\\5c#,ou=people,dc=example',
    ]);
  });

  it('refuses requests without the provider’s signature', async () => {
    const { url } = await start(() => Promise.resolve(true));
    const body = JSON.stringify({ email: 'ada@example.com', password: PASSWORD });
    const headers = { 'content-type': 'application/json', 'webhook-id': 'x', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)), 'webhook-signature': 'v1,AAAA' }; // prettier-ignore
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(401);
  });
});
