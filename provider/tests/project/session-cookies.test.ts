import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { exampleNamed } from '#tests/unit/docs/examples.ts';
import { readyText } from '#provider/operation/server/run.ts';
import { projectFrom } from '#provider/project/settings/project.ts';

const PUBLIC = {
  issuer: 'https://api.example.com',
  origins: ['https://app.example.com'],
  redirect_urls: ['https://app.example.com/'],
  default_login_redirect_url: 'https://app.example.com/',
  default_signup_redirect_url: 'https://app.example.com/',
};
const names = (token: string, jwt: string): object => ({ names: { token, jwt } });

describe('session_cookies in a project file', () => {
  it('is off, and complete when it is on', () => {
    expect(projectFrom({}).session_cookies.http_only).toBe(false);
    const session_cookies = { http_only: true, domain: 'example.com' };
    expect(projectFrom({ ...PUBLIC, session_cookies }, false).session_cookies).toEqual({
      ...session_cookies,
      same_site: 'lax',
      names: { token: 'stytch_session', jwt: 'stytch_session_jwt' },
      device_bound: 'off',
    });
  });

  it('is as the documentation shows it', () => {
    const { session_cookies } = projectFrom(JSON.parse(exampleNamed('session-cookies.json').source), false);
    expect(session_cookies).toMatchObject({ http_only: true, domain: 'example.com' });
    const bound = projectFrom(JSON.parse(exampleNamed('bound-sessions.json').source), false);
    expect(bound.session_cookies).toMatchObject({ http_only: true, device_bound: 'origin' });
  });

  it('is printed at the start when it is on, as the documentation shows it', () => {
    const local = JSON.parse(exampleNamed('local-session-cookies.json').source) as object;
    const [off = '', on = ''] = [projectFrom({}), projectFrom(local)].map((project) =>
      readyText({ url: 'http://localhost:4100', project, inboxUrl: 'http://localhost:4100/dev/inbox' }),
    );
    expect(off).not.toContain('HttpOnly');
    expect(on).toBe(`${off}session cookies HttpOnly, SameSite=lax, for pages and this API on hosts of localhost\n`);
    expect(readFileSync(join(ROOT, 'docs/http-only-sessions.md'), 'utf8')).toContain(`\n\`\`\`text\n${on}\`\`\`\n`);
  });

  it.each([
    ['the host of the server itself', { domain: 'api.example.com' }, { origins: ['https://api.example.com'] }],
    ['SameSite=Strict', { same_site: 'strict' }, {}],
    ['names with the prefix __Secure-', names('__Secure-s', '__Secure-j'), {}],
    ['this machine', { domain: 'localhost' }, { issuer: null, origins: [] }],
    ['hosts of this machine', { domain: 'shop.localhost' }, { issuer: 'http://api.shop.localhost:1', origins: [] }],
  ])('can be for %s', (_what, fields, project) => {
    const session_cookies = { http_only: true, domain: 'example.com', ...fields };
    expect(projectFrom({ ...PUBLIC, ...project, session_cookies }).session_cookies).toMatchObject(fields);
  });

  it.each([
    [{ http_only: 'yes' }, {}, 'session_cookies.http_only must be a boolean'],
    [{ domain: null }, {}, 'session_cookies.domain must be given when http_only is true'],
    [{ domain: '.example.com' }, {}, 'session_cookies.domain must be a domain in lower case'],
    [{ domain: 'com' }, {}, 'session_cookies.domain must be a domain in lower case'],
    [{ domain: '127.0.0.1' }, {}, 'session_cookies.domain must be a domain in lower case'],
    [{ domain: 'example.com; Path=/' }, {}, 'session_cookies.domain must be a domain in lower case'],
    [{ domain: 'other.example' }, {}, 'session_cookies.domain must be the host of issuer or a parent of it'],
    [{ domain: 'ample.com' }, {}, 'session_cookies.domain must be the host of issuer or a parent of it'],
    [{}, { issuer: 'http://api.example.com' }, 'and issuer an https address'],
    [{}, { issuer: null }, 'issuer must be given when http_only is true'],
    [{}, { origins: [...PUBLIC.origins, 'https://shop.example'] }, 'origins[1] must be an https origin on a host of'],
    [{}, { origins: ['http://app.example.com'] }, 'origins[0] must be an https origin on a host of'],
    [{ same_site: 'none' }, {}, 'session_cookies.same_site must be one of lax, strict'],
    [{ secure: false }, {}, 'session_cookies.secure must be left out'],
    [{ device_bound: true }, {}, 'session_cookies.device_bound must be one of off, origin, site'],
    [
      { http_only: false, device_bound: 'site' },
      {},
      'session_cookies.device_bound must be off unless http_only is true',
    ],
    [
      { domain: 'localhost', device_bound: 'origin' },
      { issuer: null, origins: [] },
      'device_bound must be off on this',
    ],
    [names('a b', 'c'), {}, "session_cookies.names.token must be a cookie's name"],
    [names('a', '__Host-b'), {}, "session_cookies.names.jwt must be a cookie's name"],
    [names('a', 'a'), {}, 'session_cookies.names.jwt must be other than names.token'],
    [names('a', 'a_hint'), {}, 'session_cookies.names.jwt must be other than names.token'],
    [
      { domain: 'localhost', ...names('__Secure-a', 'b') },
      { issuer: null, origins: [] },
      'without the prefix __Secure-',
    ],
  ])('%j with %j is refused, and it says why', (fields, project, reason) => {
    const session_cookies = { http_only: true, domain: 'example.com', ...fields };
    expect(() => projectFrom({ ...PUBLIC, ...project, session_cookies })).toThrow(reason);
  });
});
