import { AccessPolicy } from '#domain/sessions/rbac.ts';
import { base64OfText } from '#domain/encoding.ts';
import { SDKAPIUnreachableError } from '#domain/errors.ts';
import { rolesOf } from '#domain/sessions/session-claim.ts';
import { SESSION_REFUSALS } from '#domain/sessions/session-refusals.ts';
import { isSession, type Session } from '#domain/sessions/session.ts';
import { isRecord } from '#domain/shape.ts';
import { isUser, type User } from '#domain/users/user.ts';
import type { projects, sessions } from '../api/index.ts';
import type { HttpRequest, TransportPort } from '../ports/index.ts';
import { readJson } from '../wire/read-reply.ts';
import { UnavailableError } from './cached-value.ts';

/** The secret of a session: an opaque token or a JWT. */
export type Secret = { readonly session_token: string } | { readonly session_jwt: string };

/** A session, with its user if the API returned it. */
export interface Live {
  readonly session: Session;
  readonly user: User | null;
}

/** The API calls of an app's server: one session, and the RBAC policy. */
export interface SessionApi {
  /**
   * The live session; null if there is none; or that it lacks a factor. Throws an `UnavailableError` if the API gives no usable response.
   */
  session(secret: Secret): Promise<Live | 'lacks-factor' | null>;
  policy(): Promise<AccessPolicy>;
}

// Written out here and compared with the tables by the compiler, so that a server does not load a page's endpoints.
const AUTHENTICATE: `/sdk/v1${typeof sessions.authenticate.path}` = '/sdk/v1/sessions/authenticate';
const BOOTSTRAP: `/sdk/v1${typeof projects.bootstrap.path}` = '/sdk/v1/projects/bootstrap/:publicToken';

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {});

abstract class HttpSessionApi implements SessionApi {
  constructor(
    private readonly transport: TransportPort,
    private readonly apiUrl: string,
  ) {}

  protected abstract ask(secret: Secret): Promise<Fields>;
  /** What the refusal means for the session; undefined if nothing. */
  protected verdictOf(error: unknown): ReturnType<(typeof SESSION_REFUSALS)['get']> {
    return SESSION_REFUSALS.get(fieldsOf(error)['error_type']);
  }

  abstract policy(): Promise<AccessPolicy>;

  async session(secret: Secret): Promise<Live | 'lacks-factor' | null> {
    try {
      const { session, user } = await this.ask(secret);
      if (!isSession(session) || typeof session.user_id !== 'string' || session.user_id === '') {
        throw new SDKAPIUnreachableError('invalid-response');
      }
      return {
        session: { ...session, roles: rolesOf(session.roles ?? fieldsOf(user)['roles']) },
        user: isUser(user) && user.user_id === session.user_id ? user : null,
      };
    } catch (error) {
      const verdict = this.verdictOf(error);
      if (verdict !== undefined) return verdict === 'lacks-factor' ? verdict : null;
      throw new UnavailableError('session', error);
    }
  }

  protected async send(
    method: HttpRequest['method'],
    path: string,
    [name, password]: readonly [string, string],
    body: Fields | null,
  ): Promise<Fields> {
    const authorization = `Basic ${base64OfText(`${name}:${password}`)}`;
    const headers: Record<string, string> =
      body === null ? { authorization } : { authorization, 'content-type': 'application/json' };
    const url = `${this.apiUrl}${path}`;
    return fieldsOf(
      readJson(await this.transport.send({ method, url, headers, body: body && JSON.stringify(body) }), url),
    );
  }
}

/** The client's API. The password of the credentials is the session's secret; the user name is the public token. */
export class PublicSessionApi extends HttpSessionApi {
  constructor(
    transport: TransportPort,
    apiUrl: string,
    private readonly publicToken: string,
  ) {
    super(transport, apiUrl);
  }

  protected async ask(secret: Secret): Promise<Fields> {
    const password = 'session_token' in secret ? secret.session_token : secret.session_jwt;
    return fieldsOf((await this.send('POST', AUTHENTICATE, [this.publicToken, password], {}))['data']);
  }

  async policy(): Promise<AccessPolicy> {
    const { publicToken } = this;
    const path = BOOTSTRAP.replace(':publicToken', publicToken);
    const reply = await this.send('GET', path, [publicToken, publicToken], null);
    return policyIn(fieldsOf(reply['data']), 'rbac_policy');
  }
}

/** The backend API, with a project secret. */
export class BackendSessionApi extends HttpSessionApi {
  constructor(
    transport: TransportPort,
    apiUrl: string,
    private readonly projectId: string,
    private readonly secret: string,
  ) {
    super(transport, apiUrl);
  }

  protected async ask(secret: Secret): Promise<Fields> {
    return this.send('POST', '/v1/sessions/authenticate', [this.projectId, this.secret], secret);
  }

  /** Throws on `unauthorized_credentials`, which here means that the project's secret was rejected. */
  protected override verdictOf(error: unknown): ReturnType<HttpSessionApi['verdictOf']> {
    const { error_type } = fieldsOf(error);
    return error_type === 'unauthorized_credentials' ? undefined : super.verdictOf(error);
  }

  async policy(): Promise<AccessPolicy> {
    const path = `/v1/rbac/policy?project_id=${encodeURIComponent(this.projectId)}`;
    return policyIn(await this.send('GET', path, [this.projectId, this.secret], null), 'policy');
  }
}

/** A reply without a policy is invalid: as a policy it would deny everything. */
function policyIn(reply: Fields, field: string): AccessPolicy {
  if (!isRecord(reply[field])) throw new SDKAPIUnreachableError('invalid-response');
  return new AccessPolicy(reply[field]);
}
