import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '#provider/base/db/database.ts';
import { migrate } from '#provider/base/db/migrate.ts';
import { MIGRATIONS } from '#provider/base/db/migrations.ts';
import { openDatabase } from '#provider/base/db/open.ts';
import { EITHER_DATABASE, freshStore, PATIENCE } from '../kit/harness.ts';

const NAME = '0146_arrivals';
/** Undoes the migration: the schema that servers of the version before it have. */
const UNDO = [
  'drop trigger arrival_noted on users',
  'drop function note_arrival()',
  'alter table users drop column arrival, drop column came_in, drop column roles_named',
  `delete from kysely_migration where name = '${NAME}'`,
];
/** The log begins here: what was written earlier is gone. */
const LOG = '2029-06-01';
const [BEFORE, AFTER] = ['2029-01-01', '2029-07-01'];

interface OldUser {
  readonly managed?: boolean;
  readonly vouched?: boolean;
  readonly status?: 'active' | 'pending';
  readonly at?: string;
  /** The events of the log about the user. */
  readonly events?: readonly string[];
  /** Statements that write more about the user, whose id is in `$1`. */
  readonly rows?: readonly string[];
}

const address = (verified: boolean) =>
  `insert into emails values ('email-' || $1, $1, $1 || '@example.com', $1 || '@example.com', ${verified}, now())`;
const session = (factors: object) =>
  `insert into sessions values ('session-' || $1, $1, now(), now(), now() + interval '1 hour', '{}', '${JSON.stringify([factors])}')`;
const INVITATION = `insert into magic_links (token_hash, user_id, expires_at, purpose, made_user)
  values ('token-' || $1, $1, now() + interval '1 hour', 'invite', true)`;

const NOT_IN: Readonly<Record<string, readonly [expected: 'alone' | 'made', user: OldUser]>> = {
  'made by a request': ['alone', { status: 'pending' }],
  'made by a request as active': ['alone', {}],
  'made by a request, and given metadata': ['alone', { managed: true, events: ['user_changed'] }],
  'made by a request, and given a name': ['alone', { managed: true, vouched: true, events: ['user_changed'] }],
  'made by a request before the log began, and given metadata': ['alone', { managed: true, at: BEFORE }],
  'invited with a name': ['alone', { managed: true, vouched: true, status: 'pending', events: ['user_invited'] }],
  'invited with a name before the log began': [
    'alone',
    { managed: true, vouched: true, status: 'pending', at: BEFORE, rows: [INVITATION] },
  ],
  'an unmanaged line of an import': ['alone', { events: ['user_imported'] }],
  'acted for by an operator': ['alone', { rows: [session({ type: 'impersonated' })] }],
  'made by the server': ['made', { managed: true, vouched: true, events: ['user_created'] }],
  'made by the server as pending': ['made', { managed: true, vouched: true, status: 'pending', events: ['user_created'] }],
  'made by the server before the log began': ['made', { managed: true, vouched: true, at: BEFORE }],
  'imported': ['made', { managed: true, vouched: true, events: ['user_imported', 'user_changed'] }],
}; // prettier-ignore

const CAME_IN: Readonly<Record<string, OldUser>> = {
  'with a proven address': { rows: [address(true)] },
  'with a proven number': {
    rows: [`insert into phone_numbers values ('phone-' || $1, $1, '+1' || length($1), true, now())`],
  },
  'with a password': { rows: [`insert into passwords values ('password-' || $1, $1, 'hash', false, now())`] },
  'with a wallet': {
    rows: [`insert into crypto_wallets values ('wallet-' || $1, $1, 'ethereum', '0x' || $1, now())`],
  },
  'with a social account': {
    rows: [`insert into oauth_registrations values ('oauth-' || $1, $1, 'google', $1, '', '', now())`],
  },
  'with a passkey': {
    rows: [
      `insert into webauthn_registrations values ('passkey-' || $1, $1, 'localhost', $1, '', '', 0, false, '[]', '', '', '', now())`,
    ],
  },
  'by a link of the server': { rows: [address(false), session({ type: 'magic_link' })] },
};

describe.each(EITHER_DATABASE)('the migration to stored arrivals, on %s', (_, url) => {
  let db: Db;
  let drop: () => Promise<void>;
  const run = (text: string, id = '') => sql`${sql.raw(text.replaceAll('$1', `'${id}'`))}`.execute(db);
  const idOf = (title: string): string => title.replaceAll(/\W+/gu, '-');
  const stored = async (title: string) =>
    db
      .selectFrom('users')
      .select(['arrival', 'came_in', 'roles_named'])
      .where('user_id', '=', idOf(title))
      .executeTakeFirstOrThrow();

  async function insert(title: string, user: OldUser): Promise<void> {
    const { managed = false, vouched = false, status = 'active', at = AFTER, events = [], rows = [] } = user;
    const id = idOf(title);
    await run(
      `insert into users (user_id, created_at, status, name, trusted_metadata, untrusted_metadata, roles, managed, vouched)
       values ($1, '${at}', '${status}', '{}', '{}', '{}', '[]', ${managed}, ${vouched})`,
      id,
    );
    for (const event of events) {
      await run(
        `insert into audit_log (created_at, event, outcome, user_id, actor_kind) values ('${AFTER}', '${event}', 'ok', $1, 'server')`,
        id,
      );
    }
    for (const row of rows) await run(row, id);
  }

  beforeAll(async () => {
    const fresh = await freshStore(url);
    drop = fresh.drop;
    db = await openDatabase(fresh.store, undefined, PATIENCE);
    for (const statement of UNDO) await run(statement);
    await run(
      `insert into audit_log (created_at, event, outcome, actor_kind) values ('${LOG}', 'settings_reloaded', 'ok', 'operator')`,
    );
    for (const [title, [, user]] of Object.entries(NOT_IN)) await insert(title, user);
    for (const [title, user] of Object.entries(CAME_IN)) await insert(title, user);
    expect(await migrate(db, MIGRATIONS)).toEqual([NAME]);
  });
  afterAll(async () => {
    await db.destroy();
    await drop();
  });

  it.each(Object.entries(NOT_IN))('finds how a user came who has not come in: %s', async (title, [arrival, user]) => {
    expect(await stored(title)).toEqual({ arrival, came_in: false, roles_named: user.managed ?? false });
  });

  it.each(Object.keys(CAME_IN))('leaves the row of a user as it is who came in %s', async (title) => {
    expect(await stored(title)).toEqual({ arrival: null, came_in: true, roles_named: false });
  });

  it('completes the rows of servers of an older version', async () => {
    await insert('made later', { managed: true });
    await insert('came later', {});
    expect(await stored('made later')).toEqual({ arrival: 'made', came_in: false, roles_named: false });
    expect(await stored('came later')).toEqual({ arrival: 'alone', came_in: false, roles_named: false });
    await expect(run(`update users set arrival = 'invited' where user_id = $1`, 'came-later')).rejects.toThrow(
      'users_arrival',
    );
  });
});
