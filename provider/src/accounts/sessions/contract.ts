import type * as base from '../../base/contract.ts';
import type { Services } from '../services.ts';
import type { Caller } from './current.ts';

/**
 * The app's server, acting for a user. `session` is the one that the body presents. `address` and `userAgent` are the user's,
 * as in the body's `attributes`; without them, the server's.
 */
export interface BackendCaller extends Caller {
  readonly credential: base.Credential;
  /** Sets the id that the call is about in the record of calls, where neither the request nor the reply names it. */
  readonly about: (id: string) => void;
}

/** The types of `base/contract.ts` with the services and callers of this wing and of `apps`. */
export type Answer<E> = base.Answer<E, Services, Caller>;
export type Routes = base.Routes<Services, Caller>;
export type BackendAnswer<E> = base.BackendAnswer<E, Services, BackendCaller>;
export type BackendRoutes = base.BackendRoutes<Services, BackendCaller>;
