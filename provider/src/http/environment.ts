import type { Context, Env } from 'hono';
import type { HttpBindings } from '@hono/node-server';

/** What travels with a request through the middleware. */
export interface AppEnv extends Env {
  // Absent when the app is called in-process.
  Bindings: Partial<HttpBindings>;
  Variables: {
    requestId: string;
    /** The route's path with its parameters' names: all of the URL that a log may hold. */
    pattern: string;
  };
}

export type AppContext = Context<AppEnv>;
