import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import { insideOf } from '#composition/inspector/inspected-client.ts';
import { readTrace, record, type InspectableClient } from '#composition/inspector.ts';
import type { StytchHeadlessClient } from '#composition/compat/headless.ts';
import type { StytchUIClient } from '#composition/compat/vanilla.ts';
import type { PorticoClient } from '#composition/client.ts';
import { errorReply } from '#kit/transport/fake-reply.ts';
import { SDKAPIUnreachableError } from '#domain/errors.ts';
import { otps } from '#application/api/index.ts';
import { STATE_KEY, TestWorld } from '../application/world.ts';

const ADA = 'ada@example.com';
const REFRESH = { n: 1, at: 0, kind: 'refresh', by: 'this tab' };

function opened() {
  const world = new TestWorld();
  const { client, tab } = world.open();
  return { world, client, tab, recording: record(client) };
}

describe('a recording', () => {
  it('has the calls, the session and the tab that refreshes it', async () => {
    const { world, client, recording } = opened();
    await world.signIn(client);
    await world.clock.advance(180_000);
    await client.session.revoke();
    const told = recording.trace().entries.map((entry) => {
      if (entry.kind === 'request') return `${entry.call} ${entry.status}`;
      if (entry.kind === 'session') return `${entry.change} ${entry.factors.join()} ${entry.left_ms}`;
      return entry.kind === 'refresh' ? entry.by : entry.kind;
    });
    expect(told).toEqual([
      'otps.emailLoginOrCreate 200',
      'otps.authenticate 200',
      'began otp by email 3600000',
      'this tab',
      'sessions.authenticate 200',
      'sessions.revoke 200',
      'ended  null',
    ]);
  });

  it('shows that another tab refreshes', async () => {
    const { world, client, recording } = opened();
    await world.signIn(client);
    await world.settle();
    world.storage.tab().set(`${STATE_KEY}::refresh_claim`, String(world.clock.now() + 5_000));
    expect(recording.trace().entries.at(-1)).toMatchObject({ kind: 'refresh', by: 'another tab' });
  });

  it('has a call by its path without values, and its failure by the type', async () => {
    const { world, client, recording } = opened();
    world.transport.answer(otps.emailLoginOrCreate, () => errorReply(429, 'too_many_requests'));
    await expect(client.otps.email.loginOrCreate(ADA)).rejects.toThrow('too_many_requests');
    expect(recording.trace().entries.at(-1)).toMatchObject({
      call: 'otps.emailLoginOrCreate',
      method: 'POST',
      path: '/sdk/v1/otps/email/login_or_create',
      status: 429,
      error_type: 'too_many_requests',
      sent: { email: 'a…@e….com' },
    });
  });

  it('leaves out a call whose arguments cannot be read, and rejects for its caller', async () => {
    const { client, recording } = opened();
    const body = Object.defineProperty({ email: ADA }, 'locale', {
      enumerable: true,
      get: () => {
        throw new Error('unreadable');
      },
    });
    const { wire } = insideOf(client).core;
    await expect(wire.call(otps.emailLoginOrCreate, body)).rejects.toMatchObject({ kind: 'usage' });
    expect(recording.trace().entries).toEqual([]);
  });

  it('shows the same fields of an error of another version as of its own', async () => {
    const { client, recording } = opened();
    const { wire } = insideOf(client).core;
    const error = Object.assign(new SDKAPIUnreachableError('network'), { reason: 'token=secret' });
    recording.close();
    const call = vi.spyOn(wire, 'call').mockRejectedValue(error);
    const again = record(client);
    await expect(client.otps.email.loginOrCreate(ADA)).rejects.toBe(error);
    again.close();
    call.mockRestore();
    expect(again.trace().entries.at(-1)).toMatchObject({ kind: 'request', error_type: 'string(12)' });
  });

  it('keeps the newest entries, and counts those that it dropped', async () => {
    const world = new TestWorld();
    const { client } = world.open();
    const recording = record(client, { capacity: 2 });
    await world.signIn(client);
    const { entries, dropped } = recording.trace();
    expect(entries.map(({ n }) => n)).toEqual([dropped + 1, dropped + 2]);
  });

  it('can be exported and read again', async () => {
    const { world, client, recording } = opened();
    await world.signIn(client);
    expect(readTrace(recording.export())).toEqual(recording.trace());
  });

  it.each([
    ['', 'the text is not a trace of the inspector'],
    ['{"format":"portico-trace","version":2}', 'version must be 1'],
    ['{"format":"portico-trace","version":1,"began_at":"","dropped":0}', 'entries must be an array of objects'],
    [withEntry({ n: 1, at: 0, kind: 'secret' }), 'entries[0].kind is unknown'],
    [withEntry({ n: 1, at: 0, kind: 'refresh' }), 'entries[0].by must be a string'],
    [withEntry(REFRESH, { ...REFRESH, n: 0 }), 'entries[1].n must be larger than the one before'],
    [withEntry({ ...REFRESH, a: nested(20) }), 'entries[0] is nested deeper than 16 levels'],
  ])('names what is wrong with another text: %s', (text, problem) => {
    expect(() => readTrace(text)).toThrow(problem);
  });

  it('takes the clients of every entry', () => {
    expectTypeOf<StytchUIClient | StytchHeadlessClient | PorticoClient>().toExtend<InspectableClient>();
  });

  it('refuses what is no client, and what is no capacity', () => {
    const { client } = new TestWorld().open();
    expect(() => record({} as PorticoClient)).toThrow('client must be a client of this package');
    expect(() => record(null as unknown as PorticoClient)).toThrow('client must be a client of this package');
    for (const capacity of [0, 1.5, Number.NaN, 1e9]) {
      expect(() => record(client, { capacity })).toThrow('capacity must be a whole number from 1 to 100000');
    }
  });
});

describe('a recording that has ended', () => {
  it('leaves every object of the client as it was', async () => {
    const world = new TestWorld();
    const { client, tab } = world.open();
    const { core } = insideOf(client);
    const objects = [core.wire, core.clock, core.storage, core.sessions, core.refresher, tab.transport, tab.browser];
    const own = () => objects.map((object) => Reflect.ownKeys(object));
    const waits = () => world.clock.pending;
    const session$ = core.sessions as unknown as { readonly subject: { readonly observers: readonly unknown[] } };
    const before = [own(), waits(), session$.subject.observers.length];
    const recording = record(client);
    expect(session$.subject.observers.length).toBeGreaterThan(before[2] as number);
    recording.close();
    recording.close();
    expect([own(), waits(), session$.subject.observers.length]).toEqual(before);
    await world.signIn(client);
    expect(recording.trace().entries).toEqual([]);
  });

  it('leaves another recording of the same client alone, whichever ends first', async () => {
    for (const first of [0, 1]) {
      const { client } = new TestWorld().open();
      const { wire } = insideOf(client).core;
      const before = Reflect.ownKeys(wire);
      const both = [record(client), record(client)];
      const calls = () => both.map((one) => one.trace().entries.filter(({ kind }) => kind === 'request').length);
      const ask = async () => client.otps.email.loginOrCreate(ADA);
      await ask();
      both[first]?.close();
      await ask();
      both[1 - first]?.close();
      await ask();
      expect(calls()).toEqual(first === 0 ? [1, 2] : [2, 1]);
      expect(Reflect.ownKeys(wire)).toEqual(before);
    }
  });

  it('gave the caller the promise of the call itself, and sent nothing', async () => {
    const requests = async (isRecorded: boolean) => {
      const world = new TestWorld();
      const { client } = world.open();
      if (isRecorded) record(client);
      const heard: string[] = [];
      client.session.onChange((session) => heard.push(session === null ? 'out' : 'in'));
      await world.signIn(client);
      await world.clock.advance(400_000);
      await client.session.revoke();
      return [heard, world.transport.requests.map(({ method, path, body }) => [method, path, body])];
    };
    expect(await requests(true)).toEqual(await requests(false));
    const { client } = new TestWorld().open();
    const { wire } = insideOf(client).core;
    const answered = Promise.resolve({});
    vi.spyOn(wire, 'call').mockReturnValue(answered);
    const recording = record(client);
    expect(wire.call(otps.emailLoginOrCreate, { email: ADA })).toBe(answered);
    recording.close();
  });
});

const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

function withEntry(...entries: readonly object[]): string {
  return JSON.stringify({ format: 'portico-trace', version: 1, began_at: '', dropped: 0, entries });
}
