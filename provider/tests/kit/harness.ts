import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { SessionUses } from '#provider/accounts/sessions/rows/session-uses.ts';
import { createApp, type AppOptions } from '#provider/operation/app.ts';
import { openDatabase, type Store } from '#provider/base/db/open.ts';
import { DATABASE_PATIENCE, type DatabasePatience } from '#provider/base/db/engine/postgres.ts';
import { reportTo, reportToStderr } from '#provider/base/log/error-log.ts';
import { createLog } from '#provider/base/log/log.ts';
import { NO_METRICS } from '#provider/base/metrics/metrics.ts';
import { systemRandom } from '#provider/base/platform.ts';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import type { ClearKeys } from '#provider/base/security/clear-keys.ts';
import { masterKeysFrom } from '#provider/base/security/master-key.ts';
import { keysInDatabase } from '#provider/base/security/server-keys.ts';
import { ALGORITHM } from '#provider/base/security/signing-key-rows.ts';
import { InboxHub, type InboxMessage } from '#provider/messages/inbox-hub.ts';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import type { Services } from '#provider/api/services.ts';
import { PATIENCE_MS } from '#tests/patience-ms.ts';
import { SOAK } from '#tests/soak.ts';
import { emptyEmbedded } from './embedded.ts';
import { emptyPostgres, newDatabase, type EmptyDatabase } from './postgres.ts';

const url = process.env['TEST_DATABASE_URL'];

/** What servers and commands that a test starts on a database of its own open it with, unless it says otherwise. */
process.env['PORTICO_KEY'] ??= randomBytes(32).toString('base64url');
export const MASTER = masterKeysFrom(process.env['PORTICO_KEY']);

/** For `describe.each`: the embedded database always, PostgreSQL where one is given. */
export const DATABASES: readonly (readonly [name: string, url: string | undefined])[] =
  url === undefined ? [['pglite', undefined]] : [['pglite', undefined], ['postgres', url]]; // prettier-ignore

/**
 * For `describe.each` of cases that send both databases the same statements: PostgreSQL where one is given, else the embedded
 * database; both in soaks. On both in every run: the engines (`db/`). The browser tests run on the embedded one.
 */
export const EITHER_DATABASE = SOAK ? DATABASES : DATABASES.slice(-1);

/**
 * For a test of which a database is no part: PostgreSQL where one is given, because to start the embedded one takes seconds of computing.
 */
export const ANY_DATABASE = url;

/** Whether a database plays no more than one case of each kind, because another one plays all. */
export const isSecond = (databaseUrl: string | undefined): boolean =>
  !EITHER_DATABASE.some(([, each]) => each === databaseUrl);

/** For tests that finish a login by its token alone, as a client without PKCE does. */
export const WITHOUT_PKCE = {
  pkce_required_for_email_magic_links: false,
  pkce_required_for_password_resets: false,
  pkce_required_for_oauth: false,
  pkce_required_for_sso: false,
};

export const PUBLIC_TOKEN = DEMO_PROJECT.public_token;
export const MINUTE = 60_000;
/** The uses of sessions are written when a test says so: a timer of this machine would write them in the middle of any. */
const NEVER_MS = 3_600_000;

/** Fields of any reply, checked by the test that reads them. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Fields = Record<string, any>;

export interface ProviderResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly data: Fields;
  /** The whole body: where errors are. */
  readonly body: Fields;
}

interface Extras {
  readonly session?: string;
  readonly headers?: Record<string, string>;
  readonly raw?: string;
  /** Another app on the same services. */
  readonly app?: Pick<ReturnType<typeof createApp>, 'request'>;
}

export type Provider = Awaited<ReturnType<typeof makeProvider>>;

/** A provider in this process, on a database of its own, with a clock that tests move. */
export async function makeProvider(databaseUrl?: string, options: Partial<AppOptions> = {}, makeApp = createApp) {
  const { db, drop } = await emptyDatabase(databaseUrl);
  const clock = { time: Date.UTC(2030, 0, 1), now: () => clock.time };
  const logged: string[] = [];
  const traces: string[] = [];
  const log = createLog({ level: 'info', format: 'text' }, (line) =>
    (line.startsWith('error ') ? traces : logged).push(line.trimEnd()),
  );
  const report = reportTo(log);
  const uses = new SessionUses(options.db ?? db, (error) => report(error, { where: 'uses of sessions' }), NEVER_MS);
  const services: AppOptions & Services & { readonly uses: SessionUses } = {
    db,
    clock,
    random: systemRandom,
    keys: await keysInDatabase({ db, clock, random: systemRandom }, MASTER, await earlierKeys()),
    project: { ...DEMO_PROJECT, ...WITHOUT_PKCE },
    limits: DEFAULT_LIMITS,
    inbox: new InboxHub(),
    loopback: true,
    dev: true,
    metrics: NO_METRICS,
    log,
    report,
    ...options,
    uses,
  };
  const app = makeApp(services);

  async function call(method: string, path: string, body?: unknown, extras: Extras = {}): Promise<ProviderResponse> {
    const text = extras.raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const reply = await (extras.app ?? app).request(`/sdk/v1${path}`, {
      method,
      headers: {
        authorization: basic(PUBLIC_TOKEN, extras.session ?? PUBLIC_TOKEN),
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        ...extras.headers,
      },
      ...(text === undefined ? {} : { body: text }),
    });
    const json = ((await reply.text().then((t) => (t === '' ? {} : JSON.parse(t)))) ?? {}) as Fields;
    return { status: reply.status, headers: reply.headers, body: json, data: (json['data'] ?? {}) as Fields };
  }

  async function inbox(): Promise<readonly InboxMessage[]> {
    return (await (await app.request('/dev/inbox.json')).json()) as InboxMessage[];
  }

  /** The message that was posted last, of those to the recipient if one is given. */
  async function newest(to?: string): Promise<InboxMessage | undefined> {
    const query = new URLSearchParams({ limit: '1', ...(to === undefined ? {} : { to }) });
    const reply = await app.request(`/dev/inbox.json?${query.toString()}`);
    return ((await reply.json()) as InboxMessage[])[0];
  }

  return {
    app,
    services,
    clock,
    logged,
    /** What nobody expected: empty unless a test broke something. */
    traces,
    call,
    inbox,
    newest,
    post: (path: string, body?: unknown, extras?: Extras) => call('POST', path, body, extras),
    async sendCode(email: string) {
      const sent = await call('POST', '/otps/email/login_or_create', { email });
      const message = await newest(email);
      return { method_id: String(sent.data['method_id']), code: message?.code ?? '' };
    },
    async sendLink(email: string, fields: Fields = {}) {
      const sent = await call('POST', '/magic_links/email/login_or_create', { email, ...fields });
      if (sent.status !== 200) throw new Error(JSON.stringify(sent.body));
      const message = await newest(email);
      return new URL(message?.link ?? '').searchParams.get('token') ?? '';
    },
    async signIn(email: string, extras: Extras = {}): Promise<Fields> {
      const { method_id, code } = await this.sendCode(email);
      const body = { token: code, method_id, session_duration_minutes: 60 };
      return (await call('POST', '/otps/authenticate', body, extras)).data;
    },
    async close() {
      // A test may have taken the database away.
      await uses.stop().catch(() => undefined);
      await db.destroy();
      await drop();
    },
  };
}

/** Making an RSA key takes a tenth of a second, so the servers of a worker take over a few of them, in turn. */
const signing: Promise<JWK>[] = [];
const DIFFERENT_KEYS = 4;
let servers = 0;

async function earlierKeys(): Promise<ClearKeys> {
  servers += 1;
  const signer = (signing[servers % DIFFERENT_KEYS] ??= generateKeyPair(ALGORITHM, { extractable: true }).then(
    ({ privateKey }) => exportJWK(privateKey),
  ));
  return { codeKey: systemRandom.bytes(32), signing: await signer };
}

export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** A code that is not this one. */
export function otherThan(code: string): string {
  return code === '000000' ? '111111' : '000000';
}

/** No wait ends before its work on a busy machine, where twenty requests for one row take seconds. */
export const PATIENCE: DatabasePatience = {
  connections: DATABASE_PATIENCE.connections,
  connectMs: PATIENCE_MS,
  acquireMs: PATIENCE_MS,
  lockMs: PATIENCE_MS,
  statementMs: PATIENCE_MS,
  replyMs: PATIENCE_MS,
  idleInTransactionMs: PATIENCE_MS,
};

async function emptyDatabase(databaseUrl: string | undefined): Promise<EmptyDatabase> {
  if (databaseUrl === undefined) return emptyEmbedded();
  const template = process.env['TEST_DATABASE_TEMPLATE'];
  if (template !== undefined) return emptyPostgres(databaseUrl, template, PATIENCE);
  const { store, drop } = await freshStore(databaseUrl);
  return { db: await openDatabase(store, reportToStderr, PATIENCE), drop };
}

/**
 * A database with every migration applied that nobody else uses, and how to be rid of it.
 *
 * @param template the database of the server that it is a copy of; without tables: `template1`
 */
export async function freshStore(
  databaseUrl: string | undefined,
  template = process.env['TEST_DATABASE_TEMPLATE'] ?? 'template1',
): Promise<{ store: Store; drop: () => Promise<void> }> {
  if (databaseUrl === undefined) return { store: { kind: 'memory' }, drop: () => Promise.resolve() };
  return newDatabase(databaseUrl, `portico_${randomBytes(6).toString('hex')}`, template);
}
