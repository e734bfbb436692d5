import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { audit } from '#provider/base/audit/record.ts';
import { systemClock } from '#provider/base/platform.ts';
import { startAuditStream, type AuditStream } from '#provider/operation/audit-stream/audit-stream.ts';
import type { AuditFileSettings, AuditUrlSettings } from '#provider/project/settings/audit-stream.ts';
import { startCollector, type AuditCollector } from './audit-collector.ts';
import { makeProvider, MINUTE, type Fields, type Provider } from './harness.ts';
import { PATIENCE_MS } from '#tests/patience-ms.ts';

export const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
export const AUDIT_PATIENCE = { pollMs: 5, retryMs: 5, longestMs: 20, timeoutMs: PATIENCE_MS };

/** A provider, a collector, and any number of processes that deliver to it. */
export function streaming(databaseUrl: string | undefined) {
  let provider: Provider;
  let collector: AuditCollector;
  const streams: AuditStream[] = [];
  beforeAll(async () => {
    [provider, collector] = await Promise.all([makeProvider(databaseUrl), startCollector()]);
  });
  beforeEach(() => collector.reset());
  afterEach(async () => {
    await Promise.all(streams.splice(0).map((stream) => stream.stop()));
  });
  afterAll(async () => {
    await collector.close();
    await provider.close();
  });
  return {
    provider: () => provider,
    collector: () => collector,
    /** One more process. */
    start(
      settings: Partial<AuditUrlSettings> | AuditFileSettings = {},
      patience: Partial<typeof AUDIT_PATIENCE> = {},
    ): AuditStream {
      const toUrl = { url: collector.url, secret: SECRET, authorization: null, private: true };
      const audit_stream = 'file' in settings ? settings : { ...toUrl, ...settings };
      const project = { ...provider.services.project, audit_stream };
      const stream = startAuditStream({ ...provider.services, project }, systemClock, {
        ...AUDIT_PATIENCE,
        ...patience,
      });
      if (stream === null) throw new Error('there is no stream');
      streams.push(stream);
      return stream;
    },
    /** Writes so many rows, and lets them settle. */
    async write(count: number): Promise<void> {
      const { services } = provider;
      for (let n = 0; n < count; n += 1) {
        // oxlint-disable-next-line no-await-in-loop -- in this order
        await audit(services, services.db, { event: 'user_changed', user_id: `user-test-${n}`, actor: { kind: 'system', id: null } }); // prettier-ignore
      }
      provider.clock.time += MINUTE;
    },
    /** Writes many rows in one statement, and lets them settle. */
    async writeMany(count: number): Promise<void> {
      await sql`insert into audit_log (created_at, event, outcome, actor_kind)
        select ${new Date(provider.clock.time)}::timestamptz, 'user_changed', 'ok', 'system'
        from generate_series(1, ${count}::integer)`.execute(provider.services.db);
      provider.clock.time += MINUTE;
    },
    /** Delivers what there is, so that a test sees its own events alone; the number of the last one, null if there was none. */
    async drained(): Promise<number | null> {
      const stream = this.start();
      const cursor = await this.cursor((row, newest) => row?.['last'] === newest || newest === null);
      await stream.stop();
      collector.reset();
      return Number(cursor?.['last'] ?? 0) || null;
    },
    /** The cursor, once it is so. */
    async cursor(fits: (row: Fields | null, newest: number | null) => boolean): Promise<Fields | null> {
      const { db } = provider.services;
      return vi.waitFor(
        async () => {
          const row = await db.selectFrom('audit_stream').selectAll().executeTakeFirst();
          const newest = await db
            .selectFrom('audit_log')
            .select('seq')
            .orderBy('seq', 'desc')
            .limit(1)
            .executeTakeFirst();
          expect(fits(row ?? null, newest?.seq ?? null)).toBe(true);
          return row ?? null;
        },
        { interval: 5 },
      );
    },
    until: (check: () => void) => vi.waitFor(check, { interval: 5 }),
  };
}
