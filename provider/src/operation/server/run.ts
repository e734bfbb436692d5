import { getRequestListener, RequestError } from '@hono/node-server';
import { createApp, createDevApp } from '../app.ts';
import { databaseClock } from '#provider/base/db/statements/clock.ts';
import { reportTo, type Report } from '#provider/base/log/error-log.ts';
import { logToStderr } from '#provider/base/log/log.ts';
import { randomOf, systemRandom } from '#provider/base/platform.ts';
import type { Project } from '#provider/project/settings/project.ts';
import { sharedJudge } from '#provider/accounts/password-strength/judge.ts';
import { settingsSecret } from '#provider/base/security/master-key.ts';
import { newToken } from '#provider/base/security/secrets.ts';
import { openTelemetry } from '#provider/base/tracing/open-telemetry.ts';
import type { QueryObserver } from '#provider/base/db/database.ts';
import { poolCountsOf, separateConnection } from '#provider/base/db/open.ts';
import { Health } from '../health/health.ts';
import { withHealth } from '../health/listener.ts';
import { OutageReport } from '../health/outage-report.ts';
import { registerWebhooks } from '#provider/messages/webhooks/register.ts';
import { undeliveredText } from '#provider/messages/outbox/delivery.ts';
import { InboxHub } from '#provider/messages/inbox-hub.ts';
import { sweepRegularly } from '../retention/sweep.ts';
import { FunnelCounts } from '#provider/accounts/passkeys/funnel-counts.ts';
import { textCountries } from '#provider/accounts/users/phone-numbers.ts';
import { SessionUses } from '#provider/accounts/sessions/rows/session-uses.ts';
import { writeAdminFile } from '../store/admin-file.ts';
import { readMasterKeys } from '../store/key-file.ts';
import { Connections, LIMITS } from './connections.ts';
import { controlOf } from './control.ts';
import { ConnectionDrain } from '#provider/base/http/connection-drain.ts';
import { setOutgoingProxy } from '#provider/base/http/outside-fetch.ts';
import { listen } from './listen.ts';
import { versionText } from './version.ts';
import { hashSlots } from '#provider/accounts/passwords/hash.ts';
import { passwordLine } from '#provider/accounts/passwords/line.ts';
import type { ProcessCounts } from '#provider/base/metrics/prometheus.ts';
import { measuringAt, type MetricsServer } from './metrics-server.ts';
import { openBreachedPasswords } from '../store/open-breaches.ts';
import { serveOperators } from './serve-operators.ts';
import { openStore, poolSizeOf, refuseStandby } from '../store/open-store.ts';
import { urlOf, type CliOptions } from '../options/options.ts';
import { projectJson } from '../options/project-file.ts';
import { isLocal, proxiesOf, urlHere } from './serving.ts';
import { servicesOf, settingsOf, startWork } from './settings.ts';
import { SettingsReload } from './settings-reload.ts';
import { stopping, type StopHandle } from './stopping.ts';
import { projectWarnings } from '#provider/base/warnings.ts';
import { unknownVariables } from '../options/unknown-variables.ts';

export interface RunningServer extends StopHandle {
  readonly url: string;
  /** Adopts the current settings of the project file; absent if none is served. Never rejects. */
  readonly reload?: () => Promise<void>;
  /** The address of `/metrics`; absent if it is not served. */
  readonly metricsUrl?: string | undefined;
  /** Whether development mode is on by default, because no option names data to serve. */
  readonly bare?: boolean;
  readonly project: Pick<Project, 'public_token' | 'project_id' | 'session_cookies'>;
  /** The most connections to a PostgreSQL database; absent for an embedded one. */
  readonly connections?: number;
  /** The URL of the operators' page; absent if it is not served. */
  readonly operatorsUrl?: string;
  /** The URL of the inbox of `--dev`; absent without it. */
  readonly inboxUrl?: string | undefined;
  /** A sentence about messages that this server does not deliver. */
  readonly undelivered?: string | null;
}

/** The lines that the server prints when it is ready. */
export function readyText({
  url,
  metricsUrl,
  project,
  connections,
  bare,
  operatorsUrl,
  inboxUrl,
  undelivered = null,
}: Omit<RunningServer, 'stop' | 'reload'>): string {
  const { public_token, project_id, session_cookies } = project;
  const { http_only, domain, same_site } = session_cookies;
  const lines = [`listening on ${url}`, `public token ${public_token}`, `project id ${project_id}`];
  if (inboxUrl !== undefined) lines.push(`emails and text messages ${inboxUrl}`);
  if (http_only && domain !== null) {
    lines.push(`session cookies HttpOnly, SameSite=${same_site}, for pages and this API on hosts of ${domain}`);
  }
  if (connections !== undefined) lines.push(`database connections up to ${connections}`);
  if (operatorsUrl !== undefined) lines.push(`operators’ page ${operatorsUrl}`);
  if (metricsUrl !== undefined) lines.push(`metrics on ${metricsUrl}`);
  if (bare === true) {
    lines.push(
      'development mode for this machine only, because there is no project file; "npx portico-provider init" makes one',
    );
  }
  if (undelivered !== null) lines.push(undelivered);
  return `${lines.join('\n')}\n`;
}

/** The response when the app itself failed to answer. */
const errorHandler =
  (report: Report) =>
  (error: unknown): Response => {
    if (error instanceof RequestError) return new Response(null, { status: 400 });
    report(error, { where: 'request', status: 500 });
    return new Response(null, { status: 500 });
  };

/** Starts the server. Rejects with a UsageError if the operator can fix the problem. */
export async function run(options: CliOptions): Promise<RunningServer> {
  const settings = settingsOf(options);
  const { project } = settings;
  const proxies = proxiesOf(options);
  const log = logToStderr(options.log);
  const outages = new OutageReport(reportTo(log), log);
  const report: Report = (error, place) => outages.report(error, place);
  for (const unknown of unknownVariables(process.env, projectJson(options.projectFile))) {
    log.warn('an unknown variable has no effect', { ...unknown });
  }
  const warn = (sentence: string): void => log.warn(sentence);
  setOutgoingProxy(options.outgoingProxy ?? null);
  if (options.trustProxy !== null && project.issuer === null) {
    log.warn(
      'behind a proxy the project should have an issuer: without it, the headers of each request decide the address of this server',
    );
  }
  if (!options.dev) projectWarnings(project).forEach(warn);
  const breaches = await openBreachedPasswords(options.breachedPasswords, warn);
  const telemetry = options.traces ? await openTelemetry(versionText()) : null;
  const onQuery: QueryObserver | undefined =
    telemetry === null ? undefined : (event) => telemetry.tracing.statement(event);
  // Without this line the first start would be silent for long, even with --dev, whose log begins at warnings.
  const { level } = options.log;
  const onNew = (): void =>
    logToStderr({ ...options.log, level: level === 'warn' ? 'info' : level }).info(
      'making the database of the data folder',
    );
  // A developer who starts a second server gets an immediate error. A container waits, because the one it replaces may still be draining.
  const onBusy = options.dev ? undefined : warn;
  const { db, keys, close } = await openStore(options.store, { ...options, report, warn, onNew, onBusy, onQuery });
  const probe = separateConnection(db, report);
  let measuring: MetricsServer | null = null;
  try {
    await refuseStandby(db);
    const realClock = await databaseClock(db);
    const control = options.dev ? await controlOf({ db, project, clock: realClock }, options, warn) : undefined;
    const clock = control?.clock ?? realClock;
    const inbox = new InboxHub();
    const draining = new ConnectionDrain();
    const uses = new SessionUses(db, (error) => report(error, { where: 'uses of sessions' }));
    const passkeyCounts = new FunnelCounts(db, (error) => report(error, { where: 'counts of passkeys' }));
    const loopback = isLocal(options);
    const isReachable = urlHere(options, options.port) !== null;
    const administered = options.store.kind === 'folder' && isReachable;
    const adminSecret = newToken(systemRandom);
    const ofDatabase = (): string => settingsSecret(readMasterKeys(options.masterKey, options.dev));
    const health = new Health({ db: probe.db, keys, clock }, draining);
    const counts = (): ProcessCounts => ({
      draining: draining.active,
      inProgress: draining.inProgress,
      hashes: { running: hashSlots.running, waiting: passwordLine.queued + hashSlots.queued },
    });
    const countries = textCountries(project);
    const measured = { db, pool: poolCountsOf(db), version: versionText(), countries, process: counts };
    measuring = await measuringAt(options.metrics, measured, health);
    await registerWebhooks(db, project.webhooks);
    const setup = servicesOf(settings, {
      clock,
      realClock,
      warn,
      ...(control && { delivered: control.project.delivered }),
    });
    const lasting = {
      db,
      clock,
      random: randomOf(project),
      keys,
      inbox,
      draining,
      // With --dev the clock may be set back. After that, no use may lie in the future.
      ...(options.dev ? {} : { uses }),
      passkeyCounts,
      breaches,
      loopback,
      proxies,
      dev: options.dev,
      ...(options.demoUrl === null ? {} : { demoUrl: options.demoUrl }),
      report,
      metrics: measuring.metrics,
      log,
    };
    const services = { ...lasting, ...setup.services };
    const reloading =
      control !== undefined || options.projectFile === null
        ? null
        : new SettingsReload(lasting, settings, {
            file: options.projectFile,
            read: () => settingsOf(options),
            prepare(next) {
              const { carriers, services: changed } = servicesOf(next, { clock, realClock, warn });
              const other = createApp({ ...appOptions, ...changed });
              return () => {
                app = other;
                operators?.adopt({ ...lasting, ...changed });
                const before = work;
                work = startWork({ ...lasting, ...changed, publicOrigin }, carriers, realClock);
                return before.stop();
              };
            },
          });
    const operators =
      options.operators === null ? null : await serveOperators(services, options.operators, control?.project);
    const appOptions = {
      ...lasting,
      tracing: telemetry?.tracing,
      ...(operators === null ? {} : { operatorsOrigin: operators.origin }),
      ...(administered ? { adminSecret, settingsSecret: adminSecret } : {}),
      ...(options.store.kind === 'postgres' && isReachable ? { settingsSecret: ofDatabase() } : {}),
    };
    const first = { ...appOptions, ...setup.services };
    let app = control === undefined ? createApp(first) : createDevApp({ ...first, control }, warn);
    // Loads the dictionaries in a separate thread. After a failure, the first request that needs them tries again.
    void sharedJudge()
      .warm()
      .catch(() => undefined);
    const listener = getRequestListener((request, env) => app.fetch(request, env), {
      overrideGlobalObjects: false,
      errorHandler: errorHandler(report),
    });
    const connections = new Connections(LIMITS, { proxies, keepAliveMs: options.keepAliveSeconds * 1000 });
    const listening = await listen(
      withHealth(health, (req, res) => {
        draining.arrived();
        void listener(req, res);
      }),
      options.host,
      options.port,
      { draining, connections, warn },
    );
    const adminUrl = urlHere(options, listening.port);
    const removeAdminFile =
      adminUrl !== null && options.store.kind === 'folder'
        ? writeAdminFile(options.store.path, { url: adminUrl, secret: adminSecret })
        : () => undefined;
    const onError = (error: unknown): void => report(error, { where: 'sweep' });
    const sweeping = sweepRegularly({ db, clock, keys, dev: options.dev, onError, metrics: measuring.metrics }, () =>
      realClock.read(),
    );
    const url = urlOf(options.host, listening.port);
    const publicOrigin = project.issuer ?? (options.dev ? url : null);
    let work = startWork({ ...services, publicOrigin }, setup.carriers, realClock);
    reloading?.watch();
    return {
      project,
      ...(operators === null ? {} : { operatorsUrl: `${operators.origin}/operators` }),
      undelivered: undeliveredText(setup.carriers, project, options.dev),
      ...(options.store.kind === 'postgres' ? { connections: poolSizeOf(options) } : {}),
      url,
      ...(options.dev && loopback ? { inboxUrl: `${url}/dev/inbox` } : {}),
      metricsUrl: measuring.url,
      bare: options.bare,
      ...(reloading === null ? {} : { reload: () => reloading.reload() }),
      ...stopping({
        draining,
        drainMs: options.drainSeconds * 1000,
        listening,
        endStreams() {
          inbox.close();
          control?.faulty.end();
        },
        background: [
          () => sweeping.stop(),
          async () => {
            // A reload that is under way would begin new work.
            await reloading?.stop();
            await work.stop();
          },
          () => uses.stop(),
          () => passkeyCounts.stop(),
          async () => operators?.close(),
          async () => void (await control?.clock.settled()),
        ],
        async close() {
          realClock.stop();
          removeAdminFile();
          await breaches?.close();
          await measuring?.close();
          await probe.close();
          await close();
          outages.end();
          await telemetry?.close();
        },
      }),
    };
  } catch (error) {
    await measuring?.close();
    await probe.close();
    await close();
    outages.end();
    throw error;
  }
}
