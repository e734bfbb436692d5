import { describe, expect, it } from 'vitest';
import { events, otps } from '#application/api/index.ts';
import { PorticoClient } from '#composition/client.ts';
import { SDKAPIUnreachableError, SDKSchemaError, SDKUsageError } from '#domain/errors.ts';
import { loggedError } from '#application/telemetry/logged-events.ts';
import { errorReply, offline } from '#kit/transport/fake-reply.ts';
import { openLogin } from './open-widget.ts';
import { TestWorld, TOKEN } from './world.ts';

const BATCH_MS = 800;

/** A client whose event log a test can write to, as the widget does. */
class LoggingClient extends PorticoClient {
  log(name: string): void {
    void this.core.late().then(({ eventLog }) => eventLog.log(name, {}));
  }
}

async function open(world: TestWorld, tab = world.tab('http://localhost:3000/')) {
  const client = new LoggingClient(TOKEN, { adapters: tab });
  await client.webauthn.browserSupportsAutofill();
  await world.settle();
  return { client, tab };
}

interface LoggedEvent {
  readonly event: Readonly<Record<string, unknown>>;
}
const batches = (world: TestWorld) => world.transport.requestsTo(events.log).map(({ body }) => body as LoggedEvent[]);
const names = (world: TestWorld) => batches(world).map((batch) => batch.map(({ event }) => event['event_name']));

async function leave(world: TestWorld, { tab, client }: Awaited<ReturnType<typeof open>>): Promise<void> {
  tab.browser.leave();
  client.destroy();
  await world.settle();
}

/** The names of the events that the page sends which is opened then. */
async function sentByNextPage(world: TestWorld): Promise<ReturnType<typeof names>> {
  const before = batches(world).length;
  const { client } = await open(world);
  await world.clock.advance(5 * BATCH_MS);
  client.destroy();
  return names(world).slice(before);
}

describe('named events', () => {
  it('with the server down for 24 hours wait in the outbox: no storm, nothing grows, and then they arrive', async () => {
    const world = new TestWorld();
    const { client, tab } = await open(world);
    const answers = [() => offline(), () => errorReply(503, 'unavailable'), () => errorReply(429, 'too_many_requests')];
    let tried = 0;
    let down = true;
    world.transport.answer(events.log, () => (down ? answers[(tried += 1) % 3]?.() : {}));
    for (let minute = 0; minute < 24 * 60; minute += 1) {
      client.log(`event-${minute}`);
      await world.clock.advance(60_000);
    }
    // Every 5 minutes, after a start that takes twice as long each time.
    expect(tried).toBeLessThan(24 * 12 + 15);
    expect(world.outbox.texts.length).toBe(100);
    expect(tab.log.messages()).toEqual([]);
    down = false;
    const before = batches(world).length;
    await world.clock.advance(300_000 + 10 * BATCH_MS);
    expect(world.outbox.texts).toEqual([]);
    const arrived = batches(world).slice(before).flat();
    expect(new Set(arrived.map(({ event }) => event['event_name'])).size).toBe(100);
    client.destroy();
  });

  it('that a page could not send wait for the next page', async () => {
    const world = new TestWorld();
    const first = await open(world);
    let down = true;
    world.transport.answer(events.log, () => (down ? offline() : {}));
    first.client.log('a');
    await world.clock.advance(BATCH_MS);
    first.client.log('b');
    await world.settle();
    await leave(world, first);
    down = false;
    expect(await sentByNextPage(world)).toEqual([['a', 'b']]);
  });

  it('that arrive never open the outbox', async () => {
    const world = new TestWorld();
    const asked: string[] = [];
    const outbox = {
      add: async () => asked.push('add') > 0,
      take: async () => {
        asked.push('take');
        return [];
      },
    };
    const { client, tab } = await open(world, {
      ...world.tab('http://localhost:3000/'),
      outbox: outbox as never,
    });
    client.log('a');
    await world.clock.advance(2 * BATCH_MS);
    client.log('b');
    await world.settle();
    tab.browser.leave();
    await world.settle();
    expect(names(world)).toEqual([['a'], ['b']]);
    expect(asked).toEqual([]);
    client.destroy();
  });

  it('beyond a batch, when the page is left, wait for the next page', async () => {
    const world = new TestWorld();
    const { client, tab } = await open(world);
    for (let index = 0; index < 20; index += 1) client.log(`event-${index}`);
    await world.settle();
    tab.browser.leave();
    await world.settle();
    client.destroy();
    const next = await open(world);
    await world.clock.advance(5 * BATCH_MS);
    const numbered = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `event-${from + at}`);
    expect(names(world)).toEqual([numbered(5, 20), numbered(0, 5)]);
    expect(world.outbox.texts).toEqual([]);
    next.client.destroy();
  });

  it('that are logged while a batch fails wait for the next page with it', async () => {
    const world = new TestWorld();
    const first = await open(world);
    let down = true;
    world.transport.answer(events.log, () => {
      if (!down) return {};
      first.client.log('b');
      return offline();
    });
    first.client.log('a');
    await world.clock.advance(BATCH_MS);
    await leave(world, first);
    down = false;
    expect(await sentByNextPage(world)).toEqual([['a', 'b']]);
  });

  it('that wait in the outbox name no address of a person', async () => {
    const world = new TestWorld();
    const opened = openLogin({ products: ['otp'], otpOptions: { methods: ['email'] } }, { world });
    await world.settle();
    world.transport.answer(events.log, () => offline());
    opened.store.send({ type: 'otp/requested', method: 'email', destination: 'ada@example.com' });
    await world.settle();
    await world.clock.advance(BATCH_MS);
    await world.settle();
    expect(JSON.stringify(batches(world))).toContain('ada@example.com');
    const kept = world.outbox.texts.map((text) => JSON.parse(text) as LoggedEvent);
    expect(kept.map(({ event }) => event['event_name'])).toContain('email_sent');
    expect(JSON.stringify(kept)).not.toContain('ada@example.com');
  });

  it('that the server refuses are dropped', async () => {
    const world = new TestWorld();
    const { client } = await open(world);
    world.transport.answer(events.log, () => errorReply(400, 'bad_request'));
    client.log('a');
    await world.clock.advance(3_600_000);
    expect(names(world)).toEqual([['a']]);
    expect(world.outbox.texts).toEqual([]);
    client.destroy();
  });
});

describe('a failure', () => {
  it('is an event that says what went wrong, and repeats nothing that was sent', async () => {
    const world = new TestWorld();
    const opened = openLogin({ products: ['otp'], otpOptions: { methods: ['email'] } }, { world });
    const { store } = opened;
    await world.settle();
    store.send({ type: 'otp/requested', method: 'email', destination: 'ada@example.com' });
    await world.settle();
    world.transport.answer(otps.authenticate, () =>
      errorReply(404, 'otp_code_not_found', 'The code 123456 is wrong. Sent: {"token":"123456","method_id":"m-1"}'),
    );
    store.send({ type: 'otp/codeEntered', code: '123456' });
    await world.settle();
    await world.clock.advance(10 * BATCH_MS);
    const failed = batches(world)
      .flat()
      .map(({ event }) => event)
      .filter((event) => event['event_name'] === 'call_failed');
    expect(failed).toEqual([
      {
        public_token: TOKEN,
        event_name: 'call_failed',
        details: { asked: 'otp/codeEntered', screen: 'OTPAuthenticate' },
        error_code: 'otp_code_not_found',
        error_description: 'The code … is wrong. Sent: …',
        http_status_code: 404,
      },
    ]);
  });

  it('of every kind has a code and a description', () => {
    expect(loggedError(new SDKAPIUnreachableError('network'), [])).toEqual({
      error_code: 'network',
      error_description: 'Unable to contact our servers.',
    });
    expect(loggedError(new SDKSchemaError([]), [])).toMatchObject({
      error_code: 'schema_error',
      http_status_code: 400,
    });
    expect(loggedError(new SDKUsageError('a.b', 'c'), [])).toMatchObject({ error_code: 'usage_error' });
  });
});
