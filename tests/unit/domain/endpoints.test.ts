import { describe, expect, it } from 'vitest';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { apiOrigin, originOf } from '#domain/project/endpoints.ts';

const LIVE = 'public-token-live-1';
const TEST = 'public-token-test-1';

describe('the server of a token', () => {
  it('is the hosted live or test host where no address is given', () => {
    expect(apiOrigin(LIVE)).toBe('https://api.stytch.com');
    expect(apiOrigin(TEST)).toBe('https://test.stytch.com');
    expect(apiOrigin(TEST, { endpointOptions: {} })).toBe('https://test.stytch.com');
    expect(apiOrigin(TEST, { endpointOptions: { dfpCdnDomain: 'cdn.example.com' } })).toBe('https://test.stytch.com');
  });

  it.each([LIVE, TEST])('is apiUrl for every token, also beside the two names of the wire: %s', (token) => {
    expect(apiOrigin(token, { apiUrl: 'https://login.example.com' })).toBe('https://login.example.com');
    expect(apiOrigin(token, { apiUrl: 'localhost:4100', endpointOptions: { apiDomain: 'other.example' } })).toBe(
      'http://localhost:4100',
    );
  });

  it('is the wire’s option that fits the token', () => {
    const endpointOptions = { apiDomain: 'login.example.com', testApiDomain: 'http://localhost:4100' };
    expect(apiOrigin(LIVE, { endpointOptions })).toBe('https://login.example.com');
    expect(apiOrigin(TEST, { endpointOptions })).toBe('http://localhost:4100');
  });

  it.each([
    ['undefined', { apiUrl: undefined }],
    ['null', { apiUrl: null }],
    ['""', { apiUrl: '' }],
    ['"undefined/auth"', { apiUrl: 'undefined/auth' }],
    ['"https://login.example.com/auth"', { apiUrl: 'https://login.example.com/auth' }],
    ['"http://login.example.com"', { apiUrl: 'http://login.example.com' }],
    ['undefined', { endpointOptions: { apiDomain: 'login.example.com' } }],
    ['undefined', { endpointOptions: { testApiDomain: undefined } }],
    ['"http://example.com"', { endpointOptions: { testApiDomain: 'http://example.com' } }],
    ['"a b"', { endpointOptions: { dfppaDomain: 'a b' } }],
    ['undefined', { endpointOptions: { dfpCdnDomain: undefined } }],
  ])('throws for an address that is %s: %j', (value, options) => {
    const isUnset = ['undefined', 'null', '""'].includes(value);
    const question = isUnset ? ': is its environment variable set?' : '.';
    expect(() => apiOrigin(TEST, options as never)).toThrow(`is ${value}${question} Give apiUrl an origin`);
  });

  it('throws for the token of a local provider without an address', () => {
    for (const options of [{}, { endpointOptions: {} }, { endpointOptions: { dfpCdnDomain: 'cdn.example.com' } }]) {
      expect(() => apiOrigin(DEMO_PROJECT.public_token, options)).toThrow(
        'apiUrl is undefined: is its environment variable set? Give apiUrl an origin such as https://auth.example.com',
      );
    }
    expect(apiOrigin(DEMO_PROJECT.public_token, { apiUrl: 'localhost:4100' })).toBe('http://localhost:4100');
    const endpointOptions = { testApiDomain: 'localhost:4100' };
    expect(apiOrigin(DEMO_PROJECT.public_token, { endpointOptions })).toBe('http://localhost:4100');
  });

  it.each([
    'public-token-test-d1e70000-0000-4000-8000-000000000007',
    'public-token-live-d1e70000-0000-4000-8000-000000000000',
  ])('throws for the token of another local project without an address: %s', (token) => {
    expect(() => apiOrigin(token)).toThrow('apiUrl is undefined: is its environment variable set?');
  });

  it('may have http on another host under the name of the wire, too, with a test token', () => {
    const lan = 'http://192.168.1.20:4100';
    const endpointOptions = { apiDomain: lan, testApiDomain: lan };
    expect(apiOrigin(TEST, { endpointOptions, allowHttp: true })).toBe(lan);
    expect(() => apiOrigin(TEST, { endpointOptions })).toThrow('testApiDomain is');
    expect(() => apiOrigin(LIVE, { endpointOptions, allowHttp: true })).toThrow('apiDomain is');
  });

  it('throws for a live token with the address of test tokens', () => {
    const endpointOptions = { testApiDomain: 'http://localhost:4100' };
    expect(() => apiOrigin(LIVE, { endpointOptions })).toThrow(
      'apiDomain is undefined: is its environment variable set? Give apiUrl',
    );
  });

  it('throws for endpointOptions that are none', () => {
    for (const endpointOptions of [undefined, null, 'localhost:4100', []]) {
      expect(() => apiOrigin(TEST, { endpointOptions } as never)).toThrow('endpointOptions: must be an object');
    }
    expect(() => apiOrigin(TEST, { endpointOptions: { testAPIDomain: 'localhost:4100' } as never })).toThrow(
      'endpointOptions: testAPIDomain is no option. Did you mean testApiDomain?',
    );
  });

  it.each([
    ['example.com', 'https://example.com'],
    ['example.com:8443', 'https://example.com:8443'],
    ['localhost', 'http://localhost'],
    ['localhost:4100', 'http://localhost:4100'],
    ['127.0.0.1:4100', 'http://127.0.0.1:4100'],
    ['[::1]:4100', 'http://[::1]:4100'],
    ['localhost.example.com:4100', 'https://localhost.example.com:4100'],
    ['https://localhost:4100', 'https://localhost:4100'],
    ['localhost:4100@evil.example', null],
    ['localhost:4100/path', null],
    ['https://example.com', 'https://example.com'],
    ['http://127.0.0.1:4100', 'http://127.0.0.1:4100'],
    ['http://[::1]:4100', 'http://[::1]:4100'],
    ['http://example.com', null],
    ['https://example.com/path', null],
    ['https://user@example.com', null],
    ['example.com/path', null],
    ['https://example.com?x', null],
    ['//example.com', null],
    ['javascript:alert(1)', null],
    ['ftp://example.com', null],
    ['exa mple.com', null],
    ['example.com@evil.example', null],
    ['https:\\\\example.com', null],
    ['', null],
  ])('%s names %s', (option, origin) => expect(originOf(option)).toBe(origin));
});

describe('a public token', () => {
  it.each([undefined, null, ''])('that is %j asks for the environment variable', (token) => {
    const question = `publicToken is ${JSON.stringify(token)}: is its environment variable set?`;
    expect(() => apiOrigin(token as never)).toThrow(question);
  });

  it('is a text', () => {
    expect(() => apiOrigin(1 as never)).toThrow('publicToken is 1.');
  });
});
