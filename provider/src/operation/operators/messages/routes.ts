import type { Hono } from 'hono';
import type { AppContext, AppEnv } from '../../../base/http/environment.ts';
import { formOf, isTyped, PAGE_LIMIT, query, type OperatorRouteContext } from '../desk/route-context.ts';
import { listMessages, purgeMessages, retryMessages } from './store.ts';
import type { Operator } from '../desk/operator-store.ts';
import type { Fault } from '../desk/layout.ts';
import { outboxPage } from './page.ts';

/** The messages of the outbox. */
export function messageRoutes(app: Hono<AppEnv>, { services, operatorIn, adminIn }: OperatorRouteContext): void {
  const show = async (context: AppContext, operator: Operator, fault?: Fault) => {
    const state = query(context, 'state');
    const found = await listMessages(services, { state, after: query(context, 'after'), limit: PAGE_LIMIT });
    const view = { state, done: query(context, 'done'), ...(fault === undefined ? {} : { fault }) };
    return context.html(outboxPage(operator, found, view), fault === undefined ? 200 : 400);
  };
  app.get('/operators/outbox', async (context) => show(context, await operatorIn(context)));
  app.post('/operators/outbox/retry', async (context) => {
    const admin = await adminIn(context);
    await retryMessages(services, (await formOf(context)).get('id'), admin);
    return context.redirect('/operators/outbox?done=retried', 303);
  });
  app.post('/operators/outbox/purge', async (context) => {
    const admin = await adminIn(context);
    const form = await formOf(context);
    const state = form.get('final_state') ?? '';
    if (!isTyped(form, 'confirm', state)) {
      return show(context, admin.operator, { field: 'confirm', message: 'Type the state that you chose.' });
    }
    await purgeMessages(services, state, admin);
    return context.redirect('/operators/outbox?done=purged', 303);
  });
}
