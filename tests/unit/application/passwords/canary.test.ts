import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { events, passwords } from '#application/api/index.ts';
import { EventLog } from '#application/telemetry/event-log.ts';
import { errorReply } from '#kit/transport/fake-reply.ts';
import type { WidgetState } from '#domain/screens/widget-state.ts';
import { ADA, ALONE, entered } from './open-passwords.ts';
import { soakIt } from '../../../soak-tests.ts';

/** A password that stands nowhere else. */
const CANARY = 'Canary-5f1d9c Wing 7';

/** Everything that a widget leaves behind, but for what goes to the server. */
async function leftBehind(walk: (opened: Awaited<ReturnType<typeof entered>>) => Promise<void>): Promise<string> {
  const spies = (['log', 'info', 'warn', 'error', 'debug'] as const).map((level) => vi.spyOn(console, level));
  const noted = vi.spyOn(EventLog.prototype, 'note');
  const opened = await entered(ALONE);
  const states: WidgetState[] = [];
  opened.store.state$.subscribe((state) => states.push(state));
  await walk(opened);
  await opened.world.clock.advance(5_000);
  const { world, ports, heard, errors, sessions } = opened;
  const kept = [
    states,
    opened.store,
    heard,
    errors,
    errors.map(({ cause, stack }) => [cause, stack]),
    sessions,
    world.storage,
    ports.storage,
    ports.tabStorage,
    ports.browser.href(),
    ports.log.messages('error'),
    ports.log.messages('warn'),
    world.transport.requestsTo(events.log),
    noted.mock.calls.map(([event]) => event),
    spies.flatMap((spy) => spy.mock.calls),
  ];
  vi.restoreAllMocks();
  return inspect(kept, { depth: 12, maxArrayLength: null, maxStringLength: null, getters: true });
}

const edit = { type: 'password/edited', check: 1, email: ADA, password: CANARY } as const;
const create = { type: 'password/createRequested', email: ADA, password: CANARY } as const;
const login = { type: 'password/loginRequested', email: ADA, password: CANARY } as const;

describe('a password (threat T23)', () => {
  it('reaches the server, and is nowhere else after the sign-up', async () => {
    const left = await leftBehind(async ({ world, store, screen }) => {
      store.send(edit);
      await world.clock.advance(600);
      store.send(create);
      await world.settle();
      expect(screen().name).toBe('PasswordConfirmation');
      expect(JSON.stringify(world.transport.requestsTo(passwords.create))).toContain(CANARY);
    });
    expect(left).toContain('PASSWORD_CREATE');
    expect(left).not.toContain(CANARY);
  });

  soakIt('is nowhere else when it was refused, could not be checked, or was left with Back', async () => {
    const left = await leftBehind(async ({ world, store }) => {
      world.transport.answer(passwords.strengthCheck, () => errorReply(500, 'internal'));
      world.transport.answer(passwords.authenticate, () => errorReply(401, 'unauthorized_credentials'));
      store.send(edit);
      await world.clock.advance(600);
      store.send(login);
      await world.settle();
      store.send(create);
      store.send({ type: 'back' });
      await world.settle();
    });
    expect(left).toContain('unauthorized_credentials');
    expect(left).not.toContain(CANARY);
  });
});
