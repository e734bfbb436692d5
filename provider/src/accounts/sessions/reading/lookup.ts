import { MOST_VALUES } from '#domain/rules/session-cookies.ts';
import type { Db } from '#provider/base/db/database.ts';
import type { SessionServices } from '../../services.ts';
import { findSession, findSignedIn, looksLikeJwt, type CurrentSession, type SignedIn } from '../rows/find.ts';
import { sessionClaimIn, type ExpiredJwt } from '../rows/jwt.ts';
import type { GoodProof } from '../proofs/proofs.ts';

export interface ResolvedSession {
  readonly user_id: string;
  readonly session: CurrentSession;
  readonly secret: string;
  /** The user, if the session was read together with them. */
  readonly signedIn?: SignedIn;
  /** Further live sessions of the same user in cookies of the same name. */
  readonly others: readonly string[];
}

/** The secrets in a request's cookies. There are several if a sibling host added cookies of the same name. */
export interface CookieSecrets {
  readonly tokens: readonly string[];
  readonly jwts: readonly string[];
  /** True if the browser could not prove its bound session before this request, for example because this server was busy. */
  readonly isSkipped?: boolean;
}

/** What came with a request, besides the secret in its header or body. */
export interface PresentedWith {
  readonly cookies?: CookieSecrets | undefined;
  readonly proof?: GoodProof | null;
  readonly expiredJwt?: ExpiredJwt;
}

/** A session and, if they were read together, its user. */
type NamedSession = Pick<ResolvedSession, 'session' | 'signedIn'>;

/** The session with the proof of this request. */
export const withProof = (signedIn: SignedIn, { proven_until }: CurrentSession): SignedIn =>
  proven_until === undefined ? signedIn : { ...signedIn, session: { ...signedIn.session, proven_until } };

/** Finds the live sessions of the secrets of one request. */
export class SessionLookup {
  /** The sessions that were left out because their browser did not prove them. */
  readonly unproven: CurrentSession[] = [];

  /** @param jwts the JWTs in cookies */
  constructor(
    private readonly services: SessionServices,
    private readonly jwts: readonly string[],
    private readonly by: { readonly expiredJwt: ExpiredJwt; readonly proofKey: string | null },
  ) {}

  /** Whether a cookie has a JWT, expired or not, that was signed for another user. */
  async hasJwtOfAnother(db: Db, { user_id }: ResolvedSession): Promise<boolean> {
    for (const jwt of this.jwts) {
      // oxlint-disable-next-line no-await-in-loop -- a transaction has one connection
      const claim = await sessionClaimIn({ ...this.services, db }, jwt, 'accepted');
      if (claim !== null && claim.user_id !== user_id) return true;
    }
    return false;
  }

  /** The live sessions of these secrets, in the same order. All secrets are of one kind. */
  async liveOf(db: Db, secrets: readonly string[], withUser: boolean): Promise<readonly ResolvedSession[]> {
    const live: Pick<ResolvedSession, 'secret' | 'session' | 'signedIn'>[] = [];
    for (const secret of secrets) {
      // oxlint-disable-next-line no-await-in-loop -- a transaction has one connection
      const found = await (withUser ? this.readWithUser(secret) : this.read(db, secret));
      const counted = found && (await this.provenOf(db, secret, found));
      if (counted !== undefined) live.push({ secret, ...counted });
    }
    const ids = live.map(({ session }) => session.session_id);
    return live.map(({ session, ...rest }) => ({
      user_id: session.user_id,
      session,
      ...rest,
      others: ids.filter((id) => id !== session.session_id),
    }));
  }

  /** The session as proved by this request; undefined if it is bound to a key that did not prove it. */
  private byKey(secret: string, found: NamedSession): NamedSession | undefined {
    const { session, signedIn } = found;
    const { expiredJwt, proofKey } = this.by;
    // The app's own server has the JWT of a page that proved the session, but not its key.
    if (expiredJwt === 'accepted' && looksLikeJwt(secret)) return found;
    if (session.proof_jkt !== proofKey) {
      this.unproven.push(session);
      return undefined;
    }
    const current = { ...session, proven_until: Infinity };
    return { session: current, ...(signedIn && { signedIn: withProof(signedIn, current) }) };
  }

  /** The session as proved by its cookies; undefined for the token of a bound session without a live JWT of it. */
  private async provenOf(db: Db, secret: string, found: NamedSession): Promise<NamedSession | undefined> {
    const { session, signedIn } = found;
    if (session.proof_jkt !== null) return this.byKey(secret, found);
    if (session.bound_key === null || looksLikeJwt(secret)) return found;
    let proven_until = this.services.clock.now();
    const before = proven_until;
    for (const jwt of this.jwts.slice(0, MOST_VALUES)) {
      // oxlint-disable-next-line no-await-in-loop -- a transaction has one connection
      const claim = await sessionClaimIn({ ...this.services, db }, jwt);
      if (claim?.session_id === session.session_id) proven_until = Math.max(proven_until, claim.ends_at);
    }
    if (proven_until === before) {
      this.unproven.push(session);
      return undefined;
    }
    const current = { ...session, proven_until };
    return { session: current, ...(signedIn && { signedIn: withProof(signedIn, current) }) };
  }

  private async read(db: Db, secret: string): Promise<NamedSession | undefined> {
    const session = await findSession(this.services, db, secret, this.by.expiredJwt);
    return session && { session };
  }

  private async readWithUser(secret: string): Promise<NamedSession | undefined> {
    const signedIn = await findSignedIn(this.services, secret, this.by.expiredJwt);
    return signedIn && { session: signedIn.session, signedIn };
  }
}
