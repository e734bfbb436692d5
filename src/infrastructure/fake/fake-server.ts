import {
  events,
  magicLinks,
  otps,
  projects,
  sessions,
  users,
  type Authenticated,
} from '../../application/api/index.ts';
import type { ClockPort } from '../../application/ports/index.ts';
import { isEmail } from '../../domain/email.ts';
import type { Session } from '../../domain/session.ts';
import type { User } from '../../domain/user.ts';
import { errorReply } from './fake-reply.ts';
import type { FakeTransport } from './fake-transport.ts';
import type { SeenRequest } from './seen-request.ts';

/** A message that a real server would have sent. */
export interface FakeMessage {
  readonly to: string;
  readonly code?: string;
  readonly token?: string;
}

interface Secret {
  readonly id: string;
  readonly email: string;
  readonly value: string;
  readonly expiresAt: number;
  readonly challenge?: string | undefined;
  wrongTries: number;
  used: boolean;
}

const MAX_TRIES = 5;
const MINUTE_MS = 60_000;

/** A server of the wire in memory: enough of one to log in by emailed passcode or link, and to stay so. */
export class FakeServer {
  /** Newest first. */
  readonly inbox: FakeMessage[] = [];
  /** What bootstrap answers; tests change it. */
  readonly project: Record<string, unknown> = { project_name: 'Fake project', disable_sdk_watermark: true };
  private readonly usersByEmail = new Map<string, User>();
  private readonly sessionsByToken = new Map<string, Session>();
  private readonly codes: Secret[] = [];
  private readonly links: Secret[] = [];
  private made = 0;

  constructor(
    transport: FakeTransport,
    private readonly clock: Pick<ClockPort, 'now'>,
    /** The S256 challenge of a verifier (RFC 7636, section 4.2). */
    private readonly challengeOf: (verifier: string) => Promise<string>,
  ) {
    transport
      .answer(projects.bootstrap, () => this.project)
      .answer(events.log, () => ({}))
      .answer(otps.emailLoginOrCreate, ({ email, expiration_minutes }) => this.sendCode(email, expiration_minutes ?? 5))
      .answer(otps.authenticate, (body) => this.useCode(body))
      .answer(magicLinks.loginOrCreate, (body) => this.sendLink(body))
      .answer(magicLinks.authenticate, (body) => this.useLink(body))
      .answer(sessions.authenticate, ({ session_duration_minutes }, request) =>
        this.extend(request, session_duration_minutes),
      )
      .answer(sessions.revoke, (_, request) => this.revoke(request))
      .answer(users.me, (_, request) => this.me(request))
      .answer(users.search, ({ email }) => ({ userType: this.usersByEmail.has(email) ? 'passwordless' : 'new' }));
  }

  private sendCode(email: string, minutes: number): unknown {
    if (!isEmail(email)) return errorReply(400, 'invalid_email');
    this.retire(this.codes, email);
    const code = this.secret(email, String(100_000 + ((this.made * 7919) % 900_000)), minutes);
    this.codes.push(code);
    this.inbox.unshift({ to: email, code: code.value });
    return { method_id: code.id };
  }

  private useCode({
    token,
    method_id,
    session_duration_minutes,
  }: {
    token: string;
    method_id: string;
    session_duration_minutes: number;
  }): unknown {
    const code = this.codes.find(({ id }) => id === method_id);
    if (code === undefined || !this.usable(code) || code.wrongTries >= MAX_TRIES)
      return errorReply(404, 'otp_code_not_found');
    if (code.value !== token) {
      code.wrongTries += 1;
      return errorReply(404, 'otp_code_not_found');
    }
    code.used = true;
    return { ...this.signIn(code.email, session_duration_minutes, 'otp'), method_id };
  }

  private sendLink({
    email,
    code_challenge,
    login_expiration_minutes,
  }: {
    email: string;
    code_challenge?: string | undefined;
    login_expiration_minutes?: number | undefined;
  }): unknown {
    if (!isEmail(email)) return errorReply(400, 'invalid_email');
    const required = this.project['pkce_required_for_email_magic_links'] === true;
    if (required && code_challenge === undefined) return errorReply(400, 'pkce_expected_code_challenge');
    const link = this.secret(email, `link-token-${this.made}`, login_expiration_minutes ?? 30);
    this.links.push({ ...link, challenge: code_challenge });
    this.inbox.unshift({ to: email, token: link.value });
    return { user_id: this.userFor(email).user_id };
  }

  private async useLink({
    token,
    code_verifier,
    session_duration_minutes,
  }: {
    token: string;
    code_verifier?: string | undefined;
    session_duration_minutes: number;
  }): Promise<unknown> {
    const link = this.links.find(({ value }) => value === token);
    if (link === undefined || !this.usable(link)) return errorReply(401, 'unable_to_auth_magic_link');
    if (link.challenge !== undefined && code_verifier === undefined)
      return errorReply(400, 'pkce_expected_code_verifier');
    if (link.challenge === undefined && code_verifier !== undefined)
      return errorReply(400, 'pkce_expected_code_challenge');
    if (code_verifier !== undefined && (await this.challengeOf(code_verifier)) !== link.challenge) {
      return errorReply(400, 'pkce_mismatch');
    }
    link.used = true;
    return { ...this.signIn(link.email, session_duration_minutes, 'magic_link'), method_id: link.id };
  }

  private extend(request: SeenRequest, minutes?: number | null): unknown {
    const found = this.sessionOf(request);
    if (found === null) return this.unauthorized(request);
    const [token, session] = found;
    const now = this.clock.now();
    const expires_at = minutes ? new Date(now + minutes * MINUTE_MS).toISOString() : session.expires_at;
    const extended = { ...session, expires_at, last_accessed_at: new Date(now).toISOString() };
    this.sessionsByToken.set(token, extended);
    return this.authenticated(extended, token);
  }

  private revoke(request: SeenRequest): unknown {
    const found = this.sessionOf(request);
    if (found === null) return this.unauthorized(request);
    this.sessionsByToken.delete(found[0]);
    return {};
  }

  private me(request: SeenRequest): unknown {
    const found = this.sessionOf(request);
    return found === null ? this.unauthorized(request) : this.userById(found[1].user_id);
  }

  private signIn(email: string, minutes: number, type: string): Partial<Authenticated> {
    const user = this.userFor(email);
    this.usersByEmail.set(email, {
      ...user,
      status: 'active',
      emails: user.emails.map((e) => ({ ...e, verified: true })),
    });
    const now = new Date(this.clock.now()).toISOString();
    const token = `session-token-${this.next()}`;
    const session: Session = {
      session_id: `session-test-${this.next()}`,
      user_id: user.user_id,
      started_at: now,
      last_accessed_at: now,
      expires_at: new Date(this.clock.now() + minutes * MINUTE_MS).toISOString(),
      attributes: { ip_address: '127.0.0.1', user_agent: 'fake' },
      authentication_factors: [{ type, delivery_method: 'email', last_authenticated_at: now }],
      custom_claims: {},
      roles: [],
    };
    this.sessionsByToken.set(token, session);
    return this.authenticated(session, token);
  }

  private authenticated(session: Session, session_token: string): Partial<Authenticated> {
    const user = this.userById(session.user_id);
    const session_jwt = `jwt.${session.session_id}.${this.next()}`;
    return { user_id: user.user_id, user, session, session_token, session_jwt };
  }

  private sessionOf({ headers }: SeenRequest): readonly [string, Session] | null {
    const [, secret = ''] = atob((headers['authorization'] ?? '').replace('Basic ', '')).split(/:(.*)/su);
    const session = this.sessionsByToken.get(secret);
    return session !== undefined && Date.parse(session.expires_at) > this.clock.now() ? [secret, session] : null;
  }

  private unauthorized({ headers }: SeenRequest): unknown {
    const [publicToken, secret] = atob((headers['authorization'] ?? '').replace('Basic ', '')).split(/:(.*)/su);
    return errorReply(401, publicToken === secret ? 'user_unauthenticated' : 'unauthorized_credentials');
  }

  private userById(id: string): User {
    for (const user of this.usersByEmail.values()) if (user.user_id === id) return user;
    throw new Error(`There is no user ${id}`);
  }

  private userFor(email: string): User {
    const known = this.usersByEmail.get(email);
    if (known) return known;
    const user: User = {
      user_id: `user-test-${this.next()}`,
      created_at: new Date(this.clock.now()).toISOString(),
      status: 'pending',
      roles: [],
      name: {},
      trusted_metadata: {},
      untrusted_metadata: {},
      emails: [{ email_id: `email-test-${this.next()}`, email, verified: false }],
      phone_numbers: [],
      providers: [],
      webauthn_registrations: [],
      biometric_registrations: [],
      totps: [],
      crypto_wallets: [],
      password: null,
    };
    this.usersByEmail.set(email, user);
    return user;
  }

  private secret(email: string, value: string, minutes: number): Secret {
    this.userFor(email);
    return {
      id: `email-test-${this.next()}`,
      email,
      value,
      expiresAt: this.clock.now() + minutes * MINUTE_MS,
      wrongTries: 0,
      used: false,
    };
  }

  private usable({ used, expiresAt }: Secret): boolean {
    return !used && this.clock.now() < expiresAt;
  }

  private retire(secrets: readonly Secret[], email: string): void {
    for (const secret of secrets) if (secret.email === email) secret.used = true;
  }

  private next(): number {
    this.made += 1;
    return this.made;
  }
}
