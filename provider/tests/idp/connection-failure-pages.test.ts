import { describe, expect, it } from 'vitest';
import { listFailures } from '#provider/apps/idp/failures/connection-failures.ts';
import { perform } from '#provider/operation/operators/commands.ts';
import { sweep } from '#provider/operation/retention/sweep.ts';
import { EITHER_DATABASE, MINUTE } from '../kit/harness.ts';
import { ISSUER, visited } from '../kit/idp-harness.ts';
import { QUERY, failureSteps } from './failure-steps.ts';
import { soakIt } from '#tests/soak-tests.ts';

const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(1)>`;

describe.each(EITHER_DATABASE)('failed connections, on %s', (_, url) => {
  const world = failureSteps(url);
  const { browser, failure } = world;

  it('the same failure is counted, and the pages show it once, escaped', async () => {
    const client_id = `https://${'a'.repeat(20)}.example/${HOSTILE}`;
    const sent = { ...QUERY, client_id, scope: HOSTILE, prompt: HOSTILE };
    await Promise.all(Array.from({ length: 10 }, async () => world.apps.visit('/authorize', sent)));
    expect(await failure()).toMatchObject({ times: 10, sent: { scope: HOSTILE } });
    const page = await visited(world.apps.provider, new URL(`${ISSUER}/dev/connections`));
    const { cookie } = await browser.enrolled('Grace', 'reader');
    const operatorPage = await browser.get('connections', cookie);
    for (const { text, headers } of [page, operatorPage]) {
      expect(text).toContain('&lt;script&gt;alert(1)');
      expect(text).toContain('10 times');
      expect(text).not.toContain('<script>alert');
      expect(text).not.toContain('<img src=x');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    }
    const filtered = await browser.get(`connections?client=${encodeURIComponent('planner')}`, cookie);
    expect(filtered.text).toContain('This client was not refused in the last seven days.');
    const { rows } = await perform(world.apps.provider.services, 'connections.list', { client: client_id });
    expect(rows).toMatchObject([{ client_id, times: 10 }]);
  });

  it('shows no character that turns the text around it, and cuts between characters', async () => {
    const odd = `${'x'.repeat(511)}😀\u202E\u001B[31m`;
    await world.apps.visit('/authorize', {
      ...QUERY,
      client_id: `a\u202E${'😀'.repeat(300)}`,
      scope: odd,
      prompt: '\u001B[2J',
    });
    const found = await failure();
    expect(found['client_id']).toMatch(/^a�(?:😀){127}$/u);
    expect(found['sent']).toMatchObject({ scope: `${'x'.repeat(511)}�`, prompt: '�[2J' });
    expect(world.apps.provider.traces).toEqual([]);
  });

  it('hides what stands for a user or a value in an address, however it is written', async () => {
    const hidden = 'c2VjcmV0LXNlY3JldA';
    for (const address of [
      `https:/u:${hidden}@evil.example/`,
      `https:\\\\u:${hidden}@evil.example/`,
      `com.example.app:/u:${hidden}@x/y`,
      `https://evil.example/?${hidden}${hidden}==`,
      `https://evil.example/#${hidden}`,
      hidden,
    ]) {
      await world.apps.visit('/authorize', { ...QUERY, redirect_uri: address });
    }
    const { failures } = await listFailures(world.apps.provider.services, { limit: 100 });
    expect(failures).toHaveLength(6);
    expect(JSON.stringify(failures)).not.toContain(hidden);
  });

  it('with --dev the error page leads to the reasons', async () => {
    const { text } = await world.apps.visit('/authorize', { ...QUERY, client_id: 'nobody' });
    expect(text).toContain('href="/dev/connections"');
  });

  it('ends after seven days, and keeps 20 of each client and rule, and of all clients that nobody knows', async () => {
    const { db, clock } = world.apps.provider.services;
    const seed = async (owner: string, count: number) => {
      const rows = Array.from({ length: count }, (__, place) => ({
        failure_id: `${owner}-${place}`,
        owner,
        client_id: owner === '' ? `stranger-${place}` : owner,
        step: 'token endpoint',
        rule: owner === '' ? 'client' : 'redirect',
        error: 'invalid_request',
        message: '',
        sent: '[]',
        expected: '[]',
        created_at: new Date(clock.now() - 1000 + place),
        last_at: new Date(clock.now() - 1000 + place),
        expires_at: new Date(clock.now() + MINUTE),
      }));
      await db.insertInto('connection_failures').values(rows).execute();
    };
    const of = async (client_id: string) => (await listFailures({ db, clock }, { limit: 100, client_id })).failures;
    await seed('planner', 60);
    await world.apps.visit('/authorize', { ...QUERY, redirect_uri: 'https://planner.example/newest' });
    const kept = await of('planner');
    expect(kept).toHaveLength(20);
    expect([kept[0]?.sent, kept.at(-1)?.failure_id]).toEqual([
      expect.arrayContaining([['redirect_uri', 'https://planner.example/newest']]),
      'planner-41',
    ]);
    await seed('', 60);
    await world.apps.visit('/authorize', { ...QUERY, client_id: 'a-stranger' });
    expect(await of('planner')).toHaveLength(20);
    const strangers = await db.selectFrom('connection_failures').select('failure_id').where('owner', '=', '').execute();
    expect(strangers).toHaveLength(20);
    world.apps.provider.clock.time += 7 * 24 * 60 * MINUTE + 1;
    expect(await of('planner')).toEqual([]);
    world.apps.provider.clock.time += 61 * MINUTE;
    await sweep(world.apps.provider.services);
    expect(await db.selectFrom('connection_failures').select('failure_id').execute()).toEqual([]);
    await world.apps.signInAgain();
  });

  soakIt('of one network 30 in ten minutes are recorded, so that no stranger fills the list', async () => {
    const from = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } });
    // Twenty of strangers stay, and twenty of each app.
    const visit = async (count: number, address: string) => {
      const wrong =
        count < 20 ? { client_id: `s${count}` } : { redirect_uri: `https://planner.example/not-registered/${count}` };
      return world.apps.provider.app.request(
        `${ISSUER}/oauth2/authorize?${new URLSearchParams({ ...QUERY, ...wrong }).toString()}`,
        { headers: { accept: 'text/html' } },
        from(address),
      );
    };
    const replies: Response[] = [];
    // oxlint-disable-next-line no-await-in-loop -- the first thirty are recorded
    for (let count = 0; count < 45; count += 1) replies.push(await visit(count, '203.0.113.7'));
    // Whoever is over the limit gets the same answer.
    expect(new Set(replies.slice(20).map(({ status }) => status)).size).toBe(1);
    const stored = async () => (await listFailures(world.apps.provider.services, { limit: 100 })).failures.length;
    expect(await stored()).toBe(30);
    await visit(99, '198.51.100.7');
    expect(await stored()).toBe(31);
  });

  it('pages through the list by a cursor, and refuses one that is none', async () => {
    for (const client_id of ['a', 'b', 'c']) await world.apps.visit('/authorize', { ...QUERY, client_id });
    const seen: string[] = [];
    for (let after: string | undefined, first = true; first || after !== undefined; first = false) {
      const { failures, next }: Awaited<ReturnType<typeof listFailures>> =
        // oxlint-disable-next-line no-await-in-loop -- each page names the next
        await listFailures(world.apps.provider.services, { limit: 1, after });
      seen.push(...failures.map(({ client_id }) => client_id));
      after = next ?? undefined;
    }
    expect([...seen].sort()).toEqual(['a', 'b', 'c']);
    await expect(perform(world.apps.provider.services, 'connections.list', { after: 'x' })).rejects.toThrow('cursor');
  });

  it('a database that stores no failure does not change the answer', async () => {
    const { db } = world.apps.provider.services;
    await db.schema.alterTable('connection_failures').renameTo('elsewhere').execute();
    try {
      const { status } = await world.apps.visit('/authorize', { ...QUERY, client_id: 'nobody' });
      expect(status).toBe(404);
      expect(world.apps.provider.traces.splice(0)).not.toEqual([]);
    } finally {
      await db.schema.alterTable('elsewhere').renameTo('connection_failures').execute();
    }
  });
});
