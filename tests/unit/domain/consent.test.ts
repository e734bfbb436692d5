import { describe, expect, it } from 'vitest';
import { clientNameOf, defaultLists, hostOf, listsFrom, scopeVerdict } from '../../../src/domain/consent.ts';

const named = (client_name: unknown, uri = 'https://app.example/callback') => clientNameOf({ client_name }, uri);

describe('what an app is called', () => {
  it('is its own name, else the host name of its address, else nothing', () => {
    expect(named('Planner')).toBe('Planner');
    for (const none of ['', '  \n ', undefined, null, 7, {}, '\u202E']) expect(named(none)).toBe('app.example');
    for (const client of [null, undefined, 'Planner', []]) {
      expect(clientNameOf(client, 'https://app.example/callback')).toBe('app.example');
    }
    for (const uri of ['', 'javascript:alert(1)', 'data:text/html,x', 'app.example', 'com.example.app:/callback']) {
      expect([named('', uri), hostOf(uri)]).toEqual([null, null]);
    }
  });

  it('is the host that an address really leads to', () => {
    expect(named('', 'https://good.example@evil.example/')).toBe('evil.example');
    expect(named('', 'https://xn--pple-43d.com/')).toBe('xn--pple-43d.com');
    expect(named('', 'https://аpple.com/')).toBe('xn--pple-43d.com');
    expect(hostOf('http://localhost:3001/callback')).toBe('localhost:3001');
  });

  it('cannot turn the line around, break it or fill the page', () => {
    expect(named('Plan\u202Ener\u2066\u200F')).toBe('Planner');
    expect(named('Planner\r\n\u0000  wants\u200B nothing')).toBe('Planner wants nothing');
    const long = named('x'.repeat(200_000));
    expect(long).toHaveLength(121);
    expect(named('نام‌ها')).toBe('نام‌ها');
    expect(named('👩‍💻')).toBe('👩‍💻');
  });
});

describe('what the server says of scopes', () => {
  it('counts for those that were asked for; without a description a scope stands for itself', () => {
    const results = [
      { scope: 'openid', is_grantable: true, description: 'Sign you in' },
      { scope: 'a', is_grantable: false, description: ' ' },
      { scope: 'b', is_grantable: true, description: 7 },
      { scope: 'more', is_grantable: true, description: 'More' },
      { scope: 7, is_grantable: true, description: 'Seven' },
    ];
    expect(scopeVerdict(results, ['openid', 'a', 'b'])).toEqual({
      grantable: [
        { scope: 'openid', description: 'Sign you in' },
        { scope: 'b', description: 'b' },
      ],
      ungrantable: [{ scope: 'a', description: 'a' }],
    });
  });

  it('names the standard ones, and words the others by their descriptions', () => {
    const scopes = [
      { scope: 'offline_access', description: 'whatever' },
      { scope: 'read:documents', description: 'Read your documents' },
    ];
    expect(defaultLists(scopes)).toEqual([
      { header: null, entries: [{ scope: 'offline_access' }, { text: 'Read your documents' }] },
    ]);
  });
});

describe('a host’s manifest', () => {
  it('is a list of items or of sections, never both and never empty', () => {
    expect(listsFrom(['a'])).toEqual([{ header: null, entries: [{ text: 'a' }] }]);
    const given = [
      { scope: 'openid', description: '' },
      { scope: 'read:plans', description: 'Read your plans' },
    ];
    expect(listsFrom([{ scope: 'openid', description: 'openid' }, given[1]])).toEqual([
      { header: null, entries: [{ scope: 'openid' }, { text: 'Read your plans' }] },
    ]);
    expect(listsFrom(given)).toBeNull();
    expect(listsFrom([{ header: '', items: ['a'] }])).toHaveLength(1);
    for (const value of [null, [], [[]], ['a', { header: 'h', items: ['b'] }], { length: 1 }]) {
      expect(listsFrom(value)).toBeNull();
    }
  });
});
