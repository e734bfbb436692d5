import type { Context, Env } from 'hono';
import type { HttpBindings } from '@hono/node-server';

/** The variables of a request, for the middleware. */
export interface AppEnv extends Env {
  // Absent when the app is called in-process.
  Bindings: Partial<HttpBindings>;
  Variables: {
    requestId: string;
    /** The visitor's network address, and the origin at which this server was reached: see `arrival`. */
    address: string;
    origin: string;
    /** The URL of this server in replies: the project's issuer, if there is one. */
    publicOrigin: string;
    /** The route's path with the names of its parameters. No other part of the URL is logged. */
    pattern: string;
    /** The `error_type` of the reply, if the request was refused. */
    refusal?: string;
  };
}

export type AppContext = Context<AppEnv>;
