import type { Hono } from 'hono';
import type { AppEnv } from '../../../base/http/environment.ts';
import { keysPage } from './page.ts';
import { formOf, query, type OperatorRouteContext } from '../desk/route-context.ts';
import { listKeys, rotateKey } from './store.ts';

/** The keys that sign tokens. */
export function keyRoutes(app: Hono<AppEnv>, { services, operatorIn, adminIn }: OperatorRouteContext): void {
  app.get('/operators/keys', async (context) => {
    const operator = await operatorIn(context);
    return context.html(keysPage(operator, await listKeys(services), query(context, 'done')));
  });
  app.post('/operators/keys/rotate', async (context) => {
    const admin = await adminIn(context);
    await rotateKey(services, (await formOf(context)).get('purpose') ?? '', admin);
    return context.redirect('/operators/keys?done=rotated', 303);
  });
}
