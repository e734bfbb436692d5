import { describe, expect, it } from 'vitest';
import { events, otps } from '#application/api/index.ts';
import type { LateServices } from '#application/services.ts';
import { eventsTo } from '#application/telemetry/event-sink.ts';
import { later } from '#domain/later.ts';
import type { LoggableEvent } from '#domain/screens/events.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { openLogin } from './open-widget.ts';
import { heldLoad, TestWorld } from './world.ts';

const ADA = 'ada@example.com';
const EMAIL: LoginConfig = { products: ['otp'], otpOptions: { methods: ['email'] } };
const SEND = { type: 'otp/requested', method: 'email', destination: ADA } as const;

/** A login whose code arrives, or fails to, when the test says so. */
function openSlowly(world = new TestWorld()) {
  const waiting: { arrive(): void; fail(): void }[] = [];
  const load = (there: LateServices): Promise<LateServices> =>
    heldLoad(
      new Promise((resolve, reject) => {
        waiting.push({
          arrive: () => resolve(there),
          fail: () => reject(new TypeError('Failed to fetch dynamically imported module')),
        });
      }),
    );
  const opened = openLogin(EMAIL, { world, load });
  const next = async (what: 'arrive' | 'fail'): Promise<void> => {
    waiting.shift()?.[what]();
    await settle();
  };
  /** The platform's own turns too: the effects come from a file. */
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) {
      await new Promise((done) => void setTimeout(done, 0));
      await world.settle();
    }
  };
  return { ...opened, waiting, next, settle };
}

describe('the code of a login', () => {
  it('is not asked for by a form that only shows', async () => {
    const { waiting, settle, world } = openSlowly();
    await settle();
    await world.clock.advance(3_600_000);
    expect(waiting).toHaveLength(0);
  });

  it('is requested once, by the first caller', async () => {
    const { waiting, settle, widget, store } = openSlowly();
    widget.prepare();
    widget.prepare();
    store.send(SEND);
    await settle();
    expect(waiting).toHaveLength(1);
  });

  it('that is not there yet loses no press: Continue is pending, and goes on when it is there', async () => {
    const { world, store, screen, next, settle } = openSlowly();
    await settle();
    store.send(SEND);
    await settle();
    expect([store.getState().pending, screen().name]).toEqual(['otp/requested', 'Main']);
    expect(world.transport.requestsTo(otps.emailLoginOrCreate)).toHaveLength(0);
    await next('arrive');
    expect([store.getState().pending, screen().name]).toEqual([null, 'OTPAuthenticate']);
    expect(world.transport.requestsTo(otps.emailLoginOrCreate)).toHaveLength(1);
  });

  it('answers what happened before in its order', async () => {
    const { world, store, screen, next, settle } = openSlowly();
    store.send(SEND);
    store.send({ type: 'back' });
    store.send({ ...SEND, destination: 'eve@example.com' });
    await settle();
    await next('arrive');
    expect(screen()).toMatchObject({ name: 'OTPAuthenticate', otp: { destination: 'eve@example.com' } });
    const sent = world.transport
      .requestsTo(otps.emailLoginOrCreate)
      .map(({ body }) => (body as { email: string }).email);
    expect(sent.at(-1)).toBe('eve@example.com');
  });

  it('that does not load is an error on the form and for the host, and the next press tries again', async () => {
    const { store, screen, errors, waiting, next, settle } = openSlowly();
    store.send(SEND);
    await settle();
    await next('fail');
    expect(store.getState()).toMatchObject({
      pending: null,
      error: { kind: 'unreachable', message: 'Unable to contact our servers.' },
    });
    expect(errors).toMatchObject([{ kind: 'unreachable', cause: expect.any(TypeError) }]);
    expect(waiting).toHaveLength(0);
    store.send(SEND);
    await settle();
    await next('arrive');
    expect([store.getState().error, screen().name]).toEqual([null, 'OTPAuthenticate']);
  });

  it('that did not load before the first action is no error', async () => {
    const { widget, store, errors, next, settle } = openSlowly();
    widget.prepare();
    await settle();
    await next('fail');
    expect([store.getState().error, errors]).toEqual([null, []]);
  });

  it('is not needed to report a login in another tab to the host', async () => {
    const world = new TestWorld();
    const { heard, settle } = openSlowly(world);
    await settle();
    await world.signIn(world.open().client);
    await settle();
    expect(heard.map(({ type }) => type)).toEqual(['AUTHENTICATE_FLOW_COMPLETE']);
  });
});

describe('the event log', () => {
  it('takes over what happened before it was there, in order, and all that follows', async () => {
    const heard: unknown[] = [];
    const eventLog = {
      note: ({ type }: LoggableEvent) => void heard.push(type),
      stop: () => void heard.push('stop'),
    };
    const late = later(async () => ({ eventLog }));
    const sink = eventsTo(late);
    const note = (type: 'magicLink/tryAgain' | 'otp/resendRequested') =>
      sink.note({ type }, { name: 'Main', email: '' }, EMAIL);
    note('magicLink/tryAgain');
    note('otp/resendRequested');
    expect(heard).toEqual([]);
    await late.load();
    note('magicLink/tryAgain');
    sink.stop();
    expect(heard).toEqual(['magicLink/tryAgain', 'otp/resendRequested', 'magicLink/tryAgain', 'stop']);
  });

  it('is not loaded by an unused client', async () => {
    const world = new TestWorld();
    await world.leaveInOutbox(JSON.stringify({ telemetry: {}, event: { event_name: 'older', details: {} } }));
    const { client } = world.open();
    await world.clock.advance(60_000);
    expect(world.transport.requestsTo(events.log)).toHaveLength(0);
    // What an earlier page left behind goes out with the first need.
    await client.webauthn.browserSupportsAutofill();
    await world.clock.advance(5_000);
    expect(world.transport.requestsTo(events.log)).toHaveLength(1);
    client.destroy();
  });
});
