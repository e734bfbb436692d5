import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { api, API_PREFIX, type Endpoint } from '#application/api/index.ts';
import { backendApi, BACKEND_PREFIX } from '#provider/base/backend-api/backend-api.ts';
import { OPEN } from '#domain/rules/gates.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Shape } from '#domain/shape.ts';
import { eventOf } from '#provider/base/audit/events.ts';
import { mountBackend } from '#provider/api/backend/mount-backend.ts';
import { DEV_SECRET } from '#provider/api/backend/credentials.ts';
import { arrival } from '#provider/base/http/arrival.ts';
import { mountEndpoints } from '#provider/api/endpoints.ts';
import type { AppEnv } from '#provider/base/http/environment.ts';
import { refuse } from '#provider/base/http/replies.ts';
import { shedding } from '#provider/base/http/bodies.ts';
import { NO_METRICS } from '#provider/base/metrics/metrics.ts';
import type { Services } from '#provider/api/services.ts';
import { ANY_DATABASE, basic, PUBLIC_TOKEN } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';

type Table = Readonly<Record<string, Readonly<Record<string, Endpoint>>>>;
const TABLES = [
  [api as unknown as Table, API_PREFIX],
  [backendApi as unknown as Table, BACKEND_PREFIX],
] as const;
const ENDPOINTS = TABLES.flatMap(([table, prefix]) =>
  Object.values(table).flatMap((area) => Object.values(area).map((endpoint) => ({ prefix, endpoint }))),
);
const CHANGING = ENDPOINTS.filter(({ endpoint }) => endpoint.method !== 'GET');

/**
 * Calls that write no row although their method is not GET, by the reason. Strangers can repeat most of them: a row for each would
 * fill the log. The login that one starts has a row, and the calls of an app's own server are in `backend_calls` too.
 */
const UNRECORDED: Readonly<Record<'changes no account' | 'sends a message' | 'starts a login', string>> = {
  'changes no account': `sessions.authenticate sessions.migrate events.log users.search passwords.strengthCheck
    passwords.resetByEmailCheck connectedApps.clients.search mfa.status m2m.clients.search idp.authorizeStart
    idp.oauth.authorizeStart idp.deviceStart idp.logoutStart b2b.searchMember`,
  'sends a message': `magicLinks.loginOrCreate magicLinks.sendPrimary magicLinks.sendSecondary
    magicLinks.email.loginOrCreate magicLinks.email.send otps.emailLoginOrCreate otps.emailSendPrimary
    otps.emailSendSecondary otps.smsLoginOrCreate otps.smsSendPrimary otps.smsSendSecondary otps.whatsappLoginOrCreate
    otps.whatsappSendPrimary otps.whatsappSendSecondary otps.email.loginOrCreate otps.email.send otps.sms.loginOrCreate
    otps.sms.send otps.whatsapp.loginOrCreate otps.whatsapp.send mfa.sendCode mfa.startRecovery mfa.stopRecovery passwords.resetByEmailStart passwords.email.resetStart`,
  'starts a login': `webauthn.registerStart webauthn.signUpStart webauthn.authenticateStart webauthn.authenticateStartPrimary
    webauthn.authenticateStartSecondary cryptoWallets.authenticateStart cryptoWallets.authenticateStartPrimary
    cryptoWallets.authenticateStartSecondary oauth.oneTapStart oauth.oneTapSubmit`,
};

it('every call that changes something has an event, or a reason for none', () => {
  const without = new Set(Object.values(UNRECORDED).flatMap((names) => names.split(/\s+/u)));
  const names = CHANGING.map(({ endpoint }) => endpoint.name);
  expect(names.filter((name) => (eventOf(name) === null) !== without.has(name))).toEqual([]);
  expect([...without].filter((name) => !names.includes(name))).toEqual([]);
});

const VALUES: Readonly<Record<string, unknown>> = {
  string: 'x',
  number: 60,
  boolean: true,
  object: {},
  'string[]': [],
};

/** The least that the endpoint takes. */
function bodyOf({ body, list }: { readonly body: Shape; readonly list: boolean }): object {
  const needed = Object.entries(body).filter(([, kind]) => !kind.endsWith('?'));
  const fields = Object.fromEntries(needed.map(([field, kind]) => [field, VALUES[kind]]));
  return list ? [fields] : fields;
}

describe('whatever the routes do', () => {
  const provider = suiteProvider(ANY_DATABASE);
  /** The real mounting of every endpoint, over routes that all end in the same way. */
  const mounted = (answer: () => Promise<object>): Hono<AppEnv> => {
    const services: Services = { ...provider.services, metrics: NO_METRICS };
    const of = (table: Table, value: unknown) =>
      Object.fromEntries(
        Object.entries(table).map(([area, each]) => [
          area,
          Object.fromEntries(Object.keys(each).map((name) => [name, value])),
        ]),
      ) as never;
    const app = new Hono<AppEnv>({ strict: false });
    app.use(arrival(services));
    let count = 0;
    app.use(async (context, next) => {
      context.set('requestId', `request-${(count += 1)}`);
      context.set('pattern', '-');
      await next();
    });
    app.use(shedding(services));
    // The routes alone say how a call ends.
    mountBackend(app, services, { table: backendApi, routes: of(backendApi, answer), gates: of(backendApi, OPEN) });
    mountEndpoints(app, services, { table: api, routes: of(api, answer), gates: of(api, OPEN) });
    app.onError((error, context) => refuse(context, error));
    return app;
  };

  it.each([
    ['ok', 200, () => Promise.resolve({})],
    ['refused', 403, () => Promise.reject(new Refusal('unauthorized_action'))],
  ] as const)(
    'a call with an event that is %s writes one row, and no other call writes any',
    async (outcome, status, answer) => {
      const { db, project } = provider.services;
      const app = mounted(answer);
      const written = new Map<string, readonly string[]>();
      for (const { prefix, endpoint } of CHANGING) {
        const before =
          (await db.selectFrom('audit_log').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst())?.seq ?? 0;
        const reply = await app.request(prefix + endpoint.path.replaceAll(/:\w+/gu, 'some-id'), {
          method: endpoint.method,
          headers: {
            authorization:
              prefix === API_PREFIX ? basic(PUBLIC_TOKEN, PUBLIC_TOKEN) : basic(project.project_id, DEV_SECRET),
            'content-type': 'application/json',
          },
          body: JSON.stringify(bodyOf(endpoint)),
        });
        expect([endpoint.name, reply.status]).toEqual([endpoint.name, status]);
        const rows = await db.selectFrom('audit_log').selectAll().where('seq', '>', before).execute();
        written.set(
          `${prefix} ${endpoint.name}`,
          rows.map((row) => `${row.event} ${row.outcome}`),
        );
        // Twenty refusals of a network are written down in an hour.
        provider.clock.time += 10 * 60_000;
      }
      const expected = CHANGING.map(({ prefix, endpoint }) => {
        const event = eventOf(endpoint.name);
        return [`${prefix} ${endpoint.name}`, event === null ? [] : [`${event} ${outcome}`]] as const;
      });
      expect([...written]).toEqual(expected);
    },
  );
});
