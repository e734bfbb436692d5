import { describe, expect, it } from 'vitest';
import type { Endpoint } from '#application/api/index.ts';
import { TraceLog } from '#application/inspector/trace.ts';
import { watchWidget } from '#application/inspector/watch-widget.ts';
import { widgetRules } from '#application/widget/widget-rules.ts';
import { WidgetStore } from '#application/widget/widget-store.ts';
import { insideOf } from '#composition/inspector/inspected-client.ts';
import { record } from '#composition/inspector.ts';
import { SDKAPIError } from '#domain/errors.ts';
import { later } from '#domain/later.ts';
import type { WidgetEvent } from '#domain/screens/event.ts';
import { eventsOf, screenNames } from '#domain/screens/transitions.ts';
import { INITIAL_STATE } from '#domain/screens/widget-state.ts';
import { rawReply, reply } from '#kit/transport/fake-reply.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { TestWorld } from '../application/world.ts';
import { ENDPOINTS, leaks } from './no-secrets.ts';
import { oneOf } from '../../soak.ts';

/** Stands for every token, code, password, address and link, in the alphabet of each. */
const MARK = 'sEcReT+mArK/7391@example.com';
const OTHER_FORMS = [
  'mark_in_lower_case',
  '739173917391',
  'eyJhbGciOiJub25lIn0.bWFyaw.c2lnbg',
  'https://a.test/?t=marked',
];
const MARKS = [MARK, ...OTHER_FORMS];

/** Objects with marks for values and for names, in the way of a host's metadata. */
const nested = (mark: string): object => ({
  [mark]: mark,
  email: mark,
  phone_number: mark,
  session: { [mark]: mark, custom_claims: { [mark]: [mark] } },
  user: { untrusted_metadata: { deep: { [mark]: mark } } },
  otp: { type: mark, destination: mark, methodId: mark, [mark]: { [mark]: mark } },
  message: { kind: mark, otp: { destination: mark } },
  error: { error_type: mark, kind: mark },
});

/** Every field of the endpoint, marked. */
const marked = ({ body, reply: answer }: Endpoint, mark: string): object => ({
  ...Object.fromEntries([...Object.keys(body), ...Object.keys(answer)].map((name) => [name, mark])),
  ...nested(mark),
  status_code: mark,
  request_id: mark,
});

const ANSWERS: Readonly<Record<string, (endpoint: Endpoint, mark: string) => unknown>> = {
  'an answer': (endpoint, mark) => marked(endpoint, mark),
  'a refusal': (_, mark) =>
    reply(401, {
      error_type: mark,
      error_message: mark,
      error_url: mark,
      request_id: mark,
      error_details: nested(mark),
    }),
  'a wrong shape': (_, mark) => reply(400, { body: [{ dataPath: [mark], message: mark }] }),
  'no JSON': (_, mark) => rawReply(500, mark),
  'no answer': (_, mark) => new Error(mark),
};

const RULES = later(async () => widgetRules);
await RULES.load();

describe('the trace of marked secrets has none of them', () => {
  it.each(oneOf(2, Object.entries(ANSWERS)))('in a call of any endpoint that gets %s', async (_, answer) => {
    const world = new TestWorld();
    const { client } = world.open();
    const recording = record(client, { capacity: 10_000 });
    const { wire } = insideOf(client).core;
    for (const mark of MARKS) {
      for (const endpoint of ENDPOINTS) {
        world.transport.answer(endpoint, () => answer(endpoint, mark));
        const params = Object.fromEntries([...endpoint.path.matchAll(/:([a-z_]+)/gu)].map(([, name]) => [name, mark]));
        await wire.call(endpoint, marked(endpoint, mark), { params }).catch(() => undefined);
      }
    }
    const trace = recording.export();
    const requests = recording.trace().entries.filter(({ kind }) => kind === 'request');
    expect(requests.length).toBeGreaterThanOrEqual(MARKS.length * ENDPOINTS.length);
    expect(leaks(trace, MARKS)).toEqual([]);
    recording.close();
    client.destroy();
  });

  it('in any event of a widget, on any screen', () => {
    const types = new Set<WidgetEvent['type']>(screenNames().flatMap(eventsOf));
    for (const type of ['otp/codeEntered', 'password/edited', 'phone/edited', 'account/asked', 'reported'] as const) {
      types.add(type);
    }
    const log = new TraceLog(() => 0, 10_000);
    const fields = { status_code: 400, error_message: MARK, error_url: MARK, request_id: MARK };
    for (const mark of MARKS) {
      const error = new SDKAPIError({ ...fields, error_type: mark, error_details: nested(mark) });
      const data = {
        email: mark,
        code: mark,
        password: mark,
        reply: nested(mark),
        asked: { type: 'back' },
        ...nested(mark),
        error,
      };
      for (const type of types) {
        const store = new WidgetStore(new VirtualClock(), INITIAL_STATE, RULES);
        const end = watchWidget(store, 'login', { log, session: () => null, completed: new WeakSet() });
        store.send({ ...data, type } as unknown as Parameters<typeof store.send>[0]);
        end();
      }
    }
    expect(new Set(log.trace().entries.map((entry) => ('type' in entry ? entry.type : null))).size).toBeGreaterThan(30);
    expect(leaks(JSON.stringify(log.trace()), MARKS)).toEqual([]);
  });

  it('and does not show how long a password is by an entry for each letter', () => {
    const typed = (password: string): readonly string[] => {
      const log = new TraceLog(() => 0, 10_000);
      const store = new WidgetStore(new VirtualClock(), INITIAL_STATE, RULES);
      const end = watchWidget(store, 'login', { log, session: () => null, completed: new WeakSet() });
      for (let check = 1; check <= password.length; check += 1)
        store.send({ type: 'password/edited', check, email: '', password: password.slice(0, check) });
      store.send({ type: 'back' });
      end();
      return log.trace().entries.map((entry) => ('type' in entry ? entry.type : entry.kind));
    };
    expect(typed('a')).toEqual(['widget', 'password/edited', 'back']);
    expect(typed('correct horse')).toEqual(typed('a'));
  });

  it('and the search for them finds each form of one', () => {
    const forms = [MARK, encodeURIComponent(MARK), Buffer.from(MARK).toString('base64url'), btoa(MARK)];
    for (const form of forms) expect(leaks(`{"a":"x${form}y"}`, [MARK])).toEqual([MARK]);
  });
});
