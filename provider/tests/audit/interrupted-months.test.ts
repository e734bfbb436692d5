import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { ROOT } from '../../../scripts/lib/root.mjs';
import { migrate } from '../../src/base/db/migrate.ts';
import { MIGRATIONS } from '../../src/base/db/migrations.ts';
import { AUDIT_MONTHS } from '../../src/base/db/migrations/0126-audit-months.ts';
import { openToMigrate } from '../../src/base/db/open.ts';
import { DATABASES } from '../kit/harness.ts';
import { olderSchema } from '../kit/older-schema.ts';

const POSTGRES = DATABASES.find(([name]) => name === 'postgres')?.[1];
const page = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
const undo = /## When an upgrade was interrupted\n.*?```text\n(.*?)```/su.exec(page)?.[1] ?? '';
const INSERT = `insert into audit_log (created_at, event, outcome, actor_kind)
  values (now() + interval '3 months', 'login', 'ok', 'user')`;

it.runIf(POSTGRES !== undefined)(
  'the steps of the runbook undo an interrupted change of the audit log to months, so that an older version can stay, and it begins again',
  async () => {
    const { url, drop } = await olderSchema(POSTGRES, '0126');
    onTestFinished(drop);
    const older = Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < '0126'));
    const [first = []] = AUDIT_MONTHS.steps;
    const interrupted = { ...older, '0126_audit_months': { steps: [first, ['select 1 / 0']] } };
    const store = { kind: 'postgres', url } as const;
    await expect(openToMigrate(store, (db) => migrate(db, interrupted))).rejects.toThrow('division by zero');
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await expect(client.query(INSERT)).rejects.toThrow('audit_log_before');
    for (const statement of undo.split(';\n')) await client.query(statement);
    await client.query(INSERT);
    expect(await openToMigrate(store, (db) => migrate(db))).toContain('0126_audit_months');
    const { rows } = await client.query(`select tableoid::regclass::text as at from audit_log`);
    expect(rows).toEqual([{ at: 'audit_log_before' }]);
    await client.end();
  },
);
