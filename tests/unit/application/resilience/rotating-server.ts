import { sessions } from '#application/api/index.ts';
import type { ClockPort, HttpRequest, HttpResponse, TransportPort } from '#application/ports/index.ts';
import { TOKEN } from '../world.ts';

const JSON_TYPE = { 'content-type': 'application/json' } as const;
const EMPTY: HttpResponse = { status: 200, headers: JSON_TYPE, text: '{"data":{}}' };

/** The secret that a request came with. */
export function secretOf({ headers }: Pick<HttpRequest, 'headers'>): string {
  return Buffer.from(headers['authorization']?.slice('Basic '.length) ?? '', 'base64')
    .toString()
    .slice(TOKEN.length + 1);
}

/** An error reply as the wire has it. */
export function refusal(status: number, error_type: string, headers: Readonly<Record<string, string>> = {}) {
  const text = JSON.stringify({ status_code: status, request_id: 'r', error_type, error_message: '', error_url: '' });
  return { status, headers: { ...JSON_TYPE, ...headers }, text };
}

/** One session of a server that gives it new tokens at every authenticate and refuses the old ones at once. */
export class RotatingServer {
  /** Milliseconds since 1970. */
  expiresAt: number;
  revoked = false;
  /** How often it gave new tokens. */
  rotations = 0;

  private readonly lastTokenStaysGood: boolean;

  constructor(
    private readonly clock: Pick<ClockPort, 'now'>,
    { lastsMs = 5_000 * 3_600_000, lastTokenStaysGood = false } = {},
  ) {
    this.expiresAt = clock.now() + lastsMs;
    this.lastTokenStaysGood = lastTokenStaysGood;
  }

  get token(): string {
    return `rotating-${this.rotations}`;
  }

  isAlive(): boolean {
    return !this.revoked && this.clock.now() < this.expiresAt;
  }

  /** Answers `sessions/authenticate`. */
  authenticate(request: HttpRequest): HttpResponse {
    const secret = secretOf(request);
    const good = secret === this.token || (this.lastTokenStaysGood && secret === `rotating-${this.rotations - 1}`);
    if (!this.isAlive() || !good) return refusal(401, 'unauthorized_credentials');
    this.rotations += 1;
    const at = (time: number): string => new Date(time).toISOString();
    const session = {
      session_id: 'session-test-rotating',
      user_id: 'user-test-1',
      last_accessed_at: at(this.clock.now()),
      expires_at: at(this.expiresAt),
    };
    const user = { user_id: 'user-test-1', roles: [], emails: [] };
    const data = { user, session, session_token: this.token, session_jwt: `jwt-${this.rotations}` };
    return { status: 200, headers: JSON_TYPE, text: JSON.stringify({ data }) };
  }
}

/** A transport that remembers nothing, for tests that send a hundred thousand requests. */
export function transportOf(refresh: (request: HttpRequest) => HttpResponse | Promise<HttpResponse>): TransportPort {
  return {
    send: async (request) => (request.url.endsWith(sessions.authenticate.path) ? refresh(request) : EMPTY),
  };
}
