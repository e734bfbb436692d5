import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Configuration } from 'openid-client';
import { oneOf, SOAK } from '#tests/soak.ts';
import { EITHER_DATABASE } from '../kit/harness.ts';
import { BACK_CHANNEL } from './oidcc/back-channel.ts';
import { BASIC } from './oidcc/basic.ts';
import { CONFIG, LOGOUT } from './oidcc/config-and-logout.ts';
import { MODULES } from './oidcc/modules.ts';
import { oracle } from './oidcc/oracle.ts';
import { ourProvider } from './oidcc/ours.ts';
import { partyAt, type CaseContext } from './oidcc/steps.ts';
import type { Subject } from './oidcc/subject.ts';

const PLANS = {
  'Basic OP': BASIC,
  'Config OP': CONFIG,
  'RP-Initiated Logout': LOGOUT,
  'Back-Channel Logout': BACK_CHANNEL,
};

const SUBJECTS: readonly (readonly [string, () => Promise<Subject>])[] = [
  ...EITHER_DATABASE.map(([name, url]) => [`this provider on ${name}`, () => ourProvider(url)] as const),
  // The cases are the same in every run, so that each soak is enough to compare them.
  ...(SOAK ? [['oidc-provider, which is certified', oracle] as const] : []),
];

it('every module of the four plans is a case', () => {
  for (const [plan, cases] of Object.entries(PLANS)) {
    expect(Object.keys(cases)).toEqual(expect.arrayContaining([...(MODULES[plan] ?? [])]));
  }
  expect(Object.keys(PLANS)).toEqual(Object.keys(MODULES));
});

/**
 * The modules of the OpenID Foundation's plans under their names, played by an unmodified client. The same cases are played at a
 * certified provider: a case that holds for ours alone says nothing about the standard.
 */
describe.each(SUBJECTS)('the certification of %s', (_, start) => {
  let op: Subject;
  let party: Configuration;
  let context: CaseContext;
  let people = 0;
  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    op = await start();
    party = await partyAt(op);
  });
  beforeEach(() => {
    people += 1;
    context = { op, party, person: op.person(`person-${people}`), stranger: op.person(`stranger-${people}`) };
  });
  afterAll(async () => {
    await op.close();
    vi.useRealTimers();
  });

  describe.each(Object.entries(PLANS))('%s', (_plan, cases) => {
    it.each(oneOf(4, Object.entries(cases)))('%s', async (_name, play) => {
      await play(context);
      expect.hasAssertions();
    });
  });
});
