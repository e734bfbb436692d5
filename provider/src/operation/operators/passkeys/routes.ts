import type { Hono } from 'hono';
import type { AppEnv } from '../../../base/http/environment.ts';
import { listFunnel } from './passkey-funnel.ts';
import { passkeysPage } from './page.ts';
import { query, type OperatorRouteContext } from '../desk/route-context.ts';

/** How many users of passkeys reach each step. */
export function passkeyRoutes(app: Hono<AppEnv>, { services, operatorIn }: OperatorRouteContext): void {
  app.get('/operators/passkeys', async (context) => {
    const operator = await operatorIn(context);
    return context.html(passkeysPage(operator, await listFunnel(services, query(context, 'since'))));
  });
}
