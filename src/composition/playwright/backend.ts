import { pathOf } from '#application/api/endpoint.ts';
import { base64OfText } from '#domain/encoding.ts';
import { isRecord } from '#domain/shape.ts';
import { controlOf } from '../control/provider-control.ts';

/** The options of a test's user. */
export interface PersonOptions {
  /** The RBAC roles of the user, in addition to those that the project file assigns. They replace those of an earlier call. */
  readonly roles?: readonly string[];
  readonly name?: { readonly first_name?: string; readonly middle_name?: string; readonly last_name?: string };
  readonly trusted_metadata?: Readonly<Record<string, unknown>>;
  /** The duration of the session, in minutes. Default: 60. */
  readonly session_duration_minutes?: number;
}

/** A user who is signed in. */
export interface SignedInPerson {
  readonly user_id: string;
  readonly email: string;
  readonly session_token: string;
  readonly session_jwt: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** The calls of the backend API with which a test creates users and sessions. */
export class Backend {
  private readonly authorization: string;

  constructor(
    private readonly apiUrl: string,
    projectId: string,
    secret: string,
  ) {
    this.authorization = `Basic ${base64OfText(`${projectId}:${secret}`)}`;
  }

  /**
   * Creates the user if the address is new, and a session for the user, without sending a message. What the project requires of its users
   * is filled in.
   */
  async signIn(email: string, person: PersonOptions = {}): Promise<SignedInPerson> {
    const { session_duration_minutes = 60, ...attributes } = person;
    const user_id = await this.findOrCreate(email, attributes);
    const { token } = await this.call('POST', '/v1/magic_links', { user_id });
    const logIn = () => this.call('POST', '/v1/magic_links/authenticate', { token, session_duration_minutes });
    const reply = await logIn().catch(async (error: Error) => {
      if (error.cause !== 'profile_required') throw error;
      // The refused login has used nothing up.
      await controlOf(this.apiUrl).completeProfile(user_id);
      return logIn();
    });
    return { user_id, email, session_token: text(reply, 'session_token'), session_jwt: text(reply, 'session_jwt') };
  }

  private async findOrCreate(email: string, attributes: Fields): Promise<string> {
    const found = await this.find(email);
    if (found === null) return text(await this.call('POST', '/v1/users', { email, ...attributes }), 'user_id');
    if (Object.keys(attributes).length > 0)
      await this.call('PUT', pathOf('/v1/users/:user_id', { user_id: found }), attributes);
    return found;
  }

  private async find(email: string): Promise<string | null> {
    const operands = [{ filter_name: 'email_address', filter_value: [email] }];
    const { results } = await this.call('POST', '/v1/users/search', { limit: 1, query: { operator: 'AND', operands } });
    const [first] = Array.isArray(results) ? (results as readonly unknown[]) : [];
    return isRecord(first) ? text(first, 'user_id') : null;
  }

  private async call(method: 'POST' | 'PUT', path: string, body: Fields): Promise<Fields> {
    const headers = { authorization: this.authorization, 'content-type': 'application/json' };
    const reply = await fetch(this.apiUrl + path, { method, headers, body: JSON.stringify(body) });
    const fields: unknown = await reply.json().catch(() => null);
    if (reply.ok && isRecord(fields)) return fields;
    const { error_type = 'no JSON', error_message = '' } = isRecord(fields) ? fields : {};
    throw new Error(
      `${method} ${path} answered ${reply.status} ${String(error_type)}. ${String(error_message)}`.trim(),
      { cause: error_type },
    );
  }
}

function text(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string') throw new Error(`The reply has no ${name}.`);
  return value;
}
