import { describe, expect, it } from 'vitest';
import {
  accessOfEntry,
  accountOf,
  clientNameOf,
  consentPage,
  defaultLists,
  listsFrom,
  scopeVerdict,
} from '#domain/consent/consent.ts';
import { destinationOf } from '#domain/consent/destination.ts';
import { accessOf } from '#domain/consent/scope-access.ts';

const named = (client_name: unknown, uri = 'https://app.example/callback') => clientNameOf({ client_name }, uri);

describe('the name of an app', () => {
  it('is its own name, else the host name of its address, else nothing', () => {
    expect(named('Planner')).toBe('Planner');
    for (const none of ['', '  \n ', undefined, null, 7, {}, '\u202E']) expect(named(none)).toBe('app.example');
    for (const client of [null, undefined, 'Planner', []]) {
      expect(clientNameOf(client, 'https://app.example/callback')).toBe('app.example');
    }
    for (const uri of ['', 'javascript:alert(1)', 'data:text/html,x', 'app.example']) {
      expect([named('', uri), destinationOf(uri)]).toEqual([null, { host: null, onDevice: false }]);
    }
    expect(named('', 'com.example.app:/callback')).toBeNull();
  });

  it('is the host that an address really leads to', () => {
    expect(named('', 'https://good.example@evil.example/')).toBe('evil.example');
    expect(named('', 'https://xn--pple-43d.com/')).toBe('xn--pple-43d.com');
    expect(named('', 'https://аpple.com/')).toBe('xn--pple-43d.com');
    expect(destinationOf('https://good.example@evil.example:8443/')).toEqual({
      host: 'evil.example:8443',
      onDevice: false,
    });
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

describe('whose account it is', () => {
  const emails = [
    { email: 'new@example.com', verified: false },
    { email: 'ada@example.com', verified: true },
  ];
  const phone_numbers = [{ phone_number: '+15550100', verified: true }];
  const name = { first_name: 'Ada', last_name: 'Lovelace' };
  const crypto_wallets = [{ crypto_wallet_address: '0xabc', verified: true }];

  it('is said by the address that was proved, else the number, else the name, else the wallet', () => {
    expect(accountOf({ emails, phone_numbers, name })).toBe('ada@example.com');
    expect(accountOf({ emails: emails.slice(0, 1), phone_numbers })).toBe('new@example.com');
    expect(accountOf({ emails: [], phone_numbers, name })).toBe('+15550100');
    expect(accountOf({ phone_numbers: [], name, crypto_wallets })).toBe('Ada Lovelace');
    expect(accountOf({ name: {}, crypto_wallets })).toBe('0xabc');
  });

  it('is not said where nothing is known, whatever the server sent', () => {
    for (const user of [
      null,
      undefined,
      'ada',
      [],
      {},
      { emails: {}, name: 7 },
      { emails: [null, 7, {}, { email: 7 }] },
    ]) {
      expect(accountOf(user)).toBeNull();
    }
  });

  it('cannot turn the line around or fill the page', () => {
    expect(accountOf({ emails: [{ email: 'ada\u202E@example.com' }] })).toBe('ada@example.com');
    expect(accountOf({ name: { first_name: 'x'.repeat(9_000) } })).toHaveLength(121);
  });
});

describe('the server’s verdict on scopes', () => {
  it('counts for those that were requested; without a description a scope stands for itself', () => {
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
      { header: null, entries: [{ scope: 'offline_access' }, { text: 'Read your documents', access: 'unknown' }] },
    ]);
  });
});

describe('the access of a permission', () => {
  it('is known of the standard scopes, whatever the server says, and of others by its word', () => {
    const results = [
      { scope: 'full_access', is_grantable: true, description: '', access: 'view' },
      { scope: 'write:plans', is_grantable: true, description: 'Change plans', access: 'change' },
      { scope: 'odd', is_grantable: true, description: 'Odd', access: 'harmless' },
    ];
    const { grantable } = scopeVerdict(results, ['full_access', 'write:plans', 'odd'])!;
    const [list] = defaultLists(grantable);
    expect(list?.entries.map(accessOfEntry)).toEqual(['full', 'change', 'unknown']);
    expect(accessOfEntry({ text: 'A line of the host' })).toBeUndefined();
  });

  it('is judged by the actions of its permissions: nothing that is not plainly reading counts as such', () => {
    const of = (...actions: readonly string[]) => accessOf([{ actions }]);
    const reading = ['read', 'list', 'get:own', 'view_all', 'search', 'read:orders'];
    expect(reading.filter((action) => of(action) !== 'view')).toEqual([]);
    const others = ['write', '*', 'readwrite', 'getaway', 'purge', 'viewer'];
    const mixed = ['read_write', 'read/write', 'get-or-create', 'list:own+delete', 'View.Update'];
    expect([...others, ...mixed].filter((action) => of(action) !== 'change')).toEqual([]);
    expect(of('read', 'write')).toBe('change');
    expect([of(), accessOf([])]).toEqual([undefined, undefined]);
  });

  it('puts full access before everything else', () => {
    const scopes = ['openid', 'offline_access', 'full_access'].map((scope) => ({ scope, description: '' }));
    expect(defaultLists(scopes)[0]?.entries.map((entry) => 'scope' in entry && entry.scope)).toEqual([
      'full_access',
      'openid',
      'offline_access',
    ]);
  });
});

describe('an invisible name of an app', () => {
  it.each(['\u3164', '\u2800\u2800', '\u0301', '\u{E0041}', ' \u115F '])(
    'is replaced by the host of its address: %j',
    (client_name) => {
      expect(clientNameOf({ client_name }, 'https://planner.example:8443/')).toBe('planner.example');
    },
  );
});

it('has one space where characters without a look would push the rest of the name of an app away', () => {
  expect(named(`Bank${'\u3164'.repeat(60)}of\u2800\u2800Acme`)).toBe('Bank of Acme');
});

it('has no pile of marks that would hide the lines around the name of an app', () => {
  expect(named(`Plan${'\u0336\u030D'.repeat(40)}ner`)).toBe(`Plan${'\u0336\u030D'.repeat(2)}ner`);
  expect(named('प्लानर ཧཱུྃ')).toBe('प्लानर ཧཱུྃ');
});

it('lasts beyond the session where an app gets new tokens after it, and asks for no more than the user can grant', () => {
  const lasting = (...scopes: readonly string[]) =>
    consentPage(
      { scopes: ['openid', 'offline_access'], redirect_uri: 'https://planner.example/' },
      null,
      null,
      { grantable: scopes.map((scope) => ({ scope, description: '' })), ungrantable: [] },
      defaultLists,
    );
  expect(lasting('openid')).toMatchObject({ isLasting: false });
  expect(lasting('openid', 'offline_access')).toMatchObject({ isLasting: true });
});

describe('the person who vouches for an app', () => {
  const verified = (redirect_uri: string, client_verified: unknown) =>
    consentPage(
      { scopes: ['openid'], redirect_uri },
      { client_verified },
      null,
      { grantable: [], ungrantable: [] },
      defaultLists,
    );
  it('is the project’s operator, if the server names it', () => {
    expect(verified('https://planner.example/', true)).toMatchObject({ isVerified: true });
    expect(verified('https://planner.example/', false)).toMatchObject({ isVerified: false });
    for (const value of [undefined, null, 'true', 1]) {
      expect(verified('https://planner.example/', value)).toMatchObject({ isVerified: null });
    }
  });

  it('is absent where any program of the device could receive the answer', () => {
    for (const uri of ['http://localhost:7777/', 'http://127.0.0.1/', 'com.example.app:/callback']) {
      expect(verified(uri, true)).toMatchObject({ isVerified: null, onDevice: true });
    }
  });

  it('is absent where the page cannot name the receiver of the answer', () => {
    for (const uri of ['planner:/callback', 'planner://callback', 'https://', 'not an address']) {
      expect(verified(uri, true)).toMatchObject({ isVerified: null, host: null });
    }
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
      { header: null, entries: [{ scope: 'openid' }, { text: 'Read your plans', access: 'unknown' }] },
    ]);
    expect(listsFrom(given)).toBeNull();
    expect(listsFrom([{ header: '', items: ['a'] }])).toHaveLength(1);
    for (const value of [null, [], [[]], ['a', { header: 'h', items: ['b'] }], { length: 1 }]) {
      expect(listsFrom(value)).toBeNull();
    }
  });
});

describe('an app that no operator registered', () => {
  const page = (client: object, resources?: unknown) =>
    consentPage(
      { scopes: ['openid'], redirect_uri: 'https://agent.example/callback' },
      { client_name: 'Helper', client_verified: false, ...client },
      null,
      { grantable: [], ungrantable: [] },
      defaultLists,
      { resources },
    );
  const documented = { client_origin: 'document', client_host: 'helper.example', client_is_new: true };

  it('is told from one of the operator by its origin alone', () => {
    expect(page(documented)).toMatchObject({ agent: { host: 'helper.example', isNew: true } });
    expect(page({ client_origin: 'registration' })).toMatchObject({ agent: { host: null, isNew: false } });
    for (const client_origin of [undefined, null, 'operator', 1])
      expect(page({ client_origin })).not.toHaveProperty('agent');
  });

  it('is of no host that is not written as one', () => {
    for (const client_host of [undefined, '', 'a b', '\u202Eexample.com', 'x'.repeat(300), 7]) {
      expect(page({ ...documented, client_host })).toMatchObject({ agent: { host: null } });
    }
    expect(page({ client_origin: 'registration', client_host: 'bank.example' })).toMatchObject({
      agent: { host: null },
    });
  });

  it('has no logo but one of its own host', () => {
    const logoOf = (client_logo_url: unknown, client: object = documented) => {
      const shown = page({ ...client, client_logo_url });
      return shown.status === 'consentRequired' ? shown.logoUrl : undefined;
    };
    expect(logoOf('https://helper.example/logo.png')).toBe('https://helper.example/logo.png');
    for (const logo of [
      'https://bank.example/logo.png',
      'https://helper.example:8443/a',
      'data:image/png;base64,AA==',
      7,
    ]) {
      expect(logoOf(logo)).toBeNull();
    }
    expect(logoOf('https://helper.example/logo.png', { client_origin: 'registration' })).toBeNull();
    expect(logoOf('https://bank.example/logo.png', {})).toBe('https://bank.example/logo.png');
  });

  it('names the APIs that it wants, on one line each and few of them', () => {
    expect(page({}, [{ resource: 'https://files.example', name: 'Files\n\u202Eelif' }])).toMatchObject({
      resources: ['Files elif'],
    });
    const many = Array.from({ length: 20 }, (_, index) => ({ resource: 'x', name: `API ${index}` }));
    expect(page({}, many)).toMatchObject({ resources: { length: 8 } });
    for (const none of [undefined, null, [], {}, [{ resource: 'x' }]])
      expect(page({}, none)).not.toHaveProperty('resources');
  });
});
