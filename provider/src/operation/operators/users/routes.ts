import type { Hono } from 'hono';
import { waitingRecovery } from '../../../accounts/recovery/store.ts';
import { readBackendUser } from '../../../accounts/users/backend-user.ts';
import type { AppContext, AppEnv } from '../../../base/http/environment.ts';
import type { AuditActor } from '../desk/audit-actor.ts';
import { listAudit } from '../audit/audit-list.ts';
import { exportPerson } from './export-users.ts';
import { listUsers } from './list-users.ts';
import type { Operator } from '../desk/operator-store.ts';
import type { Fault } from '../desk/layout.ts';
import { titleOf, userPage, usersPage } from './page.ts';
import { deletePerson, endSessions, lockOut, sessionsFor, shortenRecoveryOf, unlock } from './actions.ts';
import { formOf, isTyped, PAGE_LIMIT, param, query, type OperatorRouteContext } from '../desk/route-context.ts';

/** The users and their sessions. */
export function userRoutes(app: Hono<AppEnv>, { services, operatorIn, adminIn }: OperatorRouteContext): void {
  const userIn = (context: AppContext): string => param(context, 'user');
  app.get('/operators/users', async (context) => {
    const operator = await operatorIn(context);
    const filter = { text: query(context, 'text'), locked: query(context, 'locked') === '1' };
    const found = await listUsers(services.db, { ...filter, after: query(context, 'after'), limit: PAGE_LIMIT });
    return context.html(usersPage(operator, found, { ...filter, done: query(context, 'done') }));
  });
  const showUser = async (context: AppContext, operator: Operator, fault?: Fault) => {
    const user = await readBackendUser(services.project, services.db, userIn(context));
    const sessions = await sessionsFor(services, user.user_id);
    const audit = await listAudit(services, { user_id: user.user_id, limit: PAGE_LIMIT });
    const recovery = (await waitingRecovery(services, services.db, user.user_id))?.available_at ?? null;
    const details = {
      user,
      sessions,
      audit,
      recovery,
      done: query(context, 'done'),
      ...(fault === undefined ? {} : { fault }),
    };
    return context.html(userPage(operator, details), fault === undefined ? 200 : 400);
  };
  app.get('/operators/users/:user', async (context) => showUser(context, await operatorIn(context)));
  const userAct = (
    name: string,
    done: string,
    act: (user: string, by: AuditActor, fields: URLSearchParams) => Promise<unknown>,
  ): void => {
    app.post(`/operators/users/:user/${name}`, async (context) => {
      const admin = await adminIn(context);
      const user = userIn(context);
      await act(user, admin, await formOf(context));
      return context.redirect(`/operators/users/${encodeURIComponent(user)}?done=${done}`, 303);
    });
  };
  userAct('lock', 'locked', async (user, admin) => lockOut(services, user, admin));
  userAct('unlock', 'unlocked', async (user, admin) => unlock(services, user, admin));
  userAct('shorten-recovery', 'recovery-shortened', async (user, admin) => shortenRecoveryOf(services, user, admin));
  userAct('sign-out', 'signed-out', async (user, admin, fields) => {
    const session_id = fields.get('session_id');
    return endSessions(services, session_id === null ? { user } : { session_id }, admin);
  });
  app.post('/operators/users/:user/delete', async (context) => {
    const admin = await adminIn(context);
    const title = titleOf(await readBackendUser(services.project, services.db, userIn(context)));
    if (!isTyped(await formOf(context), 'confirm', title)) {
      return showUser(context, admin.operator, { field: 'confirm', message: `Type ${title} to delete the user.` });
    }
    await deletePerson(services, userIn(context), admin);
    return context.redirect('/operators/users?done=deleted', 303);
  });
  app.post('/operators/users/:user/export', async (context) => {
    const admin = await adminIn(context);
    const person = await exportPerson(services, userIn(context), false, admin);
    return context.body(JSON.stringify(person, null, 2), 200, {
      'Content-Type': 'application/json',
      'Content-Disposition': `attachment; filename="user.json"`,
    });
  });
}
