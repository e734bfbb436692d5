import pg from 'pg';
import type { Store } from '../../src/base/db/open.ts';

/** Makes a database on the server, as a copy of another one, and says how to be rid of it. */
export async function newDatabase(
  serverUrl: string,
  name: string,
  template = 'template1',
): Promise<{ store: Store & { readonly kind: 'postgres' }; drop: () => Promise<void> }> {
  const run = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: serverUrl });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await run(`create database ${name} template ${template}`);
  const own = new URL(serverUrl);
  own.pathname = `/${name}`;
  return { store: { kind: 'postgres', url: own.href }, drop: () => run(`drop database ${name} with (force)`) };
}
