import type { Db, MagicLinksTable } from '../db/tables.ts';
import { newToken, tokenHash } from '../security/secrets.ts';
import { MINUTE_MS } from '../platform.ts';
import type { Services } from '../services.ts';

export interface LinkRequest {
  readonly email_id: string;
  readonly code_challenge: string | null;
  readonly minutes: number;
}

/** A new token for a link. Older links to the same address stay good: people click the wrong mail. */
export async function issueLinkToken(services: Services, tx: Db, request: LinkRequest): Promise<string> {
  const token = newToken(services.random);
  await tx
    .insertInto('magic_links')
    .values({
      token_hash: tokenHash(token),
      email_id: request.email_id,
      code_challenge: request.code_challenge,
      expires_at: new Date(services.clock.now() + request.minutes * MINUTE_MS),
    })
    .execute();
  return token;
}

/** The live link that the token belongs to. Spends nothing. */
export async function findLink(services: Services, token: string): Promise<MagicLinksTable | undefined> {
  return services.db
    .selectFrom('magic_links')
    .selectAll()
    .where('token_hash', '=', tokenHash(token))
    .where('expires_at', '>', new Date(services.clock.now()))
    .executeTakeFirst();
}

/** Spends the link. True for one caller only. */
export async function redeemLink(tx: Db, link: MagicLinksTable): Promise<boolean> {
  const spent = await tx
    .deleteFrom('magic_links')
    .where('token_hash', '=', link.token_hash)
    .returning('token_hash')
    .executeTakeFirst();
  return spent !== undefined;
}

/** The redirect URL with what the client reads from its query. */
export function linkTo(redirect: URL, token: string): string {
  const link = new URL(redirect);
  link.searchParams.set('stytch_token_type', 'magic_links');
  link.searchParams.set('token', token);
  return link.href;
}
