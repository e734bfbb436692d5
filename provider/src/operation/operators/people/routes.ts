import type { Hono } from 'hono';
import { Refusal } from '../../../../../src/domain/rules/refusal.ts';
import type { AppEnv } from '../../../base/http/environment.ts';
import { formOf, query, type OperatorRouteContext } from '../desk/route-context.ts';
import { listOperators, removeOperator } from '../desk/operator-store.ts';
import { operatorsPage } from './page.ts';

/** The list of operators. The page offers no invitations, because a stolen session must not create another operator. */
export function operatorRoutes(app: Hono<AppEnv>, { services, operatorIn, adminIn }: OperatorRouteContext): void {
  app.get('/operators/people', async (context) => {
    const operator = await operatorIn(context);
    const view = { done: query(context, 'done') };
    return context.html(operatorsPage(operator, await listOperators(services), view));
  });
  app.post('/operators/people/remove', async (context) => {
    const admin = await adminIn(context);
    const name = (await formOf(context)).get('name')?.trim() ?? '';
    try {
      await removeOperator(services, name, admin, true);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const fault = { field: 'name', message: error.message };
      const operators = await listOperators(services);
      return context.html(operatorsPage(admin.operator, operators, { fault }), error.status as 400);
    }
    return context.redirect('/operators/people?done=removed', 303);
  });
}
