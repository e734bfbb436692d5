import type { Hono } from 'hono';
import type { AppContext, AppEnv } from '../../../base/http/environment.ts';
import { decideOnAgent, listAgents, readAgent } from './store.ts';
import type { Operator } from '../desk/operator-store.ts';
import { agentPage, agentsPage } from './page.ts';
import type { Fault } from '../desk/layout.ts';
import { formOf, isTyped, PAGE_LIMIT, param, query, type OperatorRouteContext } from '../desk/route-context.ts';

/** Agents, about which operators decide. */
export function agentRoutes(app: Hono<AppEnv>, { services, operatorIn, adminIn }: OperatorRouteContext): void {
  const showOne = async (context: AppContext, operator: Operator, fault?: Fault) => {
    const agent = await readAgent(services, param(context, 'agent'));
    const view = { done: query(context, 'done'), ...(fault === undefined ? {} : { fault }) };
    return context.html(agentPage(operator, agent, view), fault === undefined ? 200 : 400);
  };
  const placeOf = (clientId: string): string => `/operators/agents/${encodeURIComponent(clientId)}`;

  app.get('/operators/agents', async (context) => {
    const operator = await operatorIn(context);
    const waiting = query(context, 'waiting') === '1';
    const found = await listAgents(services.db, { after: query(context, 'after'), limit: PAGE_LIMIT, waiting });
    const isRequired = services.project.agents.approval_required;
    return context.html(agentsPage(operator, found, { waiting, isRequired, done: query(context, 'done') }));
  });
  app.get('/operators/agents/:agent', async (context) => showOne(context, await operatorIn(context)));
  app.post('/operators/agents/:agent/approve', async (context) => {
    const admin = await adminIn(context);
    const client_id = param(context, 'agent');
    const version = (await formOf(context)).get('version') ?? '';
    if (!(await decideOnAgent(services, { client_id, decision: 'approved', version }, admin))) {
      const message = 'Nothing was decided: the agent changed what it says of itself after you opened this page.';
      return showOne(context, admin.operator, { field: 'version', message });
    }
    return context.redirect(`${placeOf(client_id)}?done=approved`, 303);
  });
  app.post('/operators/agents/:agent/refuse', async (context) => {
    const admin = await adminIn(context);
    const client_id = param(context, 'agent');
    if (!isTyped(await formOf(context), 'confirm', client_id)) {
      return showOne(context, admin.operator, { field: 'confirm', message: `Type ${client_id} to refuse the agent.` });
    }
    await decideOnAgent(services, { client_id, decision: 'refused' }, admin);
    return context.redirect(`${placeOf(client_id)}?done=refused`, 303);
  });
}
