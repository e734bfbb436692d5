import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { getCookie, setCookie } from 'hono/cookie';
import { isRecord } from '#domain/shape.ts';
import { Refusal, SchemaRefusal } from '#domain/rules/refusal.ts';
import { type Bodies, shedding } from '#provider/base/http/bodies.ts';
import type { AppContext, AppEnv } from '#provider/base/http/environment.ts';
import { reported } from '#provider/base/http/replies.ts';
import { arrival, remoteAddress } from '#provider/base/http/arrival.ts';
import { readJson } from '#provider/base/http/request.ts';
import { newId } from '#provider/base/security/secrets.ts';
import { takeForNetwork } from '#provider/base/security/limits.ts';
import type { Services } from '#provider/api/services.ts';
import {
  byOperator,
  enrol,
  entering,
  operatorLogin,
  startEnrolment,
  startOperatorLogin,
  type Site,
} from './people/ceremonies.ts';
import type { OperatorRouteContext } from './desk/route-context.ts';
import { endOperatorSession, operatorOf, type Operator } from './desk/operator-store.ts';
import { auditOperator, type AuditActor } from './desk/audit-actor.ts';
import { SECTIONS } from './desk/layout.ts';
import { checkRole, mayRead } from './desk/roles.ts';
import { PAGE_CSS } from './desk/css.ts';
import { companyRoutes } from './people/company-routes.ts';
import {
  ENROL_SCRIPT,
  ENTERED_SCRIPT,
  enrolPage,
  LOGIN_SCRIPT,
  loginPage,
  refusalPage,
  PAGE_SCRIPT,
} from './people/entry-page.ts';
import { importRoutes } from './users/import-routes.ts';
import { pageRoutes } from './pages.ts';

const POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `connect-src 'self'`,
  `img-src data:`,
  `form-action 'self'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
  `require-trusted-types-for 'script'`,
  `trusted-types 'none'`,
].join('; ');

const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': POLICY,
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
  // With `no-referrer` browsers send forms with the origin `null`.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'publickey-credentials-get=(self), publickey-credentials-create=(self)',
  'Cache-Control': 'no-store',
};

/** The operators' page, which has a separate listener and login. It accepts no session of a user. */
export function operatorsApp(services: Services, site: Site, bodies?: Bodies): Hono<AppEnv> {
  const app = new Hono<AppEnv>({ strict: false });
  const { origin } = site;
  const isSecure = origin.startsWith('https:');
  // With this prefix no other host of the site can set the cookie (RFC 6265bis, section 4.1.3.2).
  const cookieName = isSecure ? '__Host-operator' : 'operator';
  const cookie = { path: '/', httpOnly: true, secure: isSecure, sameSite: 'Strict' } as const;

  const by = (context: AppContext): Omit<AuditActor, 'name'> => ({
    address: remoteAddress(context),
    request_id: context.get('requestId'),
  });
  const current = async (context: AppContext): Promise<Operator | null> =>
    operatorOf(services, getCookie(context, cookieName));
  const operatorIn: OperatorRouteContext['operatorIn'] = async (context, roles) => {
    const operator = await current(context);
    if (operator === null) throw new Refusal('user_unauthenticated', 'You are not logged in.');
    checkRole(operator, roles);
    return { ...byOperator(operator, by(context)), operator };
  };
  const setSession = (context: AppContext, token: string): void => setCookie(context, cookieName, token, cookie);
  const entered = (context: AppContext, token: string): Response => {
    setSession(context, token);
    return context.json({});
  };

  app.use(arrival(services));
  app.use(async (context, next) => {
    context.set('requestId', newId(services.random, 'request-id'));
    context.set('pattern', '/operators');
    await next();
    for (const [name, value] of Object.entries(HEADERS)) context.res.headers.set(name, value);
    if (isSecure) context.res.headers.set('Strict-Transport-Security', 'max-age=31536000');
  });
  app.use(onlyAt(origin));
  app.use(shedding(services, undefined, bodies));
  app.onError(async (error, context) => {
    const wantsPage = context.req.header('accept')?.includes('text/html') === true;
    const refusal = error instanceof Refusal ? error : null;
    if (refusal?.type === 'user_unauthenticated' && context.req.method === 'GET')
      return context.redirect('/operators/login');
    const response = reported(services, context, error);
    if (!wantsPage) return response;
    const message = refusal?.message ?? (error instanceof SchemaRefusal ? error.body[0]?.message : null);
    return context.html(
      // Another role may read the section of this path.
      await refusalPage(
        message ?? 'Something went wrong here.',
        response.status === 403 ? '/operators' : context.req.path,
      ),
      response.status as 400,
    );
  });

  app.notFound(async (context) =>
    context.html(await refusalPage('There is no such page here.', context.req.path, 'Page not found'), 404),
  );

  for (const path of ['/', '/operators']) {
    app.get(path, async (context) => {
      const operator = await current(context);
      const first = SECTIONS.find(([section]) => operator !== null && mayRead(operator, section))?.[0] ?? 'login';
      return context.redirect(`/operators/${first}`);
    });
  }
  const text = (type: string, body: string) => (context: AppContext) =>
    context.body(body, 200, { 'Content-Type': type });
  app.get('/operators/page.css', text('text/css; charset=utf-8', PAGE_CSS));
  app.get('/operators/page.js', text('text/javascript; charset=utf-8', PAGE_SCRIPT));
  app.get('/operators/login.js', text('text/javascript; charset=utf-8', LOGIN_SCRIPT));
  app.get('/operators/enrol.js', text('text/javascript; charset=utf-8', ENROL_SCRIPT));

  app.get('/operators/entered.js', text('text/javascript; charset=utf-8', ENTERED_SCRIPT));

  const company = services.project.operator_login?.name ?? null;
  app.get('/operators/login', (context) => context.html(loginPage(company)));
  app.get('/operators/enrol', (context) => context.html(enrolPage()));
  const field = async (context: AppContext, name: string): Promise<string> => {
    const body = await readJson(context.req.raw);
    const value = isRecord(body) ? body[name] : undefined;
    if (typeof value !== 'string' || value === '') throw new Refusal('bad_request', `${name} must be a text.`);
    return value;
  };
  const limited = async (context: AppContext): Promise<void> =>
    takeForNetwork(services, 'operators', remoteAddress(context), services.limits.searchesPerNetwork);
  app.post('/operators/login/start', async (context) => {
    await limited(context);
    return context.json({ options: await startOperatorLogin(services, site) });
  });
  app.post('/operators/login/finish', async (context) => {
    await limited(context);
    const from = by(context);
    const credential = await field(context, 'credential');
    const token = await entering(services, 'operator_login', from, () =>
      operatorLogin(services, site, credential, from),
    );
    return entered(context, token);
  });
  app.post('/operators/enrol/start', async (context) => {
    await limited(context);
    const token = await field(context, 'token');
    const options = await entering(services, 'operator_enrolled', by(context), () =>
      startEnrolment(services, site, token),
    );
    return context.json({ options });
  });
  app.post('/operators/enrol/finish', async (context) => {
    await limited(context);
    const from = by(context);
    const enrolment = { token: await field(context, 'token'), credential: await field(context, 'credential') };
    return entered(
      context,
      await entering(services, 'operator_enrolled', from, () => enrol(services, site, enrolment, from)),
    );
  });
  companyRoutes(app, services, { site, by, limited, setSession, fetch: site.companyFetch });
  app.post('/operators/logout', async (context) => {
    const token = getCookie(context, cookieName);
    const operator = await current(context);
    if (operator !== null && token !== undefined) {
      await endOperatorSession(services, token);
      await auditOperator(services, services.db, byOperator(operator, by(context)), { event: 'operator_logout' });
    }
    setCookie(context, cookieName, '', { ...cookie, maxAge: 0 });
    return context.redirect('/operators/login', 303);
  });

  const desk: OperatorRouteContext = { services, operatorIn };
  pageRoutes(app, desk);
  importRoutes(app, desk);
  return app;
}

/**
 * Answers only this origin. Another host name would be another site's, pointed here (DNS rebinding). A request that changes something must
 * come from a page of this origin, regardless of its cookies.
 */
function onlyAt(origin: string) {
  const { host } = new URL(origin);
  return createMiddleware<AppEnv>(async (context, next) => {
    const requestHost = context.req.header('host') ?? new URL(context.req.url).host;
    if (requestHost.toLowerCase() !== host) throw new Refusal('misdirected_request');
    const { method } = context.req;
    if (method !== 'GET' && method !== 'HEAD') {
      const site = context.req.header('sec-fetch-site') ?? 'same-origin';
      if (context.req.header('origin') !== origin || site !== 'same-origin') throw new Refusal('unregistered_origin');
    }
    return next();
  });
}
