import { beforeEach, describe, expect, it, vi } from 'vitest';
import { events } from '#application/api/index.ts';
import { bootstrapFrom } from '#domain/project/bootstrap.ts';
import type { LoggedEvent } from '#application/telemetry/logged-events.ts';
import { FakeTransport } from '#kit/transport/fake-transport.ts';
import { consenting, FLOWS, LINK, walk, type OpenLogin } from './host-flows.ts';
import { openLogin } from './open-widget.ts';
import { ADA } from './passwords/open-passwords.ts';

let sent: { readonly mock: { readonly results: readonly { readonly value: unknown }[] } };
beforeEach(() => {
  sent = vi.spyOn(FakeTransport.prototype, 'send');
});

/** What the server answered last to that call, as it stood on the wire. */
async function lastReply({ world }: OpenLogin, name: string): Promise<object> {
  const at = world.transport.requests.map(({ endpoint }) => endpoint).lastIndexOf(name);
  const { text } = (await sent.mock.results[at]?.value) as { readonly text: string };
  return (JSON.parse(text) as { readonly data: object }).data;
}

describe.each(Object.entries(FLOWS))('the host receives %s', (type, flows) => {
  it.each(Object.entries(flows))('once, with the reply as its data, by %s', async (_, flow) => {
    const opened = await flow.walk();
    const told = opened.heard.filter((event) => event.type === type);
    expect(told).toHaveLength(1);
    const { data } = flow;
    const reply = 'name' in data ? await lastReply(opened, String(data.name)) : data;
    expect(told[0]?.data).toEqual({ ...reply, ...flow.more });
    expect(opened.errors).toEqual([]);
  });
});

interface LogCase {
  readonly walk: () => Promise<OpenLogin>;
  readonly details: (opened: OpenLogin) => object;
}
const email = { email: ADA, type: 'login_or_create_eml' };
const asks = { type: 'magicLink/requested', email: ADA } as const;
const bootstrap = ({ world }: OpenLogin) => bootstrapFrom({ account: { deletion: true }, ...world.server.project });

/** The named events of section 7: a new one does not compile without its flow. A failure has tests of its own. */
const LOGGED: { readonly [Name in Exclude<LoggedEvent['name'], 'call_failed'>]: LogCase } = {
  render_login_screen: {
    walk: () => walk(openLogin(LINK), asks),
    details: (opened) => ({ options: LINK, bootstrap: bootstrap(opened) }),
  },
  render_idp_screen: {
    walk: consenting({ type: 'consent/allowed' }),
    details: (opened) => ({ options: {}, bootstrap: bootstrap(opened) }),
  },
  email_sent: { walk: () => walk(openLogin(LINK), asks), details: () => email },
  email_try_again_clicked: {
    walk: () => walk(openLogin(LINK), asks, { type: 'magicLink/tryAgain' }, { type: 'magicLink/tryAgain' }),
    details: () => email,
  },
};

it.each(Object.entries(LOGGED))('the event log receives %s once', async (name, { walk: run, details }) => {
  const opened = await run();
  await opened.world.clock.advance(5_000);
  const batches = opened.world.transport.requestsTo(events.log).flatMap(({ body }) => body as readonly unknown[]);
  const told = batches.map((one) => (one as { readonly event: Readonly<Record<string, unknown>> }).event);
  expect(told.filter((event) => event['event_name'] === name)).toMatchObject([{ details: details(opened) }]);
});
