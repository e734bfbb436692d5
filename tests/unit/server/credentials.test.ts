import { describe, expect, it } from 'vitest';
import { credentialsOf, type Credentials } from '#domain/sessions/request-credentials.ts';

const NAMES = { token: 'stytch_session', jwt: 'stytch_session_jwt' };
const of = (headers: Record<string, string>, names: typeof NAMES | null = NAMES): Credentials =>
  credentialsOf(new Headers(headers), names);
const cookies = (cookie: string): Credentials => of({ cookie });
const found = (jwts: readonly string[], tokens: readonly string[], malformed = false) => ({
  jwts,
  tokens,
  malformed,
  isCookie: true,
});
const NOTHING = { ...found([], []), isCookie: false };

describe('the credentials of a request', () => {
  it('are none without a header of ours', () => {
    expect(of({})).toEqual(NOTHING);
    expect(of({ authorization: 'Basic YTpi', cookie: 'theme=dark; stytch_sessions=x' })).toEqual(NOTHING);
    expect(of({ authorization: 'Bearerish x' })).toEqual(NOTHING);
    expect(cookies('stytch_session=; stytch_session_jwt=""')).toEqual(NOTHING);
  });

  it('are the two cookies, by the form of their values', () => {
    expect(cookies('a=b; stytch_session=token-1; stytch_session_jwt=h.p.s')).toEqual(found(['h.p.s'], ['token-1']));
    expect(cookies('stytch_session=h.p.s')).toEqual(found(['h.p.s'], []));
  });

  it('are a bearer token alone, whatever cookies there are', () => {
    const cookie = 'stytch_session=token-1';
    for (const authorization of ['Bearer token-2', 'bearer   token-2', 'BEARER token-2 ']) {
      expect(of({ authorization, cookie })).toEqual({ ...found([], ['token-2']), isCookie: false });
    }
    for (const authorization of ['Bearer', 'Bearer ', 'Bearer a b', 'Bearer a, Bearer b', 'Bearer ü']) {
      expect(of({ authorization, cookie })).toEqual({ ...found([], [], true), isCookie: false });
    }
  });

  it('are read from the headers of Node’s requests, too', () => {
    expect(credentialsOf({ cookie: 'stytch_session=t', host: 'a' }, NAMES)).toEqual(found([], ['t']));
    expect(credentialsOf({ cookie: ['a=b', 'stytch_session=t'] }, NAMES)).toEqual(found([], ['t']));
    const header = { get: 'x', authorization: 'Bearer h.p.s', cookie: 'stytch_session=t' };
    expect(credentialsOf(header, NAMES)).toEqual({ ...found(['h.p.s'], []), isCookie: false });
    expect(credentialsOf({ get: 'x', cookie: undefined }, NAMES)).toEqual(NOTHING);
    expect(credentialsOf(Object.create({ authorization: 'Bearer t' }) as Record<string, string>, NAMES)).toEqual(
      NOTHING,
    );
  });

  it('are no cookie where cookies are not read', () => {
    expect(of({ cookie: 'stytch_session=token-1' }, null)).toEqual(NOTHING);
  });

  it('are read from cookies with odd values', () => {
    expect(cookies('stytch_session="token-1"')).toEqual(found([], ['token-1']));
    expect(cookies(' ;; =x; stytch_session ; stytch_session=  token-1  ;')).toEqual(found([], ['token-1']));
    expect(cookies('stytch_session=dG9rZW4=')).toEqual(found([], ['dG9rZW4=']));
    expect(cookies('__proto__=x; constructor=y; stytch_session=t')).toEqual(found([], ['t']));
    for (const value of ['a b', '%00', '{"a":1}', 'a\tb', '"', 'x'.repeat(1_025), `${'x'.repeat(16_400)}.p.s`]) {
      expect(cookies(`stytch_session=${value}`)).toEqual(found([], [], true));
    }
  });

  it('are all values of one name, once each, in their order', () => {
    const header = 'stytch_session=b; stytch_session=a; stytch_session_jwt=1.2.3; stytch_session=b; stytch_session= ';
    expect(cookies(header)).toEqual(found(['1.2.3'], ['b', 'a']));
  });
});
