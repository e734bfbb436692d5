/** A process of its own: writes to the database in a folder until its write-ahead log needs a file for which the disk has no room. */
import { statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { endWhenBroken } from '#provider/base/db/engine/engine-end.ts';

const SEGMENT_BYTES = 16 * 1024 * 1024;

const [folder = ''] = process.argv.slice(2);
const pglite = await PGlite.create({ dataDir: join(folder, 'db') });
endWhenBroken(pglite, folder);
await pglite.exec('create table acknowledged (number int)');
const log = (bytes: number) => pglite.query(`select pg_logical_emit_message(true, 'x', repeat('x', ${bytes}))`);
const position = async (): Promise<number> => {
  const { rows } = await pglite.query<{ at: number }>(`select (pg_current_wal_insert_lsn() - '0/0')::int8 as at`);
  return (rows[0]?.at ?? 0) % SEGMENT_BYTES;
};
while ((await position()) < SEGMENT_BYTES - 1_000_000) await log(200_000);
const { bavail, bsize } = statfsSync(folder);
writeFileSync(join(folder, 'filler'), Buffer.alloc(bavail * bsize - 4_000_000));
for (let number = 1; ; number += 1) {
  await pglite.transaction(async (tx) => {
    await tx.query('insert into acknowledged values ($1)', [number]);
    await tx.query(`select pg_logical_emit_message(true, 'x', repeat('x', 20000))`);
  });
  process.stdout.write(`${number}\n`);
}
