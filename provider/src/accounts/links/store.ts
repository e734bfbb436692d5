import type { Selectable } from 'kysely';
import { emailKeys } from '#server-rules/accounts.ts';
import type { LinkPurpose } from '#server-rules/proof-key.ts';
import type { Db } from '#provider/base/db/database.ts';
import type { MagicLinksTable } from './tables.ts';
import { newToken, tokenHash } from '#provider/base/security/secrets.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import type { RequestOriginHashes } from '../request-origin.ts';
import type { Services } from '../services.ts';
import { holdUser } from '../users/lock.ts';
import type { Addition } from '../sessions/login/additions.ts';

export type Link = Selectable<MagicLinksTable>;

export interface LinkRequest {
  /** Null, like the address, for a decoy link: it belongs to no user and never works. */
  readonly user_id: string | null;
  readonly email_id: string | null;
  readonly purpose: LinkPurpose;
  readonly began_on_page: boolean;
  readonly code_challenge: string | null;
  readonly minutes: number;
  /** The address that the link adds to the signed-in user. */
  readonly adds?: Addition;
  readonly asker?: RequestOriginHashes;
  /** Whether the invitation created its user. */
  readonly made_user?: boolean;
}

/** A new token for a link. Older links to the same address stay valid, because people may open an older mail. */
export async function issueLinkToken(
  { clock, random }: Pick<Services, 'clock' | 'random'>,
  tx: Db,
  request: LinkRequest,
): Promise<string> {
  const token = newToken(random);
  const { adds, asker, made_user = false } = request;
  // The row references the user and the address. A decoy does the same work, so that it takes as long.
  await holdUser(tx, request.user_id ?? '');
  await tx
    .insertInto('magic_links')
    .values({
      token_hash: tokenHash(token),
      user_id: request.user_id,
      email_id: adds === undefined ? request.email_id : null,
      purpose: request.purpose,
      began_on_page: request.began_on_page,
      code_challenge: request.code_challenge,
      expires_at: new Date(clock.now() + request.minutes * MINUTE_MS),
      adds_to: adds === undefined ? null : request.user_id,
      address: adds?.value ?? null,
      needs_session: adds?.needs_session ?? true,
      made_user,
      ...asker,
    })
    .execute();
  return token;
}

/** The live link of the token, for one of these purposes. Does not spend it. */
export async function findLink(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  token: string,
  ...purposes: readonly LinkPurpose[]
): Promise<Link | undefined> {
  return db
    .selectFrom('magic_links')
    .selectAll()
    .where('token_hash', '=', tokenHash(token))
    .where('purpose', 'in', purposes)
    .where('expires_at', '>', new Date(clock.now()))
    .executeTakeFirst();
}

/** Spends the link. True for one caller only. */
export async function redeemLink(tx: Db, link: Pick<Link, 'token_hash'>): Promise<boolean> {
  const row = await tx
    .deleteFrom('magic_links')
    .where('token_hash', '=', link.token_hash)
    .returning('token_hash')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Removes the pending links that would add the removed address to the user again. Other links to the address reference it and are deleted
 * with it.
 */
export async function dropAddingLinks(tx: Db, userId: string, emailKey: string): Promise<void> {
  const pending = await tx
    .selectFrom('magic_links')
    .select(['token_hash', 'address'])
    .where('adds_to', '=', userId)
    .execute();
  const same = pending.filter(({ address }) => address !== null && emailKeys(address).includes(emailKey));
  for (const link of same) await redeemLink(tx, link);
}
