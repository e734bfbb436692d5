import type { BodyFor } from '#application/api/endpoint.ts';
import type { api } from '#application/api/index.ts';
import type { gates } from '#application/api/gates.ts';
import type { backendApi } from '#provider/base/backend-api/backend-api.ts';
import type * as base from '#provider/base/contract.ts';
import type { Gate } from '#domain/rules/gates.ts';
import type { PageSender, ServerSender } from '#provider/messages/outbox/senders.ts';
import type { Services } from '../../services.ts';
import type { AdmittedBy } from './admission.ts';
import type { backendGates } from './backend-gates.ts';
import type { Caller } from './current.ts';

/**
 * The app's server, acting for a user. `session` is the session that the body presents. `address` and `userAgent` are the user's, as in the
 * body's `attributes`; without them, the server's.
 */
export interface BackendCaller extends Caller {
  readonly credential: base.Credential;
  readonly sender: ServerSender;
  /** Sets the id of the call's subject in the record of calls, if neither the request nor the reply contains it. */
  readonly about: (id: string) => void;
}

/** Which messages a call may cause: some if its body has a captcha token, else none. */
type SenderOf<E> = 'captcha_token' extends keyof BodyFor<E> ? { readonly sender: PageSender } : unknown;

/**
 * The types of `base/contract.ts` with the services and callers of this wing and of `apps`, and the callers that the call's gate lets in.
 */
export type Answer<E, Admitted = unknown> = (
  services: Services,
  call: base.Call<E, Caller> & SenderOf<E> & Admitted,
) => ReturnType<base.Answer<E, Services, Caller>>;

export type BackendAnswer<E, Admitted = unknown> = (
  services: Services,
  call: base.BackendCall<E, BackendCaller> & Admitted,
) => ReturnType<base.BackendAnswer<E, Services, BackendCaller>>;

type Api = typeof api;
type Gates = typeof gates;
type BackendApi = typeof backendApi;
type BackendGates = typeof backendGates;

/** The routes of every endpoint of the client's API; a missing one is a compile error. */
export type Routes = {
  readonly [Area in keyof Api]: {
    readonly [Name in keyof Api[Area]]: Answer<
      Api[Area][Name],
      Name extends keyof Gates[Area] ? AdmittedBy<Extract<Gates[Area][Name], Gate>> : never
    >;
  };
};

/** The routes of every endpoint of the backend API; a missing one is a compile error. */
export type BackendRoutes = {
  readonly [Area in keyof BackendApi]: {
    readonly [Name in keyof BackendApi[Area]]: BackendAnswer<
      BackendApi[Area][Name],
      Name extends keyof BackendGates[Area] ? AdmittedBy<Extract<BackendGates[Area][Name], Gate>> : never
    >;
  };
};
