import { afterEach, describe, expect, it } from 'vitest';
import { PorticoClient, type ClientOptions } from '#composition/headless.ts';
import type { EndpointOptions } from '#domain/project/endpoints.ts';
import { TestWorld, TOKEN } from '../application/world.ts';
import { COOKIES } from './cookie-rows.ts';
import { eachMistakeHasAMessage, thrownBy, type Rows } from './option-rows.ts';

const clients: PorticoClient[] = [];
afterEach(() => clients.splice(0).forEach((client) => client.destroy()));

/** What a client throws for these options, in a fake browser. */
const messagesOf = (options: Readonly<Record<string, unknown>>, token: unknown = TOKEN): readonly string[] =>
  thrownBy(() => {
    const tab = new TestWorld().tab('http://localhost:3000/');
    const { adapters = {} } = options;
    const isRight = typeof adapters === 'object' && adapters !== null && !Array.isArray(adapters);
    const all = { telemetry: false, ...options, adapters: isRight ? { ...tab, ...adapters } : adapters };
    clients.push(new PorticoClient(token as string, all as ClientOptions));
  });

const CLIENT: Rows<ClientOptions> = {
  cookieOptions: { wrongType: ['session', null, []] },
  apiUrl: { wrongType: [undefined, null, '', 7, 'http://login.example.com', 'https://login.example.com/path'] },
  allowHttp: { wrongType: ['true', 1] },
  endpointOptions: { wrongType: [undefined, null, 'localhost', []] },
  adapters: { wrongType: ['log', null, [], { logs: {} }, { log: 'console' }, { log: () => undefined }] },
  telemetry: { wrongType: ['false', 0] },
  asksProfile: { wrongType: ['true', 1] },
};
eachMistakeHasAMessage('the client', CLIENT, { good: { apiUrl: 'http://localhost:4100' }, messagesOf });

eachMistakeHasAMessage('cookieOptions', COOKIES, {
  good: {},
  messagesOf: (cookieOptions) => messagesOf({ cookieOptions }),
});

const HOSTS: Rows<EndpointOptions> = {
  apiDomain: { wrongType: [7, '', undefined, 'a b'] },
  testApiDomain: { wrongType: [7, '', undefined, 'a b'] },
  dfppaDomain: { wrongType: [7, '', undefined, 'http://a.example'] },
  dfpCdnDomain: { wrongType: [7, '', undefined, 'http://a.example'] },
};
for (const [name, token] of [
  ['apiDomain', 'public-token-live-1'],
  ['testApiDomain', TOKEN],
] as const) {
  const { apiDomain, testApiDomain, ...others } = HOSTS;
  const rows = { ...others, [name]: name === 'apiDomain' ? apiDomain : testApiDomain };
  eachMistakeHasAMessage(`endpointOptions with ${token}`, rows, {
    good: { [name]: 'localhost:4100' },
    messagesOf: (endpointOptions) => messagesOf({ endpointOptions }, token),
  });
}

describe('a public token', () => {
  it.each([undefined, null, '', 7, {}])('that is %j is refused by name', (token) => {
    expect(
      thrownBy(() => new PorticoClient(token as string, { adapters: new TestWorld().tab('http://localhost:3000/') })),
    ).toEqual([expect.stringContaining('publicToken is ')]);
  });
});
