import type { Selectable } from 'kysely';
import type { Db } from '../db/database.ts';
import type { MagicLinksTable } from './tables.ts';
import { newToken, tokenHash } from '../security/secrets.ts';
import { MINUTE_MS } from '../platform.ts';
import type { Services } from '../services.ts';

/** The purpose of a link: a token of one purpose is unknown for another. */
export type LinkPurpose = 'login' | 'reset_password';

export type Link = Selectable<MagicLinksTable>;

export interface LinkRequest {
  /** Null, as the address, for a decoy link that belongs to no user and never works. */
  readonly user_id: string | null;
  readonly email_id: string | null;
  readonly purpose: LinkPurpose;
  readonly code_challenge: string | null;
  readonly minutes: number;
  /** The signed-in user whom the link adds its address to. */
  readonly adds?: { readonly address: string };
}

/** A new token for a link. Older links to the same address stay valid, because people open the wrong mail. */
export async function issueLinkToken(services: Services, tx: Db, request: LinkRequest): Promise<string> {
  const token = newToken(services.random);
  const { adds } = request;
  await tx
    .insertInto('magic_links')
    .values({
      token_hash: tokenHash(token),
      user_id: request.user_id,
      email_id: adds === undefined ? request.email_id : null,
      purpose: request.purpose,
      code_challenge: request.code_challenge,
      expires_at: new Date(services.clock.now() + request.minutes * MINUTE_MS),
      adds_to: adds === undefined ? null : request.user_id,
      address: adds?.address ?? null,
    })
    .execute();
  return token;
}

/** The live link of the token. Does not spend it. */
export async function findLink(services: Services, token: string, purpose: LinkPurpose): Promise<Link | undefined> {
  return services.db
    .selectFrom('magic_links')
    .selectAll()
    .where('token_hash', '=', tokenHash(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', new Date(services.clock.now()))
    .executeTakeFirst();
}

/** Spends the link. True for one caller only. */
export async function redeemLink(tx: Db, link: Pick<Link, 'token_hash'>): Promise<boolean> {
  const spent = await tx
    .deleteFrom('magic_links')
    .where('token_hash', '=', link.token_hash)
    .returning('token_hash')
    .executeTakeFirst();
  return spent !== undefined;
}
