import type { Hono } from 'hono';
import { Refusal } from '#domain/rules/refusal.ts';
import { bodyOf } from '#provider/base/http/bodies.ts';
import type { AppEnv } from '#provider/base/http/environment.ts';
import { mediaType } from '#provider/base/http/request.ts';
import type { OperatorRouteContext } from '../desk/route-context.ts';
import { USER_COMMANDS } from './commands.ts';
import { faultsOf, importLines, numberedLines } from './import-lines.ts';
import { importedPage, importPage } from './import-page.ts';

interface ImportForm {
  readonly step: string;
  /** The lines of the file, if there is one. */
  readonly text: string;
}

/** The form with its file, whose few bytes have already arrived. */
async function sentForm(request: Request): Promise<ImportForm> {
  const bytes = await bodyOf(request);
  if (mediaType(request) !== 'multipart/form-data') {
    throw new Refusal('unsupported_media_type', 'The body must be multipart/form-data.');
  }
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  const form = await new Response(Uint8Array.from(bytes), { headers }).formData().catch(() => {
    throw new Refusal('bad_request', 'The body is not a form.');
  });
  const textOf = (name: string): string => {
    const value = form.get(name);
    return typeof value === 'string' ? value : '';
  };
  const file = form.get('file');
  const step = textOf('step');
  if (file === null || typeof file === 'string' || file.size === 0) return { step, text: textOf('lines') };
  return { step, text: utf8(await file.arrayBuffer()) };
}

function utf8(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal('bad_request', 'The file must be text in UTF-8.');
  }
}

/** Imports users. All lines are checked first, and the page shows them again before it imports them. */
export function importRoutes(app: Hono<AppEnv>, { services, operatorIn }: OperatorRouteContext): void {
  const { roles } = USER_COMMANDS['users import'];
  app.get('/operators/import', async (context) =>
    context.html(importPage((await operatorIn(context, roles)).operator, {})),
  );
  app.post('/operators/import', async (context) => {
    const acting = await operatorIn(context, roles);
    const { operator } = acting;
    const form = await sentForm(context.req.raw).catch((error: unknown) => {
      if (error instanceof Refusal && error.type === 'bad_request') return error;
      throw error;
    });
    if (form instanceof Refusal) {
      const fault = { field: 'file', message: form.message };
      return context.html(importPage(operator, { fault }), 400);
    }
    const { step, text } = form;
    const faults = faultsOf(services.project, text);
    // The field for lines shows the lines of the file, so that they can be corrected there.
    if (faults.length > 0) {
      return context.html(importPage(operator, { text, fault: { field: 'lines', message: faults } }), 400);
    }
    if (step !== 'import') {
      return context.html(importPage(operator, { text, checked: numberedLines(text).length }));
    }
    const results = await importLines(services, text, acting);
    const totals = { imported: 0, exists: 0, refused: 0 };
    for (const { outcome } of results) totals[outcome.result] += 1;
    return context.html(importedPage(operator, results, totals));
  });
}
