import { createMiddleware } from 'hono/factory';
import type { Random } from '../platform.ts';
import { Bodies } from './bodies.ts';
import type { AppContext, AppEnv } from './environment.ts';
import { refuse } from './replies.ts';
import { Refusal } from './refusal.ts';

/** More than the database answers in a second: who comes after them is better told to come back than left waiting. */
export const MAX_IN_FLIGHT = 500;
const SOONEST_SECONDS = 2;
const SPREAD_SECONDS = 16;

/**
 * Answers 503 with `Retry-After` when so many requests are under way: a fleet of pages that wakes up at once is served
 * within a minute, and no answer ends a session. The time differs, so that they do not all come back together.
 *
 * A request is under way when its body is there: who sends one slowly keeps nobody else out.
 */
export function shedding({ random }: { readonly random: Random }, max = MAX_IN_FLIGHT, bodies = new Bodies()) {
  let underWay = 0;
  const shed = (context: AppContext): Response => {
    const [byte = 0] = random.bytes(1);
    return refuse(context, new Refusal('service_unavailable', undefined, SOONEST_SECONDS + (byte % SPREAD_SECONDS)));
  };
  return createMiddleware<AppEnv>(async (context, next) => {
    if (underWay >= max) return shed(context);
    if (hasBody(context)) {
      await bodies.receive(context.req.raw);
      if (underWay >= max) return shed(context);
    }
    underWay += 1;
    try {
      return await next();
    } finally {
      underWay -= 1;
    }
  });
}

function hasBody({ req }: AppContext): boolean {
  return req.method !== 'GET' && req.method !== 'HEAD' && req.method !== 'OPTIONS';
}
