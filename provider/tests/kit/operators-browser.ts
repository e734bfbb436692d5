import type { operatorsApp } from '#provider/operation/operators/app.ts';
import { inviteOperator } from '#provider/operation/operators/desk/operator-store.ts';
import type { Role } from '#provider/operation/operators/desk/roles.ts';
import type { Fields, Provider } from './harness.ts';
import { SoftwareAuthenticator } from './webauthn-authenticator.ts';

export const ORIGIN = 'https://ops.example.com';
/** Whoever invites the operators of a test. */
export const BY = { name: 'root', address: null, request_id: null };

interface BrowserRequest {
  readonly cookie?: string;
  readonly json?: Fields;
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Sendable = Readonly<Record<string, string | Blob>>;

export const cookieOf = ({ headers }: { readonly headers: Headers }): string =>
  (headers.get('set-cookie') ?? '').split(';')[0] ?? '';

/** A browser at the operators' page, without a server between them. */
export function operatorsBrowser(
  at: () => { readonly provider: Provider; readonly app: ReturnType<typeof operatorsApp> },
) {
  async function ask(method: string, path: string, { cookie, json, form, headers }: BrowserRequest = {}) {
    const body = json === undefined ? form && new URLSearchParams(form).toString() : JSON.stringify(json);
    const reply = await at().app.request(`${ORIGIN}/operators/${path}`, {
      method,
      headers: {
        host: 'ops.example.com',
        ...(method === 'POST' ? { origin: ORIGIN } : {}),
        ...(json === undefined ? { accept: 'text/html' } : { 'content-type': 'application/json' }),
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(cookie === undefined ? {} : { cookie }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await reply.text();
    return { status: reply.status, headers: reply.headers, text, location: reply.headers.get('location') };
  }
  const get = async (path: string, cookie: string) => ask('GET', path, { cookie });
  const post = async (path: string, cookie: string, form: Readonly<Record<string, string>> = {}) =>
    ask('POST', path, { cookie, form });

  /** Sends a form that may have files. */
  async function upload(path: string, cookie: string, fields: Sendable) {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    const headers = { host: 'ops.example.com', origin: ORIGIN, accept: 'text/html', cookie };
    const reply = await at().app.request(`${ORIGIN}/operators/${path}`, { method: 'POST', headers, body });
    return { status: reply.status, text: await reply.text() };
  }

  const optionsOf = async (path: string, json: Fields): Promise<Fields> =>
    (JSON.parse((await ask('POST', path, { json })).text) as Fields)['options'] as Fields;
  async function enrolled(name: string, role: Role = 'admin') {
    const token = await inviteOperator(at().provider.services, { name, role }, BY);
    const key = new SoftwareAuthenticator(ORIGIN);
    const credential = key.create(await optionsOf('enrol/start', { token }));
    const reply = await ask('POST', 'enrol/finish', { json: { token, credential } });
    return { token, key, credential, reply, cookie: cookieOf(reply) };
  }
  async function logIn(key: SoftwareAuthenticator) {
    const credential = key.get(await optionsOf('login/start', {}));
    return ask('POST', 'login/finish', { json: { credential } });
  }
  const events = async () =>
    (
      await at().provider.services.db.selectFrom('audit_log').select(['event', 'actor_id']).orderBy('seq').execute()
    ).map(({ event, actor_id }) => `${event} ${actor_id}`);
  /** The refusals at the login of the page. */
  const refusals = async () =>
    (
      await at()
        .provider.services.db.selectFrom('audit_log')
        .select(['event', 'details'])
        .where('outcome', '=', 'refused')
        .where('event', 'like', 'operator%')
        .orderBy('seq')
        .execute()
    ).map(({ event, details }) => `${event} ${JSON.stringify(details)}`);
  return { ask, get, post, upload, optionsOf, enrolled, logIn, events, refusals };
}
