import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { withOAuthVariables } from '#provider/project/settings/oauth-clients.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { PRODUCTION } from '../kit/foreign-visitor.ts';

const CLIENT = { client_id: 'id', client_secret: 'our-secret' };
const pem = (namedCurve: string): string =>
  generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const KEY = pem('P-256');
const APPLE = { client_id: 'com.example.web', team_id: 'TEAM123456', key_id: 'KEY1234567', private_key: KEY.trim() };

const clientsOf = (oauth_clients: unknown) => projectFrom({ ...PRODUCTION, oauth_clients }, false).oauth_clients;

describe('the clients at social providers in a project file', () => {
  it('are read for each provider, and for further ones by name', () => {
    const sso = { ...CLIENT, issuer: 'https://sso.example.org/realms/staff', email_domains: ['example.org', '*'] };
    expect(clientsOf({ google: CLIENT, microsoft: CLIENT, gitlab: CLIENT, apple: APPLE, 'my-sso': sso })).toEqual({
      google: CLIENT,
      microsoft: { ...CLIENT, tenant: 'common' },
      gitlab: { ...CLIENT, issuer: null, name: null, email_domains: [] },
      apple: APPLE,
      'my-sso': { ...sso, name: null },
    });
  });

  it('are read without the blanks that come along when people paste', () => {
    const blank = (fields: object): object =>
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, `\uFEFF ${String(value)}\u00A0\r\n`]));
    const sso = { ...CLIENT, issuer: 'https://sso.example.org', name: 'Our login' };
    expect(
      clientsOf({ google: blank(CLIENT), apple: blank(APPLE), 'my-sso': { ...blank(sso), name: sso.name } }),
    ).toEqual(clientsOf({ google: CLIENT, apple: APPLE, 'my-sso': sso }));
  });

  it.each<[object, string]>([
    [{ google: { client_id: 'id' } }, 'oauth_clients.google.client_secret must be a text'],
    [{ google: { client_secret: 'our-secret' } }, 'oauth_clients.google.client_id must be'],
    [{ google: { ...CLIENT, client_id: 'two words' } }, 'oauth_clients.google.client_id must be'],
    [{ google: { ...CLIENT, issuer: 'https://x.example' } }, 'oauth_clients.google.issuer must be left out'],
    [{ google: { ...CLIENT, client_secret: { env: 'PORTICO_TEST_NOT_SET' } } }, 'PORTICO_TEST_NOT_SET'],
    [{ microsoft: { ...CLIENT, tenant: '../evil' } }, 'oauth_clients.microsoft.tenant must be'],
    [{ apple: CLIENT }, 'oauth_clients.apple.client_secret must be left out'],
    [{ apple: { ...APPLE, private_key: 'our-secret' } }, 'oauth_clients.apple.private_key must be the contents'],
    [{ apple: { ...APPLE, private_key: pem('P-384') } }, 'oauth_clients.apple.private_key must be the contents'],
    [{ apple: { ...APPLE, team_id: 'short' } }, 'oauth_clients.apple.team_id must be 10'],
    [{ 'my-sso': CLIENT }, 'oauth_clients.my-sso.issuer must be given'],
    [{ 'my-sso': { ...CLIENT, issuer: 'http://sso.example.org' } }, 'oauth_clients.my-sso.issuer must be an https URL'],
    [{ 'my-sso': { ...CLIENT, issuer: 'https://u:our-secret@x.example' } }, 'oauth_clients.my-sso.issuer must be'],
    [
      { 'my-sso': { ...CLIENT, issuer: 'https://x.example', email_domains: ['x.example', '@x.example'] } },
      'oauth_clients.my-sso.email_domains[1] must be a domain',
    ],
    [{ google: { ...CLIENT, email_domains: ['x.example'] } }, 'oauth_clients.google.email_domains must be left out'],
    [{ 'My SSO': CLIENT }, 'oauth_clients must be an object whose names'],
    [JSON.parse('{"__proto__":{}}') as object, 'oauth_clients must be an object whose names'],
    [[], 'oauth_clients must be an object'],
  ])('are refused with the name of the field: %j', (clients, told) => {
    const read = (): unknown => clientsOf(clients);
    expect(read).toThrow(told);
    expect(read).not.toThrow('our-secret');
  });

  it('need the address of this server, which providers compare', () => {
    const { issuer: _issuer, ...nameless } = PRODUCTION;
    expect(() => projectFrom({ ...nameless, oauth_clients: { google: CLIENT } }, false)).toThrow(
      'issuer must be given with oauth_clients',
    );
    // On a developer's machine the address of each request is used.
    expect(projectFrom({ oauth_clients: { google: CLIENT } }).oauth_clients).toEqual({ google: CLIENT });
  });
});

describe('the clients at social providers in the environment', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-clients-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('come before those of the file, field by field', () => {
    const path = join(folder, 'sso');
    writeFileSync(path, 'secret of a file\n');
    vi.stubEnv('PORTICO_OAUTH_GOOGLE_CLIENT_SECRET', 'secret of a variable');
    const json = { ...PRODUCTION, oauth_clients: { google: CLIENT, github: CLIENT } };
    const read = projectFrom(
      withOAuthVariables(json, {
        PORTICO_OAUTH_GOOGLE_CLIENT_SECRET: 'secret of a variable',
        PORTICO_OAUTH_MY_SSO_CLIENT_ID: 'sso',
        PORTICO_OAUTH_MY_SSO_CLIENT_SECRET_FILE: path,
        PORTICO_OAUTH_MY_SSO_ISSUER: 'https://sso.example.org',
        PORTICO_OAUTH_MY_SSO_NAME: 'Example Staff',
        PORTICO_OAUTH_MY_SSO_EMAIL_DOMAINS: 'example.org, käse.example',
        PORTICO_OAUTH_APPLE_CLIENT_ID: '',
        PORTICO_OAUTH_NONSENSE: 'x',
      }),
      false,
    );
    vi.unstubAllEnvs();
    expect(read.oauth_clients).toEqual({
      google: { client_id: 'id', client_secret: 'secret of a variable' },
      github: CLIENT,
      'my-sso': {
        client_id: 'sso',
        client_secret: 'secret of a file',
        issuer: 'https://sso.example.org',
        name: 'Example Staff',
        email_domains: ['example.org', 'käse.example'],
      },
    });
  });

  it('may hold the line breaks of a key as \\n', () => {
    vi.stubEnv('PORTICO_OAUTH_APPLE_PRIVATE_KEY', KEY.replaceAll('\n', '\\n'));
    const read = projectFrom(
      withOAuthVariables(
        { ...PRODUCTION, oauth_clients: { apple: { ...APPLE, private_key: undefined } } },
        { PORTICO_OAUTH_APPLE_PRIVATE_KEY: process.env['PORTICO_OAUTH_APPLE_PRIVATE_KEY'] },
      ),
      false,
    );
    vi.unstubAllEnvs();
    expect(read.oauth_clients.apple?.private_key).toBe(KEY);
  });

  it('are refused when they contradict each other', () => {
    const both = { PORTICO_OAUTH_X_CLIENT_SECRET: 'a', PORTICO_OAUTH_X_CLIENT_SECRET_FILE: '/b' };
    expect(() => withOAuthVariables({}, both)).toThrow('not both');
    const blank = { PORTICO_OAUTH_X_CLIENT_SECRET: ' ', PORTICO_OAUTH_X_NAME: '\uFEFF' };
    expect(withOAuthVariables({}, blank)).toEqual({});
    expect(() => withOAuthVariables({}, { PORTICO_OAUTH_X_CLIENT_ID_FILE: '/b' })).toThrow('only secrets have a file');
  });
});
