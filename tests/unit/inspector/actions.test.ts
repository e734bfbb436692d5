import { describe, expect, it } from 'vitest';
import { Actions, type ActionParts } from '#application/inspector/actions.ts';
import { ControlError, type ControlPort } from '#application/inspector/control-port.ts';
import { OfflineSwitch } from '#application/inspector/offline-switch.ts';
import { Recorder } from '#application/inspector/recorder.ts';
import { ShiftedClock } from '#application/inspector/shifted-clock.ts';
import { TraceLog } from '#application/inspector/trace.ts';
import type { Endpoint } from '#application/api/index.ts';
import { insideOf } from '#composition/inspector/inspected-client.ts';
import type { Screen } from '#domain/screens/screen.ts';
import { TestWorld } from '../application/world.ts';

const ADA = 'ada@example.com';
const WAITING: Screen = {
  name: 'OTPAuthenticate',
  otp: { type: 'email', methodId: 'm', destination: ADA, expiresAt: 0 },
};
const CLOCK = { now: '', moved_ms: 0, is_frozen: false };

/** A provider that notes what it is asked. */
function fakeControl(refused: readonly string[] = [], faults: readonly object[] = []) {
  const calls: (readonly [name: string, body: unknown, params?: unknown])[] = [];
  let moved_ms = 0;
  const call = async ({ name }: Endpoint, body: object, params?: object): Promise<unknown> => {
    calls.push(params === undefined ? [name, body] : [name, body, params]);
    if (refused.includes(name)) throw new ControlError('The provider did not answer.');
    if ('move_ms' in body) moved_ms += Number(body.move_ms);
    if (name === 'control.reset') moved_ms = 0;
    return { clock: { ...CLOCK, moved_ms }, faults, fault_id: 'fault-1', expired: 1 };
  };
  return { calls, control: { origin: 'http://localhost:4100', call: call as ControlPort['call'] } };
}

function opened(changes: Partial<ActionParts> = {}) {
  const world = new TestWorld();
  const { client, tab } = world.open();
  const inside = insideOf(client);
  const { core } = inside;
  const log = new TraceLog(() => 0);
  const recorder = new Recorder(inside, log, () => 0);
  const announced: boolean[] = [];
  const actions = new Actions({
    control: null,
    noControl: 'There is none.',
    offline: new OfflineSwitch(core.wire),
    clock: new ShiftedClock(core.clock),
    session: recorder.session,
    now: () => core.clock.now(),
    screen: () => WAITING,
    log,
    announce: (isOnline) => announced.push(isOnline),
    wake: () => core.refresher['wake'](),
    ...changes,
  });
  return { world, client, tab, core, log, actions, announced };
}

describe('the buttons of the inspector', () => {
  it('limit the rate once, and end a limit that the provider has not answered yet', async () => {
    const { calls, control } = fakeControl();
    const { actions } = opened({ control });
    await actions.find();
    const pressed = [actions.run('limit rate'), actions.run('limit rate')];
    await actions.run('end limit');
    await Promise.all(pressed);
    expect(calls.slice(1).map(([name]) => name)).toEqual(['control.addFault', 'control.removeFault']);
    expect(actions.isLimited).toBe(false);
    void actions.run('limit rate');
    actions.end();
    await expect.poll(() => calls.at(-1)?.[0]).toBe('control.removeFault');
  });

  it('show why they cannot be used without a provider to control, but for those that need none', async () => {
    const { actions, log } = opened();
    await actions.find();
    for (const action of ['expire code', 'limit rate', 'deny login'] as const) {
      expect(actions.blocked(action)).toBe('There is none.');
      expect(await actions.run(action)).toBe('There is none.');
    }
    expect(actions.blocked('go offline')).toBeNull();
    expect(log.trace().entries).toHaveLength(3);
  });

  it('show that the provider was not started with --dev', async () => {
    const { actions } = opened({ control: fakeControl(['control.state']).control });
    expect(actions.blocked('deny login')).toBe('Looking for /dev/control …');
    await actions.find();
    expect(actions.blocked('deny login')).toContain('Start it with --dev.');
  });

  it('expire the code of the screen, limit the rate until it is ended, and deny the next login', async () => {
    const { calls, control } = fakeControl();
    const { actions, log } = opened({ control });
    await actions.find();
    expect(await actions.run('expire code')).toBe('One code or link has expired.');
    await actions.run('limit rate');
    expect(actions.isLimited).toBe(true);
    await actions.run('end limit');
    expect(actions.isLimited).toBe(false);
    await actions.run('deny login');
    expect(calls.slice(1)).toEqual([
      ['control.expireCodes', { to: ADA }],
      ['control.addFault', { call: '* /sdk/v1/*', refuse: 'too_many_requests', retry_after_seconds: 30 }],
      ['control.removeFault', {}, { fault_id: 'fault-1' }],
      ['control.social', { next: 'deny' }],
    ]);
    expect(JSON.stringify(log.trace())).not.toContain(ADA);
  });

  it('end a limit that began before the page was loaded anew', async () => {
    const limit = { fault_id: 'fault-2', call: '* /sdk/v1/*', refuse: 'too_many_requests' };
    const { calls, control } = fakeControl([], [{ fault_id: 'of a test', call: '*', refuse: 'user_locked' }, limit]);
    const { actions } = opened({ control });
    await actions.find();
    await actions.run('end limit');
    expect(calls.at(-1)).toEqual(['control.removeFault', {}, { fault_id: 'fault-2' }]);
  });

  it('have no code to expire on a screen that waits for none', async () => {
    const { actions } = opened({ control: fakeControl().control, screen: () => ({ name: 'Main', email: ADA }) });
    await actions.find();
    expect(actions.blocked('expire code')).toBe('No screen waits for a code or a link.');
  });

  it('take the network from the client, and give it back', async () => {
    const { actions, client, world, announced } = opened();
    await actions.run('go offline');
    await expect(client.otps.email.loginOrCreate(ADA)).rejects.toMatchObject({
      kind: 'unreachable',
      reason: 'network',
    });
    expect(world.transport.requests.filter(({ path }) => path.includes('/otps/'))).toEqual([]);
    await actions.run('go online');
    await client.otps.email.loginOrCreate(ADA);
    expect(announced).toEqual([false, true]);
  });

  it('move both clocks to the next refresh, which then happens', async () => {
    const { calls, control } = fakeControl();
    const { actions, client, world, core } = opened({ control });
    await actions.find();
    await world.signIn(client);
    await world.settle();
    const before = core.clock.now();
    expect(await actions.move('next refresh')).toBe("The provider's clock and this client's were moved.");
    expect(calls.at(-1)).toEqual(['control.clock', { move_ms: 181_000 }]);
    expect(core.clock.now() - before).toBe(181_000);
    expect(actions.clocks).toEqual({ client: 181_000, provider: 181_000 });
    await world.settle();
    expect(world.transport.requests.filter(({ endpoint }) => endpoint === 'sessions.authenticate')).toHaveLength(1);
  });

  it('move only the clock of the client without a provider to control, and none when the provider refuses', async () => {
    const alone = opened();
    expect(await alone.actions.move(60_000)).toBe("Only this client's clock was moved.");
    expect(await alone.actions.move('end of session')).toBe('Nobody is signed in.');
    const { actions } = opened({ control: fakeControl(['control.clock']).control });
    await actions.find();
    expect(await actions.move(60_000)).toBe('The provider did not answer.');
    expect(actions.clocks).toEqual({ client: 0, provider: 0 });
  });

  it('set everything back, also when the inspector closes', async () => {
    const { calls, control } = fakeControl();
    const { actions, core, world } = opened({ control });
    const own = () => [core.wire, core.clock].map((object) => Reflect.ownKeys(object));
    const before = own();
    await actions.find();
    for (const undo of [() => actions.run('set back'), async () => actions.end()]) {
      await actions.run('go offline');
      await actions.run('limit rate');
      await actions.move(60_000);
      expect(own()).not.toEqual(before);
      await undo();
      expect(own()).toEqual(before);
      expect(core.clock.now()).toBe(world.clock.now());
      expect([actions.isOffline, actions.isLimited, actions.clocks.client]).toEqual([false, false, 0]);
    }
    expect(calls.map(([name]) => name)).toContain('control.reset');
    expect(calls.at(-1)?.[0]).toBe('control.removeFault');
  });
});
