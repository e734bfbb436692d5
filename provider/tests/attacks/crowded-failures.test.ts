import { beforeEach, describe, expect, it } from 'vitest';
import { listFailures } from '#provider/apps/idp/failures/connection-failures.ts';
import { EITHER_DATABASE } from '../kit/harness.ts';
import { CALLBACK, ISSUER } from '../kit/idp-harness.ts';
import { failureSteps, QUERY } from '../idp/failure-steps.ts';

const DEVELOPER = '198.51.100.7';
const STRANGER = '203.0.113.7';
const WRONG = `${CALLBACK}/developer`;

describe.each(EITHER_DATABASE)('strangers who fill the record of failures, on %s', (_, url) => {
  const world = failureSteps(url);
  beforeEach(() => world.apps.signInAgain());

  const send = async (address: string, path: string, fields: Record<string, string>, form = false): Promise<void> => {
    // The failures of one network are recorded at most so often.
    world.apps.provider.clock.time += 21_000;
    const query = new URLSearchParams(fields);
    const headers = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' };
    const [target, init] = form ? [path, { method: 'POST', headers, body: query }] : [`${path}?${query}`, { headers }];
    const reply = await world.apps.provider.app.request(`${ISSUER}/oauth2${target}`, init, {
      incoming: { socket: { remoteAddress: address } },
    });
    expect(reply.status).toBeGreaterThanOrEqual(400);
  };
  const authorize = (address: string, fields: Record<string, string>) =>
    send(address, '/authorize', { ...QUERY, ...fields });
  const developed = async () => {
    await authorize(DEVELOPER, { redirect_uri: WRONG });
    await send(
      DEVELOPER,
      '/token',
      { client_id: 'planner', grant_type: 'authorization_code', code: 'x', code_verifier: 'y' },
      true,
    );
  };
  const rulesOf = async (client_id: string, address = WRONG): Promise<readonly string[]> => {
    const { failures } = await listFailures(world.apps.provider.services, { limit: 100, client_id });
    const own = failures.filter(
      ({ rule, sent }) => rule !== 'redirect' || JSON.stringify(sent).includes(`"${address}"`),
    );
    return own.map(({ rule }) => rule).sort();
  };

  it('do not drive out another cause of an app', async () => {
    await developed();
    const before = await rulesOf('planner');
    expect(before).toHaveLength(2);
    for (let place = 0; place < 60; place += 1) {
      // A network of its own for each: all are as crowded as the developer's.
      await authorize(`203.0.${place}.7`, { redirect_uri: `https://planner.example/${place}` });
    }
    expect(await rulesOf('planner')).toContain(before.find((rule) => rule !== 'redirect'));
  });

  it('do not drive out the same cause of an app from another network', async () => {
    await developed();
    const before = await rulesOf('planner');
    for (let place = 0; place < 60; place += 1) {
      await authorize(STRANGER, { redirect_uri: `https://planner.example/${place}` });
    }
    expect(await rulesOf('planner')).toEqual(before);
  });

  it('do not drive out those of an app as agents that nobody approved', async () => {
    await developed();
    const before = await rulesOf('planner');
    const agents = await Promise.all(
      Array.from({ length: 3 }, () => world.register({ redirect_uris: ['https://a.example/'] })),
    );
    for (const { client_id } of agents.map(({ body }) => body)) {
      for (let place = 0; place < 20; place += 1) {
        await authorize(STRANGER, { client_id, redirect_uri: `https://a.example/${place}` });
      }
    }
    expect(await rulesOf('planner')).toEqual(before);
    const { db } = world.apps.provider.services;
    expect(
      await db.selectFrom('connection_failures').select('failure_id').where('owner', '=', '').execute(),
    ).toHaveLength(20);
  });

  it('leave each cause of each app its newest in a full table', async () => {
    const { db, clock } = world.apps.provider.services;
    await developed();
    const before = await rulesOf('planner');
    const rows = Array.from({ length: 2_000 }, (__, place) => ({
      failure_id: `full-${place}`,
      owner: `app-${place % 100}`,
      client_id: `app-${place % 100}`,
      step: 'token endpoint',
      rule: 'grant',
      error: 'invalid_grant',
      message: '',
      sent: '[]',
      expected: '[]',
      created_at: new Date(clock.now() + 1000),
      last_at: new Date(clock.now() + 1000),
      expires_at: new Date(clock.now() + 3_600_000),
    }));
    await db.insertInto('connection_failures').values(rows).execute();
    await authorize(STRANGER, { redirect_uri: 'https://planner.example/full' });
    expect(await rulesOf('planner')).toEqual(before);
    const { count } = await db
      .selectFrom('connection_failures')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(2_000);
  });
});
