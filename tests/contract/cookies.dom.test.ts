import { describe, expect, it, vi } from 'vitest';
import { SystemClock } from '#infrastructure/browser/system-clock.ts';
import { DocumentCookies } from '#infrastructure/storage/document-cookies.ts';
import { cookiesContract } from './cookies.contract.ts';

cookiesContract({ describe, it, expect }, 'DocumentCookies on the environment’s document', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  // With `Max-Age=0` happy-dom keeps them until the next millisecond, which never comes here.
  for (const pair of document.cookie.split(';')) {
    document.cookie = `${pair.split('=')[0]}=; Path=/; Expires=${new Date(0).toUTCString()}`;
  }
  const clock = new SystemClock(globalThis);
  return {
    here: new DocumentCookies(document, clock),
    elsewhere: new DocumentCookies(document, clock),
    scope: { path: '/', domain: null, secure: false },
    now: () => Date.now(),
    pass: (ms) => void vi.setSystemTime(Date.now() + ms),
    block: () => void vi.spyOn(document, 'cookie', 'set').mockImplementation(() => undefined),
    dispose: () => void [vi.useRealTimers(), vi.restoreAllMocks()],
  };
});
