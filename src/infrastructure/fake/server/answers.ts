import type { BodyFor, Endpoint, ParamsFor } from '../../../application/api/index.ts';
import type { FakeTransport } from '../fake-transport.ts';
import type { SeenRequest } from '../seen-request.ts';
import { Refused } from './refused.ts';

const REQUEST_ID = 'request-id-test';

/** A request, and who sent it as far as it shows. */
export interface Caller {
  /** The session token or JWT that was presented, not yet looked at. */
  readonly session: string | null;
  readonly userAgent: string;
  /** The server's own origin, as the caller reached it. */
  readonly server: string;
}

type Answer<E> = (
  body: BodyFor<E>,
  caller: Caller,
  params: Readonly<Record<ParamsFor<E> & string, string>>,
) => object | Promise<object>;

/** Where the areas of the server put their answers: what they throw as `Refused` becomes the wire's error reply. */
export class Answers {
  constructor(
    private readonly transport: FakeTransport,
    /** Throws for who may not make that call. */
    private readonly check: (endpoint: Endpoint, caller: Caller) => void,
  ) {}

  to<E extends Endpoint>(endpoint: E, answer: Answer<E>): this {
    this.transport.answer(endpoint, async (body, request) => {
      try {
        const caller = callerOf(request);
        this.check(endpoint, caller);
        return { status_code: 200, request_id: REQUEST_ID, ...(await answer(body, caller, request.params)) };
      } catch (error) {
        if (error instanceof Refused) return error.reply();
        throw error;
      }
    });
    return this;
  }
}

function callerOf({ headers, url }: SeenRequest): Caller {
  const [publicToken, secret = ''] = atob((headers['authorization'] ?? '').replace('Basic ', '')).split(/:(.*)/su);
  return {
    session: secret === '' || secret === publicToken ? null : secret,
    userAgent: headers['user-agent'] ?? 'fake',
    server: new URL(url).origin,
  };
}
