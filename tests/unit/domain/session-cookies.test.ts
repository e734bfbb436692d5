import { describe, expect, it } from 'vitest';
import { isWithin, mayUseCookies, onlyUser } from '../../../src/domain/rules/session-cookies.ts';

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
    expect(mayUseCookies(sender)).toBe(may);
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
