import { events, projects } from '#application/api/index.ts';
import type { ClockPort } from '#application/ports/index.ts';
import { challengeFrom } from '#domain/links/pkce.ts';
import { FakeCrypto } from './ports/fake-crypto.ts';
import type { FakeTransport } from './transport/fake-transport.ts';
import { answerAccess, impersonationToken, trustedToken } from './server/calls/access.ts';
import { admit } from './server/state/admission.ts';
import { Answers } from './server/state/answers.ts';
import { answerCodes } from './server/calls/codes.ts';
import { HttpOnlyCookies } from './server/calls/http-only.ts';
import { answerIdp, exchangeCode, type CodeExchange } from './server/calls/idp.ts';
import {
  answerDevices,
  beginDevice,
  pollDevice,
  type DeviceCodes,
  type DeviceRequest,
} from './server/calls/devices.ts';
import type { AppTokens } from './server/calls/app-grants.ts';
import { answerLinks, invite } from './server/calls/links.ts';
import type { PostedForm } from './ports/fake-form-post.ts';
import { answerOAuth, idTokenOf, returnFrom } from './server/calls/oauth.ts';
import { answerPasswords } from './server/calls/passwords.ts';
import { answerMfa } from './server/calls/mfa.ts';
import { answerProfile } from './server/calls/profile.ts';
import { secondStepOf } from './server/state/second-factor.ts';
import { answerSessions } from './server/calls/sessions.ts';
import { SIMPLIFICATIONS } from './server/state/simplifications.ts';
import { ServerState } from './server/state/state.ts';
import type { FakeAccount, FakeMessage, FakeSettings, LinkType } from './server/state/tables.ts';
import { answerTotps, totpCode } from './server/calls/totps.ts';
import { answerAccountData } from './server/calls/account-data.ts';
import { answerUsers } from './server/calls/users.ts';
import { answerWallets, fakeSignature, type VerifySignature } from './server/calls/wallets.ts';
import { answerWebauthn } from './server/calls/webauthn.ts';

export type { AppTokens } from './server/calls/app-grants.ts';
export type { DeviceCodes, DeviceRequest } from './server/calls/devices.ts';
export type { CodeExchange } from './server/calls/idp.ts';
export type { FakeAccount, FakeClient, FakeMessage, FakeSettings, LinkType } from './server/state/tables.ts';
export type { VerifySignature } from './server/calls/wallets.ts';

const s256 = async (verifier: string): Promise<string> => challengeFrom(await new FakeCrypto().sha256(verifier));

/**
 * A server in memory that implements the wire: all login methods, users, apps and roles, with the real server's error types.
 *
 * Secrets can be used once, and expire by the given clock. The server follows the same rules as the provider (`server-rules`);
 * `simplifications` lists the differences from a real server.
 */
export class FakeServer {
  /** The properties that the fake simulates in a simpler way than a real server. */
  static readonly simplifications = SIMPLIFICATIONS;
  /** Verifies a wallet's signature of a challenge. A test may replace the fake's own scheme with a real one. */
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
    const answers = new Answers(
      transport,
      new HttpOnlyCookies(state),
      () => state.limits(),
      (json) => secondStepOf(state, json),
      (caller) => admit(state, caller),
    );
    // The same object, not a copy: a test may change it while the reply is in transit.
    transport.answer(projects.bootstrap, () => state.bootstrap()).answer(events.log, () => ({}));
    answerSessions(answers, state);
    answerCodes(answers, state);
    answerLinks(answers, state);
    answerPasswords(answers, state);
    answerTotps(answers, state);
    answerWebauthn(answers, state);
    answerMfa(answers, state);
    answerProfile(answers, state);
    answerWallets(answers, state, () => this.verifySignature);
    answerOAuth(answers, state);
    answerUsers(answers, state);
    answerAccountData(answers, state);
    answerAccess(answers, state);
    answerIdp(answers, state);
    answerDevices(answers, state);
  }

  /** The messages that a real server would have sent, newest first. */
  get inbox(): readonly FakeMessage[] {
    return this.state.inbox;
  }

  /** The reply of bootstrap. Tests may change it. */
  get project(): Record<string, unknown> {
    return this.state.project;
  }

  /** The settings that are not part of bootstrap. Tests may change them. */
  get settings(): FakeSettings {
    return this.state.settings;
  }

  /** The latest passcode sent to an address or number; null if there is none. */
  codeFor(to: string): string | null {
    return this.state.inbox.find((message) => message.to === to)?.code ?? null;
  }

  /** The token of the latest link of that type sent to an address; null if there is none. */
  tokenFor(email: string, type: LinkType = 'magic_links'): string | null {
    const link = this.state.inbox.find(({ to, links }) => to === email && links?.[type] !== undefined)?.links?.[type];
    return link === undefined ? null : new URL(link).searchParams.get('token');
  }

  /** Sends an invitation, as the app's own server does by `magic_links.email.invite`. Its link is in the inbox. */
  invite(email: string): void {
    invite(this.state, email);
  }

  /** The current code of an authenticator app with the secret of `totps.create`. */
  totpCode(secret: string): string {
    return totpCode(this.state, secret);
  }

  /** A wallet's signature of a challenge, in the fake's signature scheme. */
  signatureOf(address: string, challenge: string): string {
    return fakeSignature(address, challenge);
  }

  /**
   * Simulates the social provider. Pass the URL to which `oauth.….start` navigates, or the form that it posts. Returns the host's URL to
   * which the login returns. Throws an error with an `error_type` if the server refuses.
   */
  returnFrom(start: string | PostedForm, account: FakeAccount): string {
    return returnFrom(this.state, start, account);
  }

  /** The ID token that a One Tap prompt returns for an account. */
  idTokenOf(account: FakeAccount): string {
    return idTokenOf(this.state, account);
  }

  /** A token with which an administrator can act for a user, given by address or id. */
  impersonationToken(user: string, by = 'operator'): string {
    return impersonationToken(this.state, user, by);
  }

  /** A token from the issuer of a trusted-auth-token profile. */
  trustedToken(profileId: string, email: string): string {
    return trustedToken(this.state, profileId, email);
  }

  /** Simulates the token endpoint: exchanges an app's authorization code for tokens. */
  exchangeCode(exchange: CodeExchange): Promise<AppTokens> {
    return exchangeCode(this.state, exchange);
  }

  /** Simulates a device without a browser, which shows `user_code` (RFC 8628). Throws an error with the `error` of the endpoint. */
  beginDevice(request: DeviceRequest): DeviceCodes {
    return beginDevice(this.state, request);
  }

  /** Simulates the token endpoint for a device. Throws an error with an `error`, such as `authorization_pending`. */
  pollDevice(device: Pick<DeviceRequest, 'client_id'> & Pick<DeviceCodes, 'device_code'>): AppTokens {
    return pollDevice(this.state, device);
  }
}
