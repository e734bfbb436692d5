import pg from 'pg';

/** A parameter that only this program uses. */
const MARK = 'portico.direct';
const CONNECT_MS = 10_000;
/** The answers of poolers to the parameter: PgBouncer, and Amazon's RDS Proxy. */
const REFUSED = /unsupported startup parameter|support command-line options/iu;

/**
 * Whether a pooler such as PgBouncer is between this process and the database. Then the statements of one process use different
 * connections: a prepared statement, a session lock or a `set` of one statement is missing in the next, and remains for others. The check
 * sends an unknown parameter when it connects: a pooler refuses or drops it, and the database itself keeps it.
 */
export async function isPooled(url: string): Promise<boolean> {
  const marked = new URL(url);
  const options = marked.searchParams.get('options') ?? '';
  marked.searchParams.set('options', `${options} -c ${MARK}=1`.trim());
  const client = new pg.Client({ connectionString: marked.href, connectionTimeoutMillis: CONNECT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ mark: string | null }>(`select current_setting('${MARK}', true) as mark`);
    return rows[0]?.mark !== '1';
  } catch (error) {
    if (error instanceof Error && REFUSED.test(error.message)) return true;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}
