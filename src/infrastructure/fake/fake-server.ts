import { events, projects } from '../../application/api/index.ts';
import type { ClockPort } from '../../application/ports/index.ts';
import { challengeFrom } from '../../domain/pkce.ts';
import { FakeCrypto } from './fake-crypto.ts';
import type { FakeTransport } from './fake-transport.ts';
import { answerAccess, impersonationToken, trustedToken } from './server/access.ts';
import { Answers } from './server/answers.ts';
import { answerCodes } from './server/codes.ts';
import { answerIdp, exchangeCode, type CodeExchange } from './server/idp.ts';
import { answerLinks } from './server/links.ts';
import type { PostedForm } from './fake-form-post.ts';
import { answerOAuth, idTokenOf, returnFrom } from './server/oauth.ts';
import { answerPasswords } from './server/passwords.ts';
import { answerSessions } from './server/sessions.ts';
import { SIMPLIFICATIONS } from './server/simplifications.ts';
import { ServerState } from './server/state.ts';
import type { FakeAccount, FakeMessage, FakeSettings, LinkType } from './server/tables.ts';
import { answerTotps, totpCode } from './server/totps.ts';
import { answerUsers } from './server/users.ts';
import { answerWallets, fakeSignature, type VerifySignature } from './server/wallets.ts';
import { answerWebauthn } from './server/webauthn.ts';

export type { CodeExchange } from './server/idp.ts';
export type { FakeAccount, FakeClient, FakeMessage, FakeSettings, LinkType } from './server/tables.ts';
export type { VerifySignature } from './server/wallets.ts';

const s256 = async (verifier: string): Promise<string> => challengeFrom(await new FakeCrypto().sha256(verifier));

/**
 * A server of the wire in memory: every way to log in, users, apps and roles, with the error types of the real one.
 *
 * Each secret works once and for its time, by the given clock. It follows the rules of the provider (`domain/rules`);
 * `simplifications` lists what only a real server can know, and what the fake does in its place.
 */
export class FakeServer {
  /** What only a real server can know, and what the fake does in its place. */
  static readonly simplifications = SIMPLIFICATIONS;
  /** Whether a wallet signed a challenge; in place of the fake's own scheme, a test may put a real one. */
  verifySignature: VerifySignature = ({ address }, challenge, signature) =>
    signature === fakeSignature(address, challenge);
  private readonly state: ServerState;

  constructor(
    transport: FakeTransport,
    clock: Pick<ClockPort, 'now'>,
    /** The S256 challenge of a verifier (RFC 7636, section 4.2). */
    challengeOf: (verifier: string) => Promise<string> = s256,
  ) {
    const state = new ServerState(clock, challengeOf);
    this.state = state;
    const answers = new Answers(transport);
    // The very object: a test may change it while the answer is on its way.
    transport.answer(projects.bootstrap, () => state.project).answer(events.log, () => ({}));
    answerSessions(answers, state);
    answerCodes(answers, state);
    answerLinks(answers, state);
    answerPasswords(answers, state);
    answerTotps(answers, state);
    answerWebauthn(answers, state);
    answerWallets(answers, state, () => this.verifySignature);
    answerOAuth(answers, state);
    answerUsers(answers, state);
    answerAccess(answers, state);
    answerIdp(answers, state);
  }

  /** The messages that a real server would have sent, newest first. */
  get inbox(): readonly FakeMessage[] {
    return this.state.inbox;
  }

  /** What bootstrap answers; tests change it. */
  get project(): Record<string, unknown> {
    return this.state.project;
  }

  /** What bootstrap does not tell; tests change it. */
  get settings(): FakeSettings {
    return this.state.settings;
  }

  /** The newest passcode sent to an address or number; null when there is none. */
  codeFor(to: string): string | null {
    return this.state.inbox.find((message) => message.to === to)?.code ?? null;
  }

  /** The token of the newest link of that type sent to an address; null when there is none. */
  tokenFor(email: string, type: LinkType = 'magic_links'): string | null {
    const link = this.state.inbox.find(({ to, links }) => to === email && links?.[type] !== undefined)?.links?.[type];
    return link === undefined ? null : new URL(link).searchParams.get('token');
  }

  /** What an authenticator app shows now for the secret of `totps.create`. */
  totpCode(secret: string): string {
    return totpCode(this.state, secret);
  }

  /** What a wallet answers when it signs a challenge, by the fake's own scheme. */
  signatureOf(address: string, challenge: string): string {
    return fakeSignature(address, challenge);
  }

  /**
   * Plays the social provider: the address in the host's site that the login comes back to, from the URL that
   * `oauth.….start` navigates to or the form that it posts. Throws an error with the `error_type` of what the server refuses.
   */
  returnFrom(start: string | PostedForm, account: FakeAccount): string {
    return returnFrom(this.state, start, account);
  }

  /** The ID token that a One Tap prompt gives for an account. */
  idTokenOf(account: FakeAccount): string {
    return idTokenOf(this.state, account);
  }

  /** What an administrator hands out to act for a user, named by address or id. */
  impersonationToken(user: string, by = 'operator'): string {
    return impersonationToken(this.state, user, by);
  }

  /** A token of the issuer of a trusted-auth-token profile. */
  trustedToken(profileId: string, email: string): string {
    return trustedToken(this.state, profileId, email);
  }

  /** Plays the token endpoint: the tokens that an app gets for an authorization code. */
  exchangeCode(exchange: CodeExchange): Promise<{ readonly access_token: string; readonly id_token: string }> {
    return exchangeCode(this.state, exchange);
  }
}
