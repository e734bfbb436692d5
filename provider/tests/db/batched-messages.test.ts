import type { PGlite } from '@electric-sql/pglite';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { batchingMessages } from '#provider/base/db/engine/batched-messages.ts';
import { emptyEmbedded } from '../kit/embedded.ts';
import { soakIt } from '#tests/soak-tests.ts';

describe('the messages to the embedded database', () => {
  it('arrive together with the one that must be answered', async () => {
    const arrived: string[] = [];
    const engine = {
      waitReady: Promise.resolve(),
      execProtocolStream: (bytes: Uint8Array) => {
        arrived.push(Buffer.from(bytes).toString());
        return Promise.resolve(['a reply']);
      },
    };
    const batching = batchingMessages(engine as unknown as PGlite);
    const replies = [];
    for (const message of ['Parse', 'Bind', 'Describe', 'Execute', 'Sync', 'Query', 'Bind', 'Hush']) {
      replies.push(...(await batching.execProtocolStream(Buffer.from(message))));
    }
    expect(arrived).toEqual(['ParseBindDescribeExecuteSync', 'Query', 'BindHush']);
    expect(replies).toHaveLength(3);
  });

  soakIt('go on after a statement that fails, prepared or not', async () => {
    const { db, drop } = await emptyEmbedded();
    const divide = (by: number) => sql<{ result: number }>`select 6 / ${by}::int as result`.execute(db);
    for (let time = 0; time < 3; time += 1) {
      await expect(divide(0)).rejects.toThrow('division by zero');
      expect((await divide(3)).rows).toEqual([{ result: 2 }]);
    }
    await expect(sql`no statement`.execute(db)).rejects.toThrow('syntax error');
    expect((await divide(2)).rows).toEqual([{ result: 3 }]);
    await drop();
  });
});
