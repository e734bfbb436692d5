import { api } from '#application/api/api.ts';
import { gates } from '#application/api/gates.ts';
import type { BodyFor, Endpoint, ParamsFor } from '#application/api/index.ts';
import type { CallGate } from '#domain/rules/gates.ts';
import { checkSessionMaximum, type SessionLimits } from '#domain/rules/lifetimes.ts';
import { Refusal, refusalBody, SchemaRefusal } from '#domain/rules/refusal.ts';
import { checkBody, knownParams } from '#server-rules/request-body.ts';
import { reply, type FakeReply } from '../../transport/fake-reply.ts';
import type { FakeTransport } from '../../transport/fake-transport.ts';
import type { SecondStep } from './second-factor.ts';
import type { SeenRequest } from '../../transport/seen-request.ts';

const REQUEST_ID = 'request-id-test';

/** The sender of a request, as its headers describe it. */
export interface Caller {
  /** The presented session token or JWT, not verified yet. */
  readonly session: string | null;
  readonly userAgent: string;
  /** The origin of the calling page, if the request has one. */
  readonly page: string | null;
  /** The server's own origin, as reached by the caller. */
  readonly server: string;
  readonly step: SecondStep;
  /** The row of the call in the table of gates. */
  readonly gate: CallGate;
}

type Answer<E> = (
  body: BodyFor<E>,
  caller: Caller,
  params: Readonly<Record<ParamsFor<E> & string, string>>,
) => object | Promise<object>;

/** A second place for session secrets, besides the replies. */
export interface CookieKeeper {
  /** The effective secret of a request that may have one in its headers. */
  secretOf(request: SeenRequest, headerSecret: string | null): string | null;
  settle(reply: FakeReply, request: SeenRequest): FakeReply;
}

const GATES: ReadonlyMap<Endpoint, CallGate> = new Map(
  Object.entries(api).flatMap(([area, calls]) => {
    const row: Readonly<Record<string, CallGate>> = gates[area as keyof typeof api];
    return Object.entries(calls).map(([name, call]) => [call, row[name]] as [Endpoint, CallGate]);
  }),
);

/** Registers the handlers of the server's areas. A `Refusal` that a handler throws becomes an error reply of the wire. */
export class Answers {
  constructor(
    private readonly transport: FakeTransport,
    private readonly cookies: CookieKeeper,
    private readonly limits: () => SessionLimits,
    private readonly secondStep: (json: unknown) => Promise<SecondStep>,
    private readonly admit: (caller: Caller) => unknown,
  ) {}

  to<E extends Endpoint>(endpoint: E, answer: Answer<E>): this {
    const gate = GATES.get(endpoint);
    if (gate === undefined) throw new Error(`The table of gates has no row for ${endpoint.name}.`);
    this.transport.answer(endpoint, async (json, request) => {
      const sender = callerOf(request);
      const session = this.cookies.secretOf(request, sender.session);
      try {
        // Undefined means that the body was not JSON.
        if (json === undefined) throw new Refusal('invalid_json');
        const body = checkBody(endpoint, json) as BodyFor<E>;
        const caller = { ...sender, session, gate, step: await this.secondStep(json) };
        checkSessionMaximum(this.limits(), body);
        this.admit(caller);
        const params = knownParams(request.params) as Parameters<Answer<E>>[2];
        const data = { status_code: 200, request_id: REQUEST_ID, ...(await answer(body, caller, params)) };
        return this.cookies.settle(reply(200, { data }), request);
      } catch (error) {
        if (!(error instanceof Refusal || error instanceof SchemaRefusal)) throw error;
        const status = error instanceof Refusal ? error.status : 400;
        return this.cookies.settle(reply(status, refusalBody(error, REQUEST_ID, sender.server)), request);
      }
    });
    return this;
  }
}

function callerOf({ headers, url }: SeenRequest): Omit<Caller, 'step' | 'gate'> {
  const [publicToken, secret = ''] = atob((headers['authorization'] ?? '').replace('Basic ', '')).split(/:(.*)/su);
  return {
    session: secret === '' || secret === publicToken ? null : secret,
    userAgent: headers['user-agent'] ?? 'fake',
    page: headers['origin'] ?? null,
    server: new URL(url).origin,
  };
}
