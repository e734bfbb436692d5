import { expect, it } from 'vitest';
import type { Db } from '#provider/base/db/database.ts';
import { insertMany } from '#provider/base/db/statements/insert-many.ts';

const GRANTED = { user_id: 'user-a', email: 'ada@example.com' };

it.each([
  ['no value', [{ ...GRANTED, verified: undefined }], 'verified'],
  ['fewer columns', [{ ...GRANTED, verified: true }, GRANTED], 'verified'],
  ['more columns', [GRANTED, { ...GRANTED, verified: true }], 'verified'],
])('rows of which one has %s are refused, because the database would write null', async (_, rows, column) => {
  await expect(insertMany(null as unknown as Db, 'emails', rows as never)).rejects.toThrow(
    new TypeError(`Rows for emails differ in the column ${column}.`),
  );
});
