import type { CallGate } from '#domain/rules/gates.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { MOST_VALUES, onlyUser } from '#domain/rules/session-cookies.ts';
import type { RequestCaller } from '#provider/base/contract.ts';
import type { Db } from '#provider/base/db/database.ts';
import type { SessionServices } from '../../services.ts';
import { sessionToken } from '#provider/base/security/secrets.ts';
import { findLive, findSignedIn, reread, type CurrentSession, type SignedIn } from '../rows/find.ts';
import type { SecondStep } from '../factors/intermediate.ts';
import { lackOf } from '../factors/policy.ts';
import { sessionClaimIn, type ExpiredJwt } from '../rows/jwt.ts';
import { isFirstUse, USED_PROOF, type GoodProof } from '../proofs/proofs.ts';
import { SessionLookup, withProof, type PresentedWith, type ResolvedSession } from './lookup.ts';

export type { CurrentSession } from '../rows/find.ts';
export type { CookieSecrets } from './lookup.ts';

/** The caller of a request, with their session. */
export interface Caller extends RequestCaller {
  readonly session: PresentedSession;
  /** The row of the call in the gate table. */
  readonly gate: CallGate;
  /** The fields of the request about the second factor. */
  readonly step: SecondStep;
}

/** The proof that a page sent with a request, if any. Each request uses it up once. */
class RequestProof {
  private isUsed = false;

  constructor(private readonly proof: GoodProof | null) {}

  /** The thumbprint of its key; null without a proof. */
  get key(): string | null {
    return this.proof?.jkt ?? null;
  }

  /** Uses it up, no matter how the request ends. Not for use within a transaction. */
  async use(db: Db): Promise<void> {
    await this.useIn(db);
    this.isUsed = true;
  }

  /** Uses it up within the transaction, which may be repeated, unless the request has used it before. */
  async useIn(tx: Db): Promise<void> {
    if (this.proof === null || this.isUsed) return;
    if (!(await isFirstUse(tx, this.proof))) throw new Refusal('invalid_dpop_proof', USED_PROOF);
  }
}

/** The number of kinds of secrets in cookies: tokens and JWTs. */
const COOKIE_KINDS = 2;

/**
 * The session that came with a request. It is resolved once, no matter how many parts of the request need it.
 *
 * Tokens in cookies come first, then JWTs in cookies, then the secret in the Authorization header: a script of the page can write only the
 * last. The first kind with a live session decides. There is no session if it has sessions of different users, or a JWT in a cookie is
 * another user's, expired or not: a sibling host may have replaced one of the two cookies.
 *
 * The token of a session that is bound to its browser counts only with a live JWT of the session in a cookie. That JWT lasts two and a half
 * minutes, and only the browser's key gets another one. A session that is bound to a page's key counts only with a proof of this request by
 * that key. If the app's own server presents it, a JWT that has not expired is enough.
 */
export class PresentedSession {
  readonly proof: RequestProof;
  private readonly services: SessionServices;
  private readonly kinds: readonly (readonly string[])[];
  private readonly jwts: readonly string[];
  private readonly isSkipped: boolean;
  private found: Promise<ResolvedSession | undefined> | null = null;
  private lack: ReturnType<typeof lackOf> | null = null;
  private readonly expiredJwt: ExpiredJwt;
  private outcome: 'unasked' | 'live' | 'none' | 'unproven' | 'ambiguous' | 'ended' = 'unasked';
  private readonly lookup: SessionLookup;

  /** @param secret the token or JWT in the Authorization header or the body, or null */
  constructor(
    services: SessionServices,
    secret: string | null,
    { cookies = { tokens: [], jwts: [] }, proof = null, expiredJwt = 'refused' }: PresentedWith = {},
  ) {
    const { tokens, jwts, isSkipped = false } = cookies;
    this.proof = new RequestProof(proof);
    this.services = services;
    this.kinds = [tokens, jwts, secret === null ? [] : [secret]];
    this.jwts = jwts;
    this.isSkipped = isSkipped;
    this.expiredJwt = expiredJwt;
    this.lookup = new SessionLookup(services, jwts, { expiredJwt, proofKey: this.proof.key });
  }

  /** Whether the request has a token or JWT at all, valid or not. */
  get isPresented(): boolean {
    return this.kinds.some(({ length }) => length > 0);
  }

  /**
   * The live session, if any. A session that lacks a factor by the project's policy does not count. Not for use within a transaction: the
   * embedded database has one connection.
   */
  async find(): Promise<CurrentSession | undefined> {
    const found = await this.findPartial();
    return found === undefined || (await this.lacks(found.signedIn ?? found)) ? undefined : found.session;
  }

  /** The live session, even if it lacks a factor. Not for use within a transaction. */
  async findPartial(withUser = false): Promise<ResolvedSession | undefined> {
    return (this.found ??= this.resolve(this.services.db, withUser));
  }

  /** Like `findPartial`; refuses if there is none. */
  async requirePartial(): Promise<ResolvedSession> {
    const found = await this.findPartial();
    if (found !== undefined) return found;
    throw await this.refusal();
  }

  /**
   * The live session with its user and its token, even if it lacks a factor; undefined if there is none. Not for use within a transaction.
   */
  async findSignedIn(): Promise<SignedIn | undefined> {
    const found = await this.findPartial(true);
    if (found === undefined || found.signedIn !== undefined) return found?.signedIn;
    const signedIn = await findSignedIn(this.services, found.secret, this.expiredJwt);
    return signedIn && withProof(signedIn, found.session);
  }

  /** Whether the session lacks a factor: the policy was raised, or the user got a role, after the login. */
  async lacks({ session, user }: Pick<SignedIn, 'session'> & Partial<Pick<SignedIn, 'user'>>): Promise<boolean> {
    this.lack ??= lackOf(this.services, this.services.db, session, user);
    return (await this.lack) !== null;
  }

  /** Like `findSignedIn`; refuses if there is no live session. */
  async requireSignedIn(): Promise<SignedIn> {
    const found = await this.findSignedIn();
    if (found === undefined) throw await this.refusal();
    return found;
  }

  /**
   * The live session as the transaction sees it, even if it lacks a factor: the login that it joins checks all factors. Call it only after
   * the user is locked, because a login of the user may end it.
   */
  async findIn(tx: Db): Promise<CurrentSession | undefined> {
    if (this.found === null) return (await this.resolve(tx))?.session;
    const found = await this.found;
    return found === undefined ? undefined : reread(this.services, tx, found.session);
  }

  /** Whether the token is not new: the request came with it, or with a JWT of its session. */
  async hasToken(token: string): Promise<boolean> {
    if (this.kinds.some((secrets) => secrets.includes(token))) return true;
    const session = (await this.found)?.session;
    return (
      session !== undefined &&
      token === sessionToken(this.services.keys.codeKey, session.session_id, session.generation)
    );
  }

  /** Whether this session came with the request, and its browser has registered a key but not used it yet. */
  async isOnTrial({ session_id }: { readonly session_id: string }): Promise<boolean> {
    const session = (await this.found)?.session;
    return session?.session_id === session_id && session.bound_key === null && session.trial_key !== null;
  }

  /** Records that this request ended the session. */
  end(): void {
    this.outcome = 'ended';
  }

  /**
   * True if the cookies of the request are useless from now on. False if a later login replaced their token: its reply, with newer cookies,
   * may have reached the browser already.
   */
  async isOver(): Promise<boolean> {
    if (this.outcome !== 'none') return this.outcome === 'ended' || this.outcome === 'ambiguous';
    for (const jwt of this.jwts) {
      // oxlint-disable-next-line no-await-in-loop -- at most three, and almost always one
      const claim = await sessionClaimIn(this.services, jwt, 'accepted');
      // oxlint-disable-next-line no-await-in-loop
      const live = claim && (await findLive(this.services, this.services.db, claim.session_id));
      if (live) return false;
    }
    return true;
  }

  /** Whether sessions of different users came with the request. */
  get isAmbiguous(): boolean {
    return this.outcome === 'ambiguous';
  }

  /**
   * Why the request has no live session. If the browser could not prove its session, it may try again, unless the session also lacks a
   * factor.
   */
  async refusal(): Promise<Refusal> {
    const [unproven] = this.lookup.unproven;
    if (this.outcome === 'unproven' && unproven !== undefined && unproven.proof_jkt !== null) {
      return new Refusal('session_proof_required');
    }
    if (this.outcome === 'unproven' && unproven !== undefined && this.isSkipped) {
      const lack = await lackOf(this.services, this.services.db, unproven);
      if (lack === null) return new Refusal('service_unavailable', 'The session was not proved. Try again.', 1);
    }
    return new Refusal(this.isPresented ? 'unauthorized_credentials' : 'user_unauthenticated');
  }

  private async resolve(db: Db, withUser = false): Promise<ResolvedSession | undefined> {
    const isCrowded = this.kinds.some(({ length }) => length > MOST_VALUES);
    const found = isCrowded ? 'ambiguous' : await this.judge(db, withUser);
    this.outcome =
      found === 'ambiguous'
        ? found
        : found !== undefined
          ? 'live'
          : this.lookup.unproven.length > 0
            ? 'unproven'
            : 'none';
    return found === 'ambiguous' ? undefined : found;
  }

  private async judge(db: Db, withUser: boolean): Promise<ResolvedSession | 'ambiguous' | undefined> {
    for (const [at, secrets] of this.kinds.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- a later kind counts only without an earlier one
      const found = onlyUser(await this.lookup.liveOf(db, secrets, withUser));
      if (found === undefined) continue;
      // A JWT of another user, beside the token of a session that was only not proved: a sibling host may have replaced a cookie.
      if (found !== 'ambiguous' && this.lookup.unproven.some(({ user_id }) => user_id !== found.user_id))
        return 'ambiguous';
      const isCookie = at < COOKIE_KINDS;
      // oxlint-disable-next-line no-await-in-loop -- the last pass
      return found !== 'ambiguous' && isCookie && (await this.lookup.hasJwtOfAnother(db, found)) ? 'ambiguous' : found;
    }
    return undefined;
  }
}
