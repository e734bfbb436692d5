import type { Hono } from 'hono';
import { API_PREFIX, type api, type Endpoint } from '#application/api/index.ts';
import type { CallGate, GatesOf } from '#domain/rules/gates.ts';
import { checkSessionMaximum } from '#domain/rules/lifetimes.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { checkBody, knownParams } from '#server-rules/request-body.ts';
import { eventOf, Trail } from '#provider/base/audit/events.ts';
import { recorded } from './recorded.ts';
import type { Call } from '#provider/base/contract.ts';
import type { Services } from './services.ts';
import { throughGate } from '#provider/accounts/sessions/reading/admission.ts';
import type { Routes } from '#provider/accounts/sessions/reading/contract.ts';
import { PresentedSession, type Caller } from '#provider/accounts/sessions/reading/current.ts';
import { SecondStep } from '#provider/accounts/sessions/factors/intermediate.ts';
import { deviceCookie, setDeviceCookie } from './device-cookie.ts';
import { proofOf, spendOwnProof } from './proof-keys.ts';
import { removeEarlierCookies } from './cookie-hints.ts';
import { SessionCookies } from './session-cookies.ts';
import { remoteAddress, requestOrigin } from '#provider/base/http/arrival.ts';
import { checkCredentials, readJson } from '#provider/base/http/request.ts';
import type { AppContext, AppEnv } from '#provider/base/http/environment.ts';
import { reply } from '#provider/base/http/replies.ts';
import { PageSender } from '#provider/messages/outbox/senders.ts';

type AnyAnswer = (services: Services, call: Call<Endpoint, Caller>) => Promise<object>;

/** Endpoints that clients call without an Authorization header, because the path or the events contain the public token. */
const OPEN: ReadonlySet<string> = new Set(['/projects/bootstrap/:publicToken', '/events']);

/** Serves every endpoint of the client's API. */
export function mountEndpoints(
  app: Hono<AppEnv>,
  services: Services,
  { table, routes, gates }: GatedTable<typeof api, Routes>,
): void {
  const answers = routes as unknown as EndpointRoutes<AnyAnswer>['routes'];
  mountTable(app, API_PREFIX, { table, routes: gated(answers, gates) }, async (context, endpoint, answer) =>
    serve(context, services, endpoint, answer),
  );
}

export interface EndpointRoutes<AnswerOf> {
  readonly table: object;
  /** The answer of each endpoint in the table, by area and name. */
  readonly routes: Readonly<Record<string, Readonly<Record<string, AnswerOf>>>>;
}

/** The calls of an API, with the answer and the gate of each. */
export interface GatedTable<Table, Routes> {
  readonly table: Table;
  readonly routes: Routes;
  readonly gates: GatesOf<Table>;
}

/** An answer behind its gate. */
export interface GatedAnswer<AnswerOf> {
  readonly answer: AnswerOf;
  readonly gate: CallGate;
}

/** Each answer with the gate of its call. A call without a gate is not served. */
export function gated<AnswerOf>(
  routes: EndpointRoutes<AnswerOf>['routes'],
  gates: EndpointRoutes<CallGate>['routes'],
): EndpointRoutes<GatedAnswer<AnswerOf>>['routes'] {
  const areas = Object.entries(routes).map(([area, answers]) => {
    const calls = Object.entries(answers).flatMap(([name, answer]) => {
      const gate = gates[area]?.[name];
      return gate === undefined ? [] : [[name, { answer, gate }] as const];
    });
    return [area, Object.fromEntries(calls)] as const;
  });
  return Object.fromEntries(areas);
}

/** Serves every endpoint of the table below the prefix, and answers other methods of its path with 405. */
export function mountTable<AnswerOf>(
  app: Hono<AppEnv>,
  prefix: string,
  { table, routes }: EndpointRoutes<AnswerOf>,
  serve: (context: AppContext, endpoint: Endpoint, answer: AnswerOf) => Promise<Response>,
): void {
  const methods = new Map<string, string[]>();
  for (const [area, endpoints] of Object.entries(table)) {
    for (const [name, endpoint] of Object.entries(endpoints as Readonly<Record<string, Endpoint>>)) {
      const answer = routes[area]?.[name];
      // The type of the routes guarantees an answer; a build that skipped type checks answers 404 here.
      if (answer === undefined) continue;
      const path = prefix + endpoint.path;
      methods.set(path, [...(methods.get(path) ?? []), endpoint.method]);
      app.on(endpoint.method, path, (context) => serve(context, endpoint, answer));
    }
  }
  for (const [path, allowed] of methods) {
    app.all(path, (context) => {
      context.set('pattern', path);
      context.header('Allow', allowed.join(', '));
      throw new Refusal('method_not_allowed');
    });
  }
}

async function serve(
  context: AppContext,
  services: Services,
  endpoint: Endpoint,
  { answer, gate }: GatedAnswer<AnyAnswer>,
): Promise<Response> {
  context.set('pattern', API_PREFIX + endpoint.path);
  const params = knownParams(context.req.param());
  const json = await readJson(context.req.raw);
  const header = context.req.header('authorization');
  const open = OPEN.has(endpoint.path) && header === undefined;
  const secret = open ? null : checkCredentials(services.project, header);
  const cookies = SessionCookies.of(services, context);
  if (cookies === null) removeEarlierCookies(services, context);
  const proof = cookies === null ? await proofOf(services, context, endpoint, secret) : null;
  const session = new PresentedSession(services, secret, { cookies: cookies?.secrets, proof });
  await spendOwnProof(services, session);
  const device = deviceCookie(services, context);
  const step = SecondStep.of(services, json, { device, isServer: false }, cookies?.trustedDevice);
  const caller: Caller = {
    session,
    gate,
    step,
    device,
    address: remoteAddress(context),
    userAgent: (context.req.header('user-agent') ?? '').slice(0, 512),
    page: context.req.header('origin') ?? null,
    origin: requestOrigin(context),
    trail: new Trail(context.get('requestId'), eventOf(endpoint.name)),
  };
  const body = checkBody(endpoint, json);
  checkSessionMaximum(services.project, body);
  const sender = await PageSender.of(services, endpoint, body, caller);
  const target = () => Object.values(params)[0] ?? null;
  const answering = (): Promise<object> =>
    recorded(
      services,
      caller,
      () => throughGate(services, { body, params, caller, sender }, (call) => answer(services, call)),
      target,
    );
  const fields = cookies === null ? await answering() : await cookies.settle(answering, session, body);
  if (device.changed) setDeviceCookie(services, context, device);
  return reply(context, fields);
}
