import { Hono } from 'hono';
import { api, API_PREFIX } from '#application/api/index.ts';
import { gates } from '#application/api/gates.ts';
import { backendGates } from '#provider/accounts/sessions/reading/backend-gates.ts';
import { backendApi, BACKEND_PREFIX } from '#provider/base/backend-api/backend-api.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { mountBackend } from './backend/mount-backend.ts';
import { backendRoutes } from './backend/routes.ts';
import { clientsideRoutes } from './clientside/routes.ts';
import { telemetryRoutes } from './clientside/telemetry.ts';
import { arrival, directOnly } from '#provider/base/http/arrival.ts';
import { type Bodies, shedding } from '#provider/base/http/bodies.ts';
import { cors } from './cors.ts';
import { DESCRIPTION_PATH, serveDescription } from './description.ts';
import { mountDeviceBound } from './device-bound.ts';
import { mountEndpoints } from './endpoints.ts';
import type { AppEnv } from '#provider/base/http/environment.ts';
import { loopbackHostOnly, plainPathOnly, traced, shortHeadersOnly } from '#provider/base/http/hygiene.ts';
import { allowEveryOrigin } from '#provider/base/http/open-cors.ts';
import type { OutsideFetch } from '#provider/base/http/outside-fetch.ts';
import { RefusedOrigins } from './refused-origins.ts';
import { refuse, reported } from '#provider/base/http/replies.ts';
import { discoveryRoutes, oauthRoutes } from '#provider/apps/idp/routes/oauth-routes.ts';
import { PROJECT_OAUTH_PREFIX, projectOAuthRoutes } from '#provider/apps/project-oauth-routes.ts';
import { SILENT, type Log } from '#provider/base/log/log.ts';
import { NO_METRICS, type Metrics } from '#provider/base/metrics/metrics.ts';
import { routesWith } from './routes.ts';
import type { Services } from './services.ts';
import { NOTICES_PREFIX } from '#provider/accounts/notices/paths.ts';
import { noticeRoutes } from '#provider/accounts/notices/routes.ts';
import { accountRoutes } from '#provider/accounts/social/account-routes.ts';
import { AccountTokens } from '#provider/accounts/social/built-in/account-tokens.ts';
import type { RequestTracer } from '#provider/base/tracing/tracing.ts';
import { errorHelp, isRefusalType } from './error-help.ts';
import { redirectRoutes } from '#provider/accounts/social/redirect-routes.ts';
import { SOCIAL_PREFIX } from '#provider/accounts/social/logins/start-call.ts';
import { socialProviders } from '#provider/accounts/social/providers/social-providers.ts';
import { mountWellKnown } from './well-known.ts';

/** Adds routes from outside of this wing. */
export type Mount = (app: Hono<AppEnv>, services: Services) => void;

export interface ApiOptions extends Omit<Services, 'metrics' | 'warn'> {
  /** The default counts nothing. */
  readonly metrics?: Metrics;
  /** True if the server listens only on loopback: then it answers only loopback names. Without it `dev` has no effect. */
  readonly loopback: boolean;
  /** Receives one line per request. */
  readonly log?: Log;
  /** Traces requests; absent if tracing is off. */
  readonly tracing?: RequestTracer | undefined;
  /** Routes behind the checks of the API. */
  readonly mounts?: readonly Mount[];
  /** Like `mounts`, but only with `dev` and `loopback`. */
  readonly devMounts?: readonly Mount[];
  /** The maximum number of requests in progress. */
  readonly maxInFlight?: number;
  /** Receives the bodies of requests; the default has the usual limits. */
  readonly bodies?: Bodies;
  /** Calls the social providers; by default over the network. */
  readonly socialFetch?: OutsideFetch;
}

/** The API as a function from request to response: serve it, or call its `request` in-process. */
export function createApi({
  loopback,
  log = SILENT,
  tracing,
  metrics = NO_METRICS,
  control,
  mounts = [],
  devMounts = [],
  maxInFlight,
  bodies,
  socialFetch,
  ...options
}: ApiOptions): Hono<AppEnv> {
  const dev = options.dev && loopback;
  const controlled = dev ? control : undefined;
  const services: Services = {
    ...options,
    metrics,
    dev,
    warn: (sentence) => log.warn(sentence),
    ...(controlled === undefined ? {} : { control: controlled }),
  };
  const app = new Hono<AppEnv>({ strict: false });
  app.use(arrival(services, services.dev ? undefined : (sentence) => log.warn(sentence)));
  app.use(traced({ ...services, log, tracing }));
  app.use(plainPathOnly);
  if (controlled !== undefined) app.use(controlled.scope);
  if (loopback) app.use(loopbackHostOnly(services.project.issuer));
  const accounts = services.dev ? new AccountTokens(services) : null;
  // Browsers navigate to these pages of this server. Scripts of other sites cannot call them.
  if (accounts !== null) {
    app.use(`${SOCIAL_PREFIX}/*`, directOnly);
    app.route('/accounts', accountRoutes(services, accounts));
  }
  const handle = (request: Request) => app.fetch(request);
  const social = socialProviders(services, { accounts, handle, fetch: socialFetch });
  app.route(SOCIAL_PREFIX, redirectRoutes(services, social, log));
  const shed = shedding(services, maxInFlight, bodies);
  app.use(`${NOTICES_PREFIX}/*`, shortHeadersOnly(), shed);
  app.route(NOTICES_PREFIX, noticeRoutes(services));
  app.use('/oauth2/*', shortHeadersOnly(allowEveryOrigin), shed);
  // Apps of every origin call these, without any cookie or session.
  app.route('/oauth2', oauthRoutes(services));
  app.route('/', discoveryRoutes(services));
  app.get(DESCRIPTION_PATH, serveDescription);
  // Before the check of origins, because pages of no origin may call these.
  app.use(`${BACKEND_PREFIX}/*`, shortHeadersOnly(), shed);
  mountBackend(app, services, { table: backendApi, routes: backendRoutes, gates: backendGates });
  app.route(PROJECT_OAUTH_PREFIX, projectOAuthRoutes(services));
  app.use(cors(services.project, new RefusedOrigins(log)));
  // After the check of the origin, so that a page can read the refusal and `Retry-After`.
  app.use(shortHeadersOnly(), shed);
  if (controlled !== undefined) app.use(`${API_PREFIX}/*`, controlled.faults);
  app.onError((error, context) => reported(services, context, error));
  app.notFound((context) => refuse(context, new Refusal('route_not_found')));

  mountEndpoints(app, services, { table: api, routes: routesWith(social), gates });
  mountDeviceBound(app, services);
  mountWellKnown(app, services);
  app.get('/errors/:type', (context) => {
    context.set('pattern', '/errors/:type');
    const type = context.req.param('type');
    if (!isRefusalType(type)) throw new Refusal('route_not_found');
    return context.text(errorHelp(type));
  });
  app.route('/clientside-services', clientsideRoutes(services));
  app.route('/', telemetryRoutes(services));
  for (const mount of [...mounts, ...(dev ? devMounts : [])]) mount(app, services);
  return app;
}
