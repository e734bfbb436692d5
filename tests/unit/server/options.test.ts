import { describe, expect, it } from 'vitest';
import { createVerifier, SDKUsageError, type VerifierOptions } from '#composition/server.ts';
import { PorticoClient } from '#composition/headless.ts';
import { TestWorld, TOKEN } from '../application/world.ts';
import { withCookies } from './issuer.ts';

const GOOD: VerifierOptions = { projectId: 'project-test-x', apiUrl: 'https://api.example.com' };

function refusalOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    expect(error).toBeInstanceOf(SDKUsageError);
    return (error as SDKUsageError).details;
  }
  return 'accepted';
}

describe('the options of a verifier', () => {
  it.each([
    ['projectId', { projectId: undefined }],
    ['projectId', { projectId: '' }],
    ['projectId', { projectId: '../other' }],
    ['apiUrl', { apiUrl: undefined }],
    ['apiUrl', { apiUrl: 'api example.com' }],
    ['publicToken', { publicToken: undefined }],
    ['secret', { secret: undefined }],
    ['jwksUrl', { jwksUrl: undefined }],
    ['apiUrl', { apiUrl: 'http://api.example.com' }],
    ['apiUrl', { apiUrl: 'https://user:password@api.example.com' }],
    ['apiUrl', { apiUrl: 'https://api.example.com/?a=b' }],
    ['apiUrl', { apiUrl: 'https://api.example.com/#a' }],
    ['serverUrls[0]', { boundSessions: 'check', serverUrls: ['https://app.example.com/#a'] }],
    ['jwksUrl', { jwksUrl: 'file:///keys' }],
    ['publicToken', { publicToken: 'a:b' }],
    ['publicToken', { publicToken: 7 }],
    ['secret', { secret: '' }],
    ['secret', { secret: 'a\nb' }],
    ['cookies', { cookies: true }],
    ['cookies.jwtCookieName', { cookies: { jwtCookieName: 'a;b' } }],
    ['cookies.jwt ', { cookies: { jwt: 'a' } }],
    ['clockToleranceSeconds', { clockToleranceSeconds: 61 }],
    ['clockToleranceSeconds', { clockToleranceSeconds: -1 }],
    ['origins', { origins: 'https://admin.example.com' }],
    ['origins', { origins: ['admin.example.com'] }],
    ['origins', { origins: ['https://admin.example.com/'] }],
    ['origins', { origins: ['https://*.example.com'] }],
    ['origins', { origins: ['null'] }],
    ['origins', { origins: ['javascript:alert(1)'] }],
    ['origins', { origins: ['https://admin.example.com'], csrfProtection: false }],
    ['csrfProtection', { csrfProtection: 'off' }],
    ['timeoutMs', { timeoutMs: 0 }],
    ['timeoutMs', { timeoutMs: Number.NaN }],
    ['fetch', { fetch: 'fetch' }],
    ['adapters', { adapters: 'none' }],
    ['projectID', { projectID: 'x' }],
  ])('are refused by the name of the field: %s', (field, wrong) => {
    const details = refusalOf(() => createVerifier({ ...GOOD, ...wrong } as VerifierOptions));
    expect(details.startsWith(field.trim())).toBe(true);
  });

  it('are read without the blanks that come along in a variable', async () => {
    const asked: unknown[] = [];
    const blank = (text: string): string => `\uFEFF ${text}\u00A0\n`;
    const verifier = createVerifier({
      projectId: blank('project-test-1'),
      apiUrl: blank('https://api.example.com'),
      publicToken: blank('public-token-1'),
      fetch: (url, init) => {
        asked.push([url, new Headers(init.headers).get('authorization')]);
        return Promise.resolve(new Response('{}', { status: 401 }));
      },
    });
    await verifier.authenticateRequest(
      new Request('https://app.example.com', { headers: { cookie: 'stytch_session=a' } }),
    );
    expect(asked).toEqual([
      [expect.stringMatching(/^https:\/\/api\.example\.com\/sdk/u), `Basic ${btoa('public-token-1:a')}`],
    ]);
    const serverUrls = [' https://app.example.com\n'];
    expect(refusalOf(() => createVerifier({ ...GOOD, boundSessions: 'check', serverUrls }))).toBe('accepted');
    const empty = refusalOf(() => createVerifier({ ...GOOD, secret: ' \n' }));
    expect(empty).toBe('secret is empty: is its environment variable set?');
  });

  it('name the option that a misspelled one resembles', () => {
    const misspelled = { projectId: 'x', apiURL: 'https://api.example.com' } as never;
    expect(refusalOf(() => createVerifier(misspelled))).toBe('apiURL is no option. Did you mean apiUrl?');
  });

  it('are refused when there are none', () => {
    for (const none of [undefined, null, 'x']) {
      expect(() => createVerifier(none as never)).toThrow('the options must be an object: { projectId, apiUrl }');
    }
  });

  it('have an API without a path, like those of the client', () => {
    for (const apiUrl of ['http://localhost:4100/sdk/v1/', 'https://app.example.com/auth', 'api.example.com/sdk']) {
      const said = `apiUrl is ${JSON.stringify(apiUrl)}. Give apiUrl an origin such as https://auth.example.com`;
      expect(refusalOf(() => createVerifier({ ...GOOD, apiUrl }))).toBe(said);
      const client = () => new PorticoClient(TOKEN, { apiUrl, adapters: new TestWorld().tab('http://localhost/') });
      expect(refusalOf(client)).toContain(said);
    }
  });

  it('are valid with an address on this machine, and a slash at its end', () => {
    for (const apiUrl of [
      'https://app.example.com/',
      'http://localhost:4100',
      'http://127.0.0.1:4100/',
      'localhost:4100',
      'api.example.com',
    ]) {
      expect(refusalOf(() => createVerifier({ ...GOOD, apiUrl }))).toBe('accepted');
    }
  });
});

describe('a server with http on another host', () => {
  it.each(['http://portico:4100', 'http://portico.default.svc.cluster.local:4100', 'http://10.0.0.7:4100'])(
    'is accepted with allowHttp alone: %s',
    (apiUrl) => {
      const remedy = 'allowHttp: true accepts http';
      expect(refusalOf(() => createVerifier({ ...GOOD, apiUrl }))).toContain(remedy);
      expect(refusalOf(() => createVerifier({ ...GOOD, jwksUrl: `${apiUrl}/keys` }))).toContain(remedy);
      expect(refusalOf(() => createVerifier({ ...GOOD, apiUrl, jwksUrl: `${apiUrl}/keys`, allowHttp: true }))).toBe(
        'accepted',
      );
      const serverUrls = { boundSessions: 'check', serverUrls: [apiUrl], allowHttp: true } as const;
      expect(refusalOf(() => createVerifier({ ...GOOD, ...serverUrls }))).toMatch(/^serverUrls\[0\] must be an https/u);
    },
  );

  it.each(['true', 'false', '1', 1])('is not accepted by %j', (allowHttp) => {
    const options = { ...GOOD, apiUrl: 'http://portico:4100', allowHttp } as never;
    expect(refusalOf(() => createVerifier(options))).toBe('allowHttp must be a boolean');
  });

  it('is still an address without user, query and fragment', () => {
    for (const apiUrl of [
      'http://a:b@portico:4100',
      'http://portico:4100?a',
      'ftp://portico:4100',
      'http://por tico',
    ]) {
      expect(refusalOf(() => createVerifier({ ...GOOD, apiUrl, allowHttp: true }))).toMatch(/^apiUrl must be/u);
    }
  });
});

describe('the requirements of a request', () => {
  const { authenticateRequest } = createVerifier({ ...GOOD, publicToken: 'public-token-test-x' });

  it.each([
    ['roles', { roles: 'admin' }],
    ['roles', { roles: [1] }],
    ['role is no requirement. Did you mean roles?', { role: ['admin'] }],
    ['toString', { toString: 1 }],
    ['resource_id', { permission: {} }],
    ['action', { permission: { resource_id: 'documents' } }],
    ['permission', { permission: 'documents' }],
    ['fresh', { fresh: 'yes' }],
  ])('reject by name when they are wrong: %s', async (field, wrong) => {
    const asked = authenticateRequest(withCookies(''), wrong as never);
    await expect(asked).rejects.toMatchObject({ kind: 'usage', details: expect.stringContaining(field) });
  });

  it('reject when nothing was given to ask the API with', async () => {
    const { authenticateRequest: offline } = createVerifier(GOOD);
    const permission = { resource_id: 'documents', action: 'read' };
    await expect(offline(withCookies(''), { fresh: true })).rejects.toThrow('fresh needs publicToken or secret');
    await expect(offline(withCookies(''), { permission })).rejects.toThrow('permission needs publicToken or secret');
    expect(await offline(withCookies('stytch_session=token'))).toEqual({ status: 'signed-out', reason: 'cannot-ask' });
  });
});
