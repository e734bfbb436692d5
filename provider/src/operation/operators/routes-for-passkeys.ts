import type { Hono } from 'hono';
import type { AppEnv } from '../../base/http/environment.ts';
import { listFunnel } from './passkey-funnel.ts';
import { passkeysPage } from './pages/passkeys.ts';
import { query, type OperatorRouteContext } from './route-context.ts';

/** How far passkeys come. */
export function passkeyRoutes(app: Hono<AppEnv>, { services, operatorIn }: OperatorRouteContext): void {
  app.get('/operators/passkeys', async (context) => {
    const operator = await operatorIn(context);
    return context.html(passkeysPage(operator, await listFunnel(services, query(context, 'since'))));
  });
}
