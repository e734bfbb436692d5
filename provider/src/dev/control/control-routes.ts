import { Hono } from 'hono';
import type { BodyFor, Endpoint, ParamsFor, ReplyBase, ReplyFor } from '#application/api/endpoint.ts';
import { CONTROL_PREFIX, devControl } from '#application/dev-control/dev-control.ts';
import { isLoopbackOrigin } from '#domain/rules/redirects.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { checkBody, knownParams } from '#server-rules/request-body.ts';
import { inBackendTerms } from '#provider/base/http/backend-terms.ts';
import { remoteAddress, requestOrigin, directOnly } from '#provider/base/http/arrival.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { mountTable, type EndpointRoutes } from '#provider/api/endpoints.ts';
import type { AppContext, AppEnv } from '#provider/base/http/environment.ts';
import { reported } from '#provider/base/http/replies.ts';
import { readJson } from '#provider/base/http/request.ts';
import type { SessionServices } from '#provider/accounts/services.ts';
import { lockUser } from '#provider/accounts/users/lock.ts';
import type { Services } from '#provider/api/services.ts';
import type { Control } from './control.ts';
import { expireCodes } from './expire-codes.ts';
import { currentScope } from './scope.ts';
import { completeProfile } from './complete-profile.ts';
import { seedPeople, type SeedRequest } from './seed.ts';

type Calls = typeof devControl;

interface ControlCall<E> {
  readonly body: BodyFor<E>;
  readonly params: Readonly<Record<ParamsFor<E>, string>>;
  /** Null for all requests. */
  readonly scope: string | null;
  readonly by: SeedRequest;
}

type Answer<E> = (call: ControlCall<E>) => Promise<Omit<ReplyFor<E>, keyof ReplyBase>>;

/** The answer of each call; a missing one is a compile error. */
type Answers = { readonly [Name in keyof Calls]: Answer<Calls[Name]> };

type AnyAnswer = (call: ControlCall<Endpoint>) => Promise<object>;

/**
 * `/dev/control`, mounted only with `--dev`. Programs of this machine and pages of this server's origins may call it. A form of another
 * site is rejected by its origin or, without one, by its content type.
 */
export function controlRoutes(
  services: SessionServices & Pick<Services, 'dev' | 'report'>,
  control: Control,
): Hono<AppEnv> {
  const app = new Hono<AppEnv>({ strict: false });
  app.onError((error, context) => reported(services, context, inBackendTerms(error)));
  app.use(async (context, next) => {
    context.set('pattern', `${CONTROL_PREFIX}/*`);
    const origin = context.req.header('origin');
    if (origin !== undefined && !isLoopbackOrigin(origin)) throw new Refusal('unregistered_origin');
    return next();
  });
  app.use(directOnly);
  const answers: Answers = answersOf(services, control);
  const routes = { control: answers } as unknown as EndpointRoutes<AnyAnswer>['routes'];
  mountTable(app, '', { table: { control: devControl }, routes }, serve);
  app.all('*', () => {
    throw new Refusal('route_not_found');
  });
  return app;
}

async function serve(context: AppContext, endpoint: Endpoint, answer: AnyAnswer): Promise<Response> {
  context.set('pattern', CONTROL_PREFIX + endpoint.path);
  const body = checkBody(endpoint, await readJson(context.req.raw));
  const params = knownParams(context.req.param());
  const by = {
    requestId: context.get('requestId'),
    address: remoteAddress(context),
    userAgent: (context.req.header('user-agent') ?? '').slice(0, 512),
    origin: requestOrigin(context),
  };
  const fields = await answer({ body, params, scope: currentScope(), by });
  return context.json({ ...fields, status_code: 200, request_id: context.get('requestId') });
}

function answersOf(services: SessionServices & Pick<Services, 'dev'>, control: Control): Answers {
  const { clock, faulty, project, snapshots } = control;
  const state: Answer<Calls['state']> = async ({ scope }) => control.state(scope);
  return {
    state,
    reset: async (call) => {
      await control.reset(call.scope);
      return state(call);
    },
    clock: async ({ body, scope }) => {
      await clock.change(scope, body);
      return { clock: clock.state(scope) };
    },
    resetClock: async ({ scope }) => {
      await clock.reset(scope);
      return { clock: clock.state(scope) };
    },
    addFault: async ({ body, scope }) => ({ fault_id: faulty.add(scope, body) }),
    removeFaults: async ({ scope }) => {
      faulty.clear(scope);
      return {};
    },
    removeFault: async ({ params, scope }) => {
      faulty.remove(scope, params.fault_id);
      return {};
    },
    social: async ({ body, scope }) => {
      control.answerSocial(scope, body.next);
      return { social: { next: control.socialAnswer(scope) } };
    },
    captcha: async ({ body }) => {
      control.requireCaptcha(body.required);
      return { captcha: control.state(null).captcha };
    },
    settings: async ({ body }) => {
      project.change(body.settings);
      return { settings: project.settings };
    },
    expireCodes: async ({ body }) => ({ expired: await expireCodes(services, body.to) }),
    seed: async ({ body, by }) => ({ users: await seedPeople(services, by, body.users) }),
    completeProfile: async ({ params }) =>
      transaction(services.db, async (tx) => {
        const user = await lockUser(tx, params.user_id);
        if (user === undefined) throw new Refusal('user_not_found');
        await completeProfile(services, tx, user);
        return {};
      }),
    takeSnapshot: async ({ body }) => ({ snapshot: await snapshots.take(services.db, body.name, clock.latest()) }),
    restoreSnapshot: async ({ params }) => ({
      snapshot: await snapshots.restore(services.db, params.name, clock.latest()),
    }),
    removeSnapshot: async ({ params }) => {
      snapshots.remove(params.name);
      return {};
    },
  };
}
