import { describe, expect, it } from 'vitest';
import { apiOrigin, originOf } from '../../../src/domain/endpoints.ts';

describe('the server of a token', () => {
  it('is the live or the test host by the token', () => {
    expect(apiOrigin('public-token-live-1').origin).toBe('https://api.stytch.com');
    expect(apiOrigin('public-token-test-1').origin).toBe('https://test.stytch.com');
  });

  it('is the option that fits the token', () => {
    const options = { apiDomain: 'login.example.com', testApiDomain: 'http://localhost:4100' };
    expect(apiOrigin('public-token-live-1', options)).toEqual({ origin: 'https://login.example.com', problem: null });
    expect(apiOrigin('public-token-test-1', options)).toEqual({ origin: 'http://localhost:4100', problem: null });
  });

  it('stays the default, and says so, when the option is no domain', () => {
    const { origin, problem } = apiOrigin('public-token-test-1', { testApiDomain: 'http://example.com' });
    expect(origin).toBe('https://test.stytch.com');
    expect(problem).toContain('endpointOptions.testApiDomain');
  });

  it.each([
    ['example.com', 'https://example.com'],
    ['example.com:8443', 'https://example.com:8443'],
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
