import type { Hono } from 'hono';
import { listFailures } from '../../../apps/idp/failures/connection-failures.ts';
import type { AppEnv } from '../../../base/http/environment.ts';
import { connectionsPage } from './page.ts';
import { PAGE_LIMIT, query, type OperatorRouteContext } from '../desk/route-context.ts';

/** The failed connections of all apps. */
export function connectionRoutes(app: Hono<AppEnv>, { services, operatorIn }: OperatorRouteContext): void {
  app.get('/operators/connections', async (context) => {
    const operator = await operatorIn(context);
    const client = query(context, 'client');
    const found = await listFailures(services, {
      after: query(context, 'after'),
      limit: PAGE_LIMIT,
      client_id: client,
    });
    return context.html(connectionsPage(operator, found, client));
  });
}
