import { describe, expect, it } from 'vitest';
import { CookieJar } from '#kit/ports/fake-cookies.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { DocumentCookies } from '#infrastructure/storage/document-cookies.ts';
import { CookieDocument, type CookieStore } from '../unit/infrastructure/support/cookie-document.ts';
import { cookiesContract } from './cookies.contract.ts';

const runner = { describe, it, expect };

cookiesContract(runner, 'FakeCookies', () => {
  const clock = new VirtualClock();
  const jar = new CookieJar(clock);
  return {
    here: jar.tab(),
    elsewhere: jar.tab(),
    scope: { path: '/', domain: null, secure: true },
    now: () => clock.now(),
    pass: async (ms) => clock.advance(ms),
    block: () => void (jar.blocked = true),
  };
});

for (const scope of [
  { path: '/', domain: null, secure: true },
  { path: '/app', domain: 'example.com', secure: false },
]) {
  cookiesContract(runner, `DocumentCookies on a stand-in, ${scope.domain ?? 'host only'}`, () => {
    const clock = new VirtualClock();
    const store: CookieStore = new Map();
    const page = new URL('https://www.example.com/app/login');
    const documents = [0, 1].map(() => new CookieDocument(page, () => clock.now(), store));
    const [here, elsewhere] = documents.map((document) => new DocumentCookies(document, clock));
    return {
      here: here!,
      elsewhere: elsewhere!,
      scope,
      now: () => clock.now(),
      pass: async (ms) => clock.advance(ms),
      block: () => documents.forEach((document) => (document.blocked = true)),
    };
  });
}
