import pg from 'pg';

/**
 * The session settings that statements and the reading of values rely on. A role, a database or a server may have other defaults, with
 * which times would be read incorrectly or not at all.
 */
const SETTINGS = {
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  array_nulls: 'on',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
} as const;

/** The settings that every pooler accepts from each client, and keeps for it. */
const POOLED = ['DateStyle', 'TimeZone', 'standard_conforming_strings'] as const;

const assignments = (command: string): string =>
  Object.entries(SETTINGS)
    .map(([name, value]) => `${command} ${name} = '${value}'`)
    .join('; ');

/** For a session that only this process uses. */
export const SET_SESSION = assignments('set');
/** For a transaction through a pooler. Its isolation level is set when it begins. */
export const SET_TRANSACTION = assignments('set local');

/**
 * A class of clients that send the settings when they connect, which needs no additional request.
 *
 * @param pooled whether a pooler is in between, which refuses other settings
 */
export function clientWithSettings(pooled: boolean): typeof pg.Client {
  const names: readonly (keyof typeof SETTINGS)[] = pooled ? POOLED : (Object.keys(SETTINGS) as never);
  const settings = Object.fromEntries(names.map((name) => [name, SETTINGS[name]]));
  return class extends pg.Client {
    /** The driver sends all fields of this object as session parameters. */
    getStartupConf(): object {
      const { prototype } = pg.Client as unknown as { readonly prototype: { getStartupConf(): object } };
      return { ...prototype.getStartupConf.call(this), ...settings };
    }
  };
}

/** Throws if a pooler drops the settings of its clients. */
export async function checkPooledSettings(url: string): Promise<void> {
  const Client = clientWithSettings(true);
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    for (const name of POOLED) {
      const { rows } = await client.query<{ value: string }>(`select current_setting('${name}') as value`);
      const value = rows[0]?.value ?? '';
      if (value === SETTINGS[name]) continue;
      throw new Error(
        `the pooler keeps ${name} = ${value} of the role or the database: alter role … set ${name} = '${SETTINGS[name]}'.`,
      );
    }
  } finally {
    await client.end().catch(() => undefined);
  }
}
