import { beforeEach, describe, expect, it } from 'vitest';
import { auditRefusal } from '#provider/base/audit/budgets.ts';
import type { AuditEntry } from '#provider/base/audit/record.ts';
import { EITHER_DATABASE, type Fields, MINUTE } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { networks } from './places.ts';
import { soakIt } from '#tests/soak-tests.ts';

const HOUR = 60 * MINUTE;
const HERE = '198.51.100.7';
const THERE = '203.0.113.7';

/** The budgets by user and by kind, each beyond its end (threat T159). The floods over HTTP are in `audit-floods.test.ts`. */
describe.each(EITHER_DATABASE)('budgets of the audit log, on %s', (_, url) => {
  const provider = suiteProvider(url);
  let users = 0;
  let user: string;
  beforeEach(() => {
    provider.clock.time += 2 * HOUR;
    users += 1;
    user = `user-test-${users}`;
  });

  async function refuse(times: number, given: Partial<AuditEntry> & { readonly type?: string } = {}): Promise<void> {
    const { type = 'unauthorized_credentials', ...fields } = given;
    const entry: AuditEntry = {
      event: 'login',
      user_id: user,
      actor: { kind: 'anonymous', id: null },
      address: HERE,
      details: { error_type: type },
      ...fields,
    };
    for (let time = 0; time < times; time += 1) await auditRefusal(provider.services, entry);
  }
  const rowsOf = async (userId: string | null): Promise<readonly Fields[]> =>
    provider.services.db
      .selectFrom('audit_log')
      .selectAll()
      .where('user_id', userId === null ? 'is' : '=', userId)
      .where('created_at', '>=', new Date(provider.clock.time - HOUR))
      .orderBy('seq')
      .execute();

  it('one network fills 20 rows about a user, and none of those of another network', async () => {
    // More than all networks together may fill.
    await refuse(230);
    expect(await rowsOf(user)).toHaveLength(20);
    await refuse(5, { address: THERE });
    expect(await rowsOf(user)).toHaveLength(25);
  });

  it('all networks together fill 200 rows about a user, and the first of each other network is written', async () => {
    for (const address of networks(12)) await refuse(20, { address });
    const rows = await rowsOf(user);
    // The first row of each network does not count in the budget of all.
    expect(rows).toHaveLength(200 + 12);
    await refuse(5, { address: THERE });
    expect(await rowsOf(user)).toHaveLength(200 + 12 + 1);
  });

  soakIt('a full budget of one event or reason hides neither another event nor another reason', async () => {
    await refuse(25);
    await refuse(3, { type: 'user_locked' });
    await refuse(3, { event: 'factor_added' });
    const rows = await rowsOf(user);
    expect(rows).toHaveLength(26);
    expect(rows.slice(20).map(({ event, details }) => [event, (details as Fields)['error_type']])).toEqual([
      ...Array.from({ length: 3 }, () => ['login', 'user_locked']),
      ...Array.from({ length: 3 }, () => ['factor_added', 'unauthorized_credentials']),
    ]);
  });

  soakIt('a full budget of one user hides nothing about another one', async () => {
    await refuse(25);
    await refuse(3, { user_id: `${user}-other` });
    expect(await rowsOf(`${user}-other`)).toHaveLength(3);
  });

  it('refusals by the limit of a network count for the network, whichever users they name', async () => {
    await refuse(15, { type: 'too_many_requests' });
    await refuse(15, { type: 'too_many_requests', user_id: `${user}-other` });
    expect((await rowsOf(user)).length + (await rowsOf(`${user}-other`)).length).toBe(20);
  });

  it('a full budget of rows without a user hides nothing about a user', async () => {
    await refuse(25, { user_id: null });
    await refuse(3);
    expect([(await rowsOf(null)).length, (await rowsOf(user)).length]).toEqual([20, 3]);
  });
});
