import { sql } from 'kysely';
import pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '#provider/base/db/open.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { messages, messagesAfter, post, sweepOutbox } from '#provider/messages/outbox/store.ts';
import type { DeliveryState } from '#provider/messages/outbox/tables.ts';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { EITHER_DATABASE, freshStore, MINUTE, WITHOUT_PKCE } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { permitTo } from '../kit/outbox.ts';
import { listedIf, soakIt } from '#tests/soak-tests.ts';

describe.each(EITHER_DATABASE)('the outbox on %s', (_, url) => {
  const provider = suiteProvider(url, { project: { ...DEMO_PROJECT, ...WITHOUT_PKCE, link_max_minutes: 120 } });
  beforeEach(async () => void (await provider.services.db.deleteFrom('outbox').execute()));

  const sweep = (dev: boolean) => sweepOutbox({ ...provider.services, dev });
  const count = async (where = 'true'): Promise<number> => {
    const text = `select count(*)::int as count from outbox where ${where}`;
    return (await sql.raw<{ count: number }>(text).execute(provider.services.db)).rows[0]?.count ?? 0;
  };
  /** Makes the server write many messages, to push out another user's message. */
  const flood = async (many: number, state: DeliveryState): Promise<void> => {
    const at = new Date(provider.clock.now());
    await sql`insert into outbox (id, channel, recipient, subject, text, code, at, expires_at, state)
      select 'flood-' || gen_random_uuid(), 'email', 'flood@example.com', 'x', 'x', '000000', ${at}::timestamptz,
        ${at}::timestamptz + interval '10 minutes', ${state} from generate_series(1, ${many}::int)`.execute(
      provider.services.db,
    );
  };

  it('two thousand messages of a stranger do not displace the message to another person', async () => {
    const { code, method_id } = await provider.sendCode('owner@example.com');
    await flood(2_000, 'waiting');
    await sweep(false);
    expect(await count()).toBe(2_001);
    const [kept] = await messages(provider.services.db, { to: 'owner@example.com', limit: 1 });
    expect(kept?.code).toBe(code);
    const body = { token: code, method_id, session_duration_minutes: 30 };
    expect((await provider.post('/otps/authenticate', body)).status).toBe(200);
  });

  it('the outbox keeps no expired code, link or text, and no row for ever', async () => {
    await provider.sendCode('expired@example.com');
    const link = await provider.sendLink('expired@example.com', {
      login_expiration_minutes: 60,
      signup_expiration_minutes: 60,
    });
    expect(link).not.toBe('');
    provider.clock.time += 30 * MINUTE;
    await sweep(false);
    expect(await count(`code is not null`)).toBe(0);
    expect(await count(`text like '%${link}%'`)).toBe(1);
    provider.clock.time += 31 * MINUTE;
    await sweep(false);
    expect(await count(`code is not null or link is not null or text <> '' or subject ~ '[0-9]'`)).toBe(0);
    expect(await count()).toBeGreaterThan(0);
    provider.clock.time += 24 * 60 * MINUTE;
    await sweep(false);
    expect(await count()).toBe(0);
  });

  soakIt('both links of a reset email stay until the later one has expired', async () => {
    await provider.signIn('reset@example.com');
    const minutes = { login_expiration_minutes: 5, reset_password_expiration_minutes: 120 };
    const started = await provider.post('/passwords/email/reset/start', { email: 'reset@example.com', ...minutes });
    expect(started.status).toBe(200);
    provider.clock.time += 60 * MINUTE;
    await sweep(false);
    expect(await count(`link is not null and recipient = 'reset@example.com'`)).toBe(1);
  });

  it('with --dev the newest thousand messages stay readable, and all that wait for a carrier', async () => {
    await flood(200, 'waiting');
    await flood(1_600, 'sent');
    const { code } = await provider.sendCode('newest@example.com');
    await sweep(true);
    expect(await count(`state = 'sent'`)).toBe(1_000);
    expect(await count(`state = 'waiting'`)).toBe(200);
    const newest = await provider.newest();
    expect(newest?.code).toBe(code);
  });

  soakIt('a reader that follows misses no message of concurrent transactions, which commit out of order', async () => {
    const { db } = provider.services;
    const to = 'reader@example.com';
    const draft = { kind: 'login_link', channel: 'email', to, subject: 's', text: 't', values: {} } as const;
    const permit = await permitTo(provider.services, to);
    const start = await transaction(db, (tx) => post(provider.services, tx, permit, draft));
    const seen = new Set<string>();
    let last = start.id;
    const follow = async (): Promise<void> => {
      for (const { id } of await messagesAfter(db, last)) {
        seen.add(id);
        last = id;
      }
    };
    const posted: string[] = [];
    const posting = async (poster: number): Promise<void> => {
      await transaction(db, async (tx) => {
        const mine: string[] = [];
        for (let message = 0; message < 50; message += 1) {
          mine.push((await post(provider.services, tx, permit, draft)).id);
        }
        // Other transactions take higher numbers, and commit before.
        for (let turn = poster % 7; turn > 0; turn -= 1) await sql`select 1`.execute(tx);
        posted.push(...mine);
      });
    };
    const all = Promise.all(Array.from({ length: 12 }, (_, poster) => posting(poster)));
    while (posted.length < 600) await follow();
    await all;
    await follow();
    expect(posted.length).toBe(600);
    expect(posted.filter((id) => !seen.has(id))).toEqual([]);
  });

  listedIf(url !== undefined, it)(
    'a reader is told of messages that were committed late, under a lower number',
    async () => {
      const { store, drop } = await freshStore(url);
      const db = await openDatabase(store);
      const services = { ...provider.services, db };
      const to = 'seen@example.com';
      const draft = { kind: 'login_link', channel: 'email', to, subject: 's', text: 't', values: {} } as const;
      const slow = new pg.Client({ connectionString: store.kind === 'postgres' ? store.url : '' });
      await slow.connect();
      await slow.query('begin');
      const at = new Date(provider.clock.now());
      await slow.query(
        `insert into outbox (id, channel, recipient, subject, text, at, expires_at)
       values ('late', 'email', 'late@example.com', 's', 't', $1, $1)`,
        [at],
      );
      const permit = await permitTo(services, to);
      const seen = await transaction(db, (tx) => post(services, tx, permit, draft));
      await slow.query('commit');
      await slow.end();
      expect((await messagesAfter(db, seen.id)).map(({ id }) => id)).toEqual(['late']);
      expect(await messagesAfter(db, 'unknown')).toEqual([]);
      await db.destroy();
      await drop();
    },
  );
});
