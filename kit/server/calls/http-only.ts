import { NO_SECRETS } from '#domain/rules/session-cookies.ts';
import { hintName } from '#domain/sessions/session-hint.ts';
import { isRecord } from '#domain/shape.ts';
import { FakeReply } from '../../transport/fake-reply.ts';
import type { SeenRequest } from '../../transport/seen-request.ts';
import type { CookieKeeper } from '../state/answers.ts';
import { sessionOf } from '../state/sign-in.ts';
import type { ServerState } from '../state/state.ts';

const TOKEN = 'stytch_session';
const JWT = 'stytch_session_jwt';
const NAMES = [TOKEN, JWT, hintName(TOKEN)];

/** Keeps sessions in HttpOnly cookies while the settings say so. */
export class HttpOnlyCookies implements CookieKeeper {
  constructor(private readonly state: ServerState) {}

  /** A cookie with a live session takes precedence over the secret sent by a script. */
  secretOf({ cookies }: Pick<SeenRequest, 'cookies'>, headerSecret: string | null): string | null {
    if (!this.state.settings.httpOnlySessions) return headerSecret;
    const cookieSecrets = [cookies.get(TOKEN), cookies.get(JWT)].filter((secret) => secret !== undefined);
    const live = cookieSecrets.find((session) => sessionOf(this.state, { session }) !== undefined);
    return live ?? headerSecret ?? cookieSecrets[0] ?? null;
  }

  /** Moves the secrets of a reply into cookies, and removes the cookies of a session that has ended. */
  settle(reply: FakeReply, request: SeenRequest): FakeReply {
    if (!this.state.settings.httpOnlySessions) return reply;
    const { data } = JSON.parse(reply.text) as { readonly data?: unknown };
    const { session_token: token, session_jwt: jwt } = isRecord(data) ? data : {};
    const send = (lines: readonly string[], text = reply.text): FakeReply =>
      new FakeReply(reply.status, text, { ...reply.headers, 'set-cookie': lines.join('\n') });
    if (typeof token === 'string' && typeof jwt === 'string' && isRecord(data)) {
      const lines = [`${TOKEN}=${token}; HttpOnly`, `${JWT}=${jwt}; HttpOnly`, `${hintName(TOKEN)}=1`];
      return send(lines, JSON.stringify({ data: { ...data, ...NO_SECRETS } }));
    }
    return this.isOver(request) ? send(NAMES.map((name) => `${name}=; Max-Age=0`)) : reply;
  }

  /** A token that a later login has replaced does not count, because the browser may already have newer cookies. */
  private isOver({ cookies }: SeenRequest): boolean {
    const { sessions } = this.state;
    const id = cookies.get(JWT)?.split('.')[1] ?? '';
    const expires = sessions.get(id)?.expires_at;
    const isLive = expires !== undefined && Date.parse(expires) > this.state.now();
    return !isLive && NAMES.some((name) => cookies.has(name)) && this.secretOf({ cookies }, '') === '';
  }
}
