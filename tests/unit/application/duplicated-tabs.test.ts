import { describe, expect, it } from 'vitest';
import { otps } from '../../../src/application/api/index.ts';
import type { LoginConfig } from '../../../src/domain/widget/widget-config.ts';
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
  it.each(['code', 'other'] as const)('ends in both, although the other sends at the same moment: its %s', async (sent) => {
    const { world, tabs, ...codes } = await twoTabs();
    const gate = world.transport.hold(otps.authenticate);
    tabs[0].store.send({ type: 'otp/codeEntered', code: codes.code });
    tabs[1].store.send({ type: 'otp/codeEntered', code: codes[sent] });
    await world.settle();
    gate.release();
    await world.settle();
    await world.clock.advance(10_000);
    const results = tabs.map(({ screen, store, sessions }) => [
      screen().name,
      store.getState().error,
      store.getState().pending,
      sessions.tokens(),
    ]);
    expect(results[0]?.slice(0, 3)).toEqual(['AuthenticateFlowComplete', null, null]);
    expect(results[1]).toEqual(results[0]);
    expect(results[0]?.[3]).not.toBe(null);
    expect(world.transport.requestsTo(otps.authenticate)).toHaveLength(2);
  });
});
