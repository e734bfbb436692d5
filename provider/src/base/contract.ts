import type { backendApi } from './backend-api/backend-api.ts';
import type { BodyFor, ParamsFor, QueryFor, ReplyBase, ReplyFor } from '#application/api/endpoint.ts';
import type { api, AuthenticationReply, IntermediateReply } from '#application/api/index.ts';
import type { SessionFactors } from '#domain/rules/factors.ts';
import type { Trail } from './audit/events.ts';
import type { DeviceCookie } from './security/device-cookies.ts';

type Api = typeof api;
type BackendApi = typeof backendApi;

/** The session that came with a request, as far as this wing needs it. */
interface SessionOfRequest {
  /** Whether the request has a token or JWT, valid or not. */
  readonly isPresented: boolean;
  /** The live session, if any. Do not call it within a transaction: the embedded database has one connection. */
  find(): Promise<(SessionFactors & { readonly user_id: string }) | undefined>;
}

/** The caller of a request. */
export interface RequestCaller {
  readonly session: SessionOfRequest;
  /** The network address of the visitor; empty for a request within this process. */
  readonly address: string;
  readonly userAgent: string;
  /** The registered origin of the calling page; null for a caller that is not a page. */
  readonly page: string | null;
  /** The origin at which the caller reached this server. */
  readonly origin: string;
  /** True for the app's own server if it does not name its user's address. Its address then stands for all users. */
  readonly forMany?: boolean;
  /** The users who have logged in with this browser; absent if the caller is not a browser. */
  readonly device?: DeviceCookie;
  /** The audit row of this request. */
  readonly trail: Trail;
}

/** A project secret, with which the app's own server calls the backend API. */
export interface Credential {
  readonly secret_id: string;
  readonly name: string;
}

export interface Call<E, Caller> {
  readonly body: BodyFor<E>;
  readonly params: Readonly<Record<ParamsFor<E>, string>>;
  readonly caller: Caller;
}

/** The fields of an endpoint's reply. If the project requires a second factor, the reply of a login can contain the missing step. */
type ReplyFields<E> =
  | Omit<ReplyFor<E>, keyof ReplyBase>
  | (ReplyFor<E> extends AuthenticationReply
      ? IntermediateReply & Omit<ReplyFor<E>, keyof AuthenticationReply>
      : never);

/** Answers a call with the fields of its reply. `status_code` and `request_id` are added to them. */
export type Answer<E, Services, Caller> = (services: Services, call: Call<E, Caller>) => Promise<ReplyFields<E>>;

/** The routes of every endpoint of the client's API; a missing one is a compile error. */
export type Routes<Services, Caller> = {
  readonly [Area in keyof Api]: { readonly [Name in keyof Api[Area]]: Answer<Api[Area][Name], Services, Caller> };
};

export interface BackendCall<E, Caller> extends Call<E, Caller> {
  readonly query: QueryFor<E>;
}

/** Answers a call of the backend API, like `Answer`. */
export type BackendAnswer<E, Services, Caller> = (
  services: Services,
  call: BackendCall<E, Caller>,
) => Promise<Omit<ReplyFor<E>, keyof ReplyBase>>;

/** The routes of every endpoint of the backend API; a missing one is a compile error. */
export type BackendRoutes<Services, Caller> = {
  readonly [Area in keyof BackendApi]: {
    readonly [Name in keyof BackendApi[Area]]: BackendAnswer<BackendApi[Area][Name], Services, Caller>;
  };
};
