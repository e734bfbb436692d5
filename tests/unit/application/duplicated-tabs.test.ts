import { describe, expect, it } from 'vitest';
import { otps } from '#application/api/index.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { openLogin } from './open-widget.ts';
import { TestWorld } from './world.ts';

const ADA = 'ada@example.com';
const CODES: LoginConfig = { products: ['otp'], otpOptions: { methods: ['email'] } };

/** A login that waits for a code, and the same one in a tab that the browser made as a copy of the first. */
async function twoTabs() {
  const world = new TestWorld();
  const first = openLogin(CODES, { world });
  first.store.send({ type: 'otp/requested', method: 'email', destination: ADA });
  await world.settle();
  const tab = world.tab('http://localhost:3000/');
  const key = first.services.keys.storage('step');
  tab.tabStorage.set(key, first.ports.tabStorage.get(key) ?? '');
  const second = openLogin(CODES, { world, tab });
  await world.settle();
  expect(second.screen()).toEqual(first.screen());
  const code = world.server.codeFor(ADA) ?? '';
  const other = code === '000000' ? '111111' : '000000';
  return { world, tabs: [first, second] as const, code, other };
}

describe('a login in two copies of a tab', () => {
  it.each(['code', 'other'] as const)(
    'ends in both, although the other sends at the same moment: its %s',
    async (sent) => {
      const { world, tabs, ...codes } = await twoTabs();
      const gate = world.transport.hold(otps.authenticate);
      tabs[0].store.send({ type: 'otp/codeEntered', code: codes.code });
      tabs[1].store.send({ type: 'otp/codeEntered', code: codes[sent] });
      await world.settle();
      gate.release();
      await world.settle();
      await world.clock.advance(10_000);
      for (const { screen, store, sessions } of tabs) {
        expect(['OTPConfirmation', 'AuthenticateFlowComplete']).toContain(screen().name);
        expect(store.getState()).toMatchObject({ error: null, pending: null });
        expect(sessions.tokens()).not.toBe(null);
        expect(sessions.tokens()).toEqual(tabs[0].sessions.tokens());
      }
      expect(world.transport.requestsTo(otps.authenticate)).toHaveLength(2);
    },
  );
});
