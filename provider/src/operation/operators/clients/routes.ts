import type { Hono } from 'hono';
import { Refusal, SchemaRefusal } from '../../../../../src/domain/rules/refusal.ts';
import type { AppContext, AppEnv } from '../../../base/http/environment.ts';
import { createClient, deleteClient, listClients, readClient, rotateClient } from './store.ts';
import { formOf, isTyped, PAGE_LIMIT, param, query, type OperatorRouteContext } from '../desk/route-context.ts';
import type { Operator } from '../desk/operator-store.ts';
import { clientPage, clientsPage, secretPage, type ClientsPage, type NewClient } from './page.ts';
import type { Fault } from '../desk/layout.ts';

const STEPS = ['finish', 'cancel'] as const;
const DONE = { finish: 'finished', cancel: 'cancelled' } as const;

/** The mistake in a field; rethrows any other error. */
function faultOf(error: unknown): Fault {
  const [issue] = error instanceof SchemaRefusal ? error.body : [];
  if (issue === undefined) throw error;
  // Such as `redirect_urls[1]`.
  const [field = ''] = String(issue.dataPath[0]).split('[');
  // An operator sees lines instead of a list.
  return { field, message: issue.message.replace(/^\w+\[(\d+)\]/u, (_, at) => `line ${Number(at) + 1}`) };
}

/** Clients and their secrets. */
export function clientRoutes(app: Hono<AppEnv>, { services, operatorIn, adminIn }: OperatorRouteContext): void {
  const showAll = async (context: AppContext, operator: Operator, view: ClientsPage) => {
    const found = await listClients(services, { after: query(context, 'after') ?? '', limit: PAGE_LIMIT });
    return context.html(clientsPage(operator, found, view), view.fault === undefined ? 200 : 400);
  };
  const showOne = async (context: AppContext, operator: Operator, fault?: Fault) => {
    const client = await readClient(services, param(context, 'client'));
    const view = { done: query(context, 'done'), ...(fault === undefined ? {} : { fault }) };
    return context.html(clientPage(operator, client, view), fault === undefined ? 200 : 400);
  };
  const placeOf = (clientId: string): string => `/operators/clients/${encodeURIComponent(clientId)}`;

  app.get('/operators/clients', async (context) =>
    showAll(context, await operatorIn(context), { done: query(context, 'done') }),
  );
  app.post('/operators/clients', async (context) => {
    const admin = await adminIn(context);
    const form = await formOf(context);
    const values: NewClient = {
      client_name: form.get('client_name')?.trim() ?? '',
      client_type: form.get('client_type') ?? '',
      redirect_urls: form.get('redirect_urls') ?? '',
    };
    const redirect_urls = values.redirect_urls
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    const result = await createClient(services, { ...values, redirect_urls }, admin).catch(faultOf);
    if ('field' in result) return showAll(context, admin.operator, { values, fault: result });
    if (!('client_secret' in result)) return context.redirect(`${placeOf(result.client_id)}?done=created`, 303);
    return context.html(secretPage(admin.operator, result.client_id, String(result.client_secret)));
  });
  app.get('/operators/clients/:client', async (context) => showOne(context, await operatorIn(context)));
  app.post('/operators/clients/:client/rotate', async (context) => {
    const admin = await adminIn(context);
    const client_id = param(context, 'client');
    const secret = await rotateClient(services, { client_id, step: 'start' }, admin);
    return context.html(secretPage(admin.operator, client_id, secret ?? ''));
  });
  app.post('/operators/clients/:client/end-rotation', async (context) => {
    const admin = await adminIn(context);
    const client_id = param(context, 'client');
    const form = await formOf(context);
    const step = STEPS.find((each) => each === form.get('step'));
    if (step === undefined) throw new Refusal('bad_request', `step must be one of ${STEPS.join(', ')}.`);
    if (!isTyped(form, 'confirm_rotation', client_id)) {
      const message = `Type ${client_id} to end a secret.`;
      return showOne(context, admin.operator, { field: 'confirm_rotation', message });
    }
    await rotateClient(services, { client_id, step }, admin);
    return context.redirect(`${placeOf(client_id)}?done=${DONE[step]}`, 303);
  });
  app.post('/operators/clients/:client/delete', async (context) => {
    const admin = await adminIn(context);
    const client_id = param(context, 'client');
    if (!isTyped(await formOf(context), 'confirm', client_id)) {
      return showOne(context, admin.operator, { field: 'confirm', message: `Type ${client_id} to delete the client.` });
    }
    await deleteClient(services, client_id, admin);
    return context.redirect('/operators/clients?done=deleted', 303);
  });
}
