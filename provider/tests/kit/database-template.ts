import { randomBytes } from 'node:crypto';
import { openDatabase } from '#provider/base/db/open.ts';
import { template } from '#provider/base/db/template.ts';
import { dropWithCopies, newDatabase } from './postgres.ts';

/**
 * Makes the templates of the test databases before any test: in a fresh clone the first tests would each make the embedded one, and
 * on PostgreSQL every test file would apply every migration.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  await template();
  const url = process.env['TEST_DATABASE_URL'];
  // Projects of one run share it.
  if (url === undefined || process.env['TEST_DATABASE_TEMPLATE'] !== undefined) return undefined;
  const name = `portico_template_${randomBytes(6).toString('hex')}`;
  const { store } = await newDatabase(url, name);
  // A database that somebody is connected to cannot be copied, so the connection is closed.
  await (await openDatabase(store)).destroy();
  // The workers, which start later, inherit it.
  process.env['TEST_DATABASE_TEMPLATE'] = name;
  return () => dropWithCopies(url, name);
}
