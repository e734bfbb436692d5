import type { Hono } from 'hono';
import { Refusal } from '#domain/rules/refusal.ts';
import type { AppContext, AppEnv } from '#provider/base/http/environment.ts';
import { agentPage, agentsPage } from './agents/page.ts';
import { auditPage } from './audit/page.ts';
import { clientPage, clientsPage } from './clients/page.ts';
import { OPERATOR_COMMANDS } from './commands.ts';
import { connectionsPage } from './connections/page.ts';
import type { CommandForm, Download, OperatorCommand } from './desk/command.ts';
import type { Fault } from './desk/layout.ts';
import type { Listing } from './desk/listing.ts';
import { PAGE_ROLES, type PagePath } from './desk/roles.ts';
import { formOf, pageRequest, paramsOf, type OperatorRouteContext, type View } from './desk/route-context.ts';
import { keysPage } from './keys/page.ts';
import { outboxPage } from './messages/page.ts';
import { passkeysPage } from './passkeys/page.ts';
import { operatorsPage } from './people/page.ts';
import { userPage, usersPage } from './users/page.ts';

const VIEWS: Readonly<Record<PagePath, View>> = {
  users: usersPage,
  'users/:user': userPage,
  clients: clientsPage,
  'clients/:client': clientPage,
  agents: agentsPage,
  'agents/:agent': agentPage,
  connections: connectionsPage,
  passkeys: passkeysPage,
  keys: keysPage,
  outbox: outboxPage,
  audit: auditPage,
  people: operatorsPage,
};

/** The pages that operators read, and the forms by which they run commands. */
export function pageRoutes(app: Hono<AppEnv>, desk: OperatorRouteContext): void {
  for (const [path, view] of Object.entries(VIEWS) as [PagePath, View][]) {
    app.get(`/operators/${path}`, async (context) => {
      const { operator } = await desk.operatorIn(context, PAGE_ROLES[path]);
      return context.html(await view(pageRequest(context, desk.services, operator)));
    });
  }
  const commands = Object.values<OperatorCommand>(OPERATOR_COMMANDS);
  // Two commands may share a form.
  const forms = new Map<CommandForm, OperatorCommand>(
    commands.flatMap((command) => (command.forms ?? []).map((form) => [form, command] as const)),
  );
  for (const [form, command] of forms) {
    const path = form.act === undefined ? form.page : `${form.page}/${form.act}`;
    app.post(`/operators/${path}`, formRoute(desk, command, form));
  }
  for (const command of commands) {
    const { download } = command;
    if (download !== undefined) {
      app.get(`/operators/${download.page}/${download.act}`, downloadRoute(desk, command, download));
    }
  }
}

/** Sends all rows of a command, in pages that are read as fast as they are taken. */
function downloadRoute({ services, operatorIn }: OperatorRouteContext, command: OperatorCommand, { file }: Download) {
  return async (context: AppContext): Promise<Response> => {
    const { operator, ...by } = await operatorIn(context, command.roles);
    const after = pageRequest(context, services, operator).query('after');
    const pageAfter = async (position: string | undefined): Promise<Listing> =>
      command.run(services, position === undefined ? {} : { after: position }, by);
    // A wrong position is answered before the file begins.
    const first = await pageAfter(after);
    const lines = linesFrom(first, pageAfter, (error) => services.report(error, { where: 'download' }));
    const headers = { 'Content-Type': 'application/jsonl', 'Content-Disposition': `attachment; filename="${file}"` };
    return context.body(lines, 200, headers);
  };
}

/** The rows of this page and of all that follow, a line of JSON for each. */
function linesFrom(
  first: Listing,
  pageAfter: (position: string) => Promise<Listing>,
  report: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let page = first;
  return new ReadableStream({
    async pull(controller) {
      controller.enqueue(encoder.encode(page.rows.map((row) => `${JSON.stringify(row)}\n`).join('')));
      if (page.next === null) return controller.close();
      page = await pageAfter(page.next).catch((error: unknown) => {
        report(error);
        throw error;
      });
    },
  });
}

/** Runs the command of a form, in the name of the operator. */
function formRoute({ services, operatorIn }: OperatorRouteContext, command: OperatorCommand, form: CommandForm) {
  return async (context: AppContext): Promise<Response> => {
    const { operator, ...by } = await operatorIn(context, command.roles);
    const input = await formOf(context);
    const fields = { ...paramsOf(context), ...form.fields?.(input) };
    const again = async (fault: Fault, status = 400): Promise<Response> => {
      const request = { ...pageRequest(context, services, operator), form: input, fault };
      return context.html(await VIEWS[form.page](request), status as 400);
    };
    const confirmation = await form.confirm?.(fields, services);
    if (confirmation !== undefined && input.get(confirmation.field)?.trim() !== confirmation.text) {
      return again(confirmation);
    }
    const result = await command.run(services, fields, by).catch((error: unknown) => {
      const fault = form.faultOf?.(error);
      if (fault === undefined) throw error;
      return { fault, status: error instanceof Refusal ? error.status : 400 };
    });
    if ('fault' in result) return again(result.fault, result.status);
    const [row = {}] = result.rows;
    if (form.file !== undefined) {
      const disposition = `attachment; filename="${form.file}"`;
      const headers = { 'Content-Type': 'application/json', 'Content-Disposition': disposition };
      return context.body(JSON.stringify(row, null, 2), 200, headers);
    }
    const secretPage = form.secret?.(row, operator);
    if (secretPage !== undefined) return context.html(await secretPage);
    const ids: Readonly<Record<string, unknown>> = { ...row, ...fields };
    const next = (form.next ?? form.page).replaceAll(/:(\w+)/gu, (_, name: string) =>
      encodeURIComponent(String(ids[name])),
    );
    const done = typeof form.done === 'function' ? form.done(row) : form.done;
    return context.redirect(`/operators/${next}?done=${done}`, 303);
  };
}
