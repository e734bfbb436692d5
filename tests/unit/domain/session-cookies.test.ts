import { describe, expect, it } from 'vitest';
import { isWithin, mayUseCookies, onlyUser } from '#domain/rules/session-cookies.ts';

const PAGE = 'https://app.example.com';

describe('the cookies of a request', () => {
  it.each([
    ['a page on another host of the site', { method: 'POST', origin: PAGE, fetchSite: 'same-site' }, true],
    ['a page on the same host', { method: 'POST', origin: PAGE, fetchSite: 'same-origin' }, true],
    ['a page in a browser that says nothing of sites', { method: 'POST', origin: PAGE, fetchSite: undefined }, true],
    ['a page on the same host, which reads', { method: 'GET', origin: undefined, fetchSite: 'same-origin' }, true],
    ['a page on another host without an Origin', { method: 'GET', origin: undefined, fetchSite: 'same-site' }, false],
    ['another site', { method: 'POST', origin: PAGE, fetchSite: 'cross-site' }, false],
    ['a navigation', { method: 'GET', origin: undefined, fetchSite: 'none' }, false],
    ['a write without an Origin', { method: 'POST', origin: undefined, fetchSite: 'same-origin' }, false],
    ['a program', { method: 'GET', origin: undefined, fetchSite: undefined }, false],
  ])('of %s', (_who, sender, may) => {
    const isSameSite = sender.fetchSite === undefined || sender.fetchSite.startsWith('same-');
    expect(mayUseCookies(sender, { serves: 'calls', lists: () => isSameSite, isOwn: () => false })).toBe(may);
  });

  describe('of an app with pages', () => {
    const APP = {
      serves: 'pages',
      lists: (origin: string) => origin === 'https://admin.example.com',
      isOwn: (origin: string) => origin === PAGE,
    } as const;
    const may = (method: string, origin?: string, fetchSite?: string, upgrades = false) =>
      mayUseCookies({ method, origin, fetchSite, upgrades }, APP);

    it('count for every read, which a page of another site may cause and cannot see', () => {
      for (const method of ['GET', 'HEAD', 'OPTIONS']) {
        for (const site of [undefined, 'none', 'same-origin', 'same-site', 'cross-site']) {
          for (const origin of [undefined, 'null', PAGE, 'https://evil.example.com']) {
            expect(may(method, origin, site)).toBe(true);
          }
        }
      }
    });

    it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'CONNECT', 'PROPFIND', 'get', '', 'upgrade'])(
      'count for a change by %s when one of its own pages or a listed one sent it',
      (name) => {
        const [method, upgrades] = name === 'upgrade' ? ['GET', true] : [name, false];
        const of = (origin?: string, site?: string) => may(method, origin, site, upgrades);
        expect([of(PAGE, 'same-origin'), of(undefined, 'same-origin'), of(undefined, 'none')]).toEqual([
          true,
          true,
          true,
        ]);
        // By the browser's word alone, where a proxy gives the server another name.
        expect(of('https://app.internal.example', 'same-origin')).toBe(true);
        expect([of(PAGE), of('https://admin.example.com'), of('https://admin.example.com', 'same-site')]).toEqual([
          true,
          true,
          true,
        ]);
        for (const origin of [undefined, 'null', PAGE, 'https://evil.example.com']) {
          for (const site of ['same-site', 'cross-site', 'same-origin, cross-site', 'SAME-ORIGIN', '']) {
            expect(of(origin, site), `${origin} ${site}`).toBe(false);
          }
        }
        for (const origin of [undefined, 'null', 'https://evil.example.com', `${PAGE}.evil.example`]) {
          expect(of(origin), String(origin)).toBe(false);
        }
        for (const site of [undefined, 'none', 'same-origin']) expect(of('null', site)).toBe(false);
      },
    );
  });

  it('are of the domain and of its subdomains', () => {
    expect(['example.com', 'a.b.example.com'].every((host) => isWithin('example.com', host))).toBe(true);
    expect(['notexample.com', 'com', 'example.com.evil.example'].some((host) => isWithin('example.com', host))).toBe(
      false,
    );
  });

  it('stand for the first session, and for none when they are of two users', () => {
    const [ada, again, grace] = ['ada', 'ada', 'grace'].map((user_id, index) => ({ user_id, index }));
    expect([onlyUser([]), onlyUser([ada, again].flatMap((one) => one ?? []))]).toEqual([undefined, ada]);
    expect(onlyUser([ada, grace].flatMap((one) => one ?? []))).toBe('ambiguous');
  });
});
