/** What the operators' page shows of a user, from a database in memory, as a page that loads nothing. */
import { readBackendUser } from '../../provider/src/accounts/users/backend-user.ts';
import { listAudit } from '../../provider/src/operation/operators/audit/audit-list.ts';
import { importUser } from '../../provider/src/operation/operators/users/import-users.ts';
import { listUsers } from '../../provider/src/operation/operators/users/list-users.ts';
import { PAGE_CSS } from '../../provider/src/operation/operators/desk/css.ts';
import { userDetails } from '../../provider/src/operation/operators/users/page.ts';
import { DEMO_PROJECT } from '../../provider/src/project/settings/project.ts';
import { memoryServices } from './memory-services.ts';

const AT = Date.UTC(2026, 0, 1, 12);
const GRACE = { operator_id: 'operator-test', name: 'Grace', role: 'admin' } as const;
const BY = { name: GRACE.name, address: null, request_id: null };
const ADA = {
  emails: [{ email: 'ada@example.com', verified: true }],
  phone_numbers: [{ phone_number: '+14155552671', verified: true }],
  name: { first_name: 'Ada', last_name: 'Lovelace' },
  external_id: 'crm-1843',
};

export async function operatorsPageOfAda(): Promise<string> {
  const services = await memoryServices({ now: () => AT });
  const { db } = services;
  try {
    await importUser(services, ADA, BY);
    const { users } = await listUsers(db, { limit: 1 });
    const [found] = users;
    if (found === undefined) throw new Error('the import made no user');
    const { user_id } = found.user;
    const user = await readBackendUser(DEMO_PROJECT, db, user_id);
    const audit = await listAudit(services, { user_id, limit: 10 });
    const page = await userDetails(GRACE, { user, sessions: [], audit, recovery: null });
    return page
      .toString()
      .replaceAll(/<script\b[^>]*><\/script>/gu, '')
      .replace(/<link rel="stylesheet"[^>]*>/u, `<style>${PAGE_CSS}</style>`);
  } finally {
    await db.destroy();
  }
}
