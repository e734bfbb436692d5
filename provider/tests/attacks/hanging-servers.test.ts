import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { outsideFetch } from '#provider/base/http/outside-fetch.ts';
import { createApp } from '#provider/operation/app.ts';
import { PATIENCE_MS } from '#tests/patience-ms.ts';
import { documentHost, type DocumentHost } from '../kit/document-host.ts';
import { EITHER_DATABASE } from '../kit/harness.ts';
import { json, suiteHooks } from '../kit/hook-server.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { withHooks } from '../kit/with-hooks.ts';
import { FREE, PROJECT, somebody } from './newcomers.ts';
import { at } from './places.ts';

const GOOD = 'correct horse battery staple 9';
const minutes = { session_duration_minutes: 30 };
const HERE = '198.51.100.7';
const ELSEWHERE = '203.0.113.9';
const CROWD = 12;

describe.each(EITHER_DATABASE)('another server that hangs at sign-ups with passwords, on %s', (_, url) => {
  const provider = suiteProvider(url, { project: PROJECT, limits: FREE });
  const hooks = suiteHooks();
  let lists: DocumentHost;
  beforeAll(async () => {
    lists = await documentHost();
    await provider.post('/passwords', { email: 'ada@example.com', password: GOOD, ...minutes });
  });
  afterAll(() => lists.close());

  const hangingHook = (name: 'sign_up' | 'login') => (waiting: (() => void)[]) => {
    hooks.route = ({ id }, response) => void waiting.push(() => json(response, { id, action: 'allow' }));
    return withHooks(provider, { [name]: hooks.settings() }).app;
  };
  const hangingList = (waiting: (() => void)[]) => {
    const list = lists.answer('/range', (__, response) => waiting.push(() => response.end()));
    const fetch = outsideFetch({ allowPrivate: true, timeoutMs: PATIENCE_MS });
    const breaches = { hasSuffix: async () => (await fetch(list)).status !== 200 };
    return createApp({ ...provider.services, breaches });
  };

  it.each([
    ['the hook sign_up', hangingHook('sign_up')],
    ['the hook login', hangingHook('login')],
    ['a list of breached passwords', hangingList],
  ])('%s: delays no login of others, from the same network or another one', async (__, hang) => {
    const waiting: (() => void)[] = [];
    const door = at(hang(waiting), HERE);
    const crowd = Array.from({ length: CROWD }, () =>
      door.post('/passwords', { email: somebody().email, password: GOOD, ...minutes }),
    );
    await vi.waitFor(() => expect(waiting).toHaveLength(CROWD));
    const login = { email: 'ada@example.com', password: GOOD, ...minutes };
    for (const place of [HERE, ELSEWHERE]) {
      expect((await at(provider.app, place).post('/passwords/authenticate', login)).status).toBe(200);
    }
    for (const answer of waiting) answer();
    expect((await Promise.all(crowd)).map(({ status }) => status)).toEqual(crowd.map(() => 200));
  });
});
