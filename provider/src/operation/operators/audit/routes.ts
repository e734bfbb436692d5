import type { Hono } from 'hono';
import type { AppEnv } from '../../../base/http/environment.ts';
import { listAudit } from './audit-list.ts';
import { auditPage } from './page.ts';
import { PAGE_LIMIT, query, type OperatorRouteContext } from '../desk/route-context.ts';

/** The audit log. */
export function auditRoutes(app: Hono<AppEnv>, { services, operatorIn }: OperatorRouteContext): void {
  app.get('/operators/audit', async (context) => {
    const operator = await operatorIn(context);
    const names = ['user_id', 'event', 'outcome', 'address'] as const;
    const values = Object.fromEntries(names.map((name) => [name, query(context, name)]));
    // The page shows the names of events in words.
    const filters = { ...values, event: values['event']?.trim().replaceAll(' ', '_') };
    const found = await listAudit(services, { ...filters, before: query(context, 'after'), limit: PAGE_LIMIT });
    return context.html(auditPage(operator, found, filters));
  });
}
