import type { Db } from '#provider/base/db/database.ts';
import { newToken, tokenHash } from '#provider/base/security/secrets.ts';
import type { Services } from '../services.ts';
import type { ContactRecord } from './history.ts';
import type { NoticeLinksTable } from './tables.ts';

/** The pages behind the links of notices. */
export const NOTICE_PAGES = {
  undo: '/notices/undo',
  stop_recovery: '/notices/recovery',
  finish_recovery: '/notices/recovery',
} as const;

type LinkPurpose = Pick<NoticeLinksTable, 'purpose'> & { readonly since?: number; readonly recovery_id?: string };

interface NewNoticeLink {
  readonly user_id: string;
  readonly contact: ContactRecord;
  readonly locale: string;
  readonly does: LinkPurpose;
  readonly expires_at: Date;
  /** The address of this server. */
  readonly origin: string;
}

/** Makes the link for one message. Only the hash of its token is stored. */
export async function makeLink(
  { random }: Pick<Services, 'random'>,
  tx: Db,
  { user_id, contact, locale, does, expires_at, origin }: NewNoticeLink,
): Promise<string> {
  const token = newToken(random);
  const { kind, method_id } = contact;
  await tx
    .insertInto('notice_links')
    .values({ token_hash: tokenHash(token), user_id, kind, method_id, locale, expires_at, ...does })
    .execute();
  return `${origin}${NOTICE_PAGES[does.purpose]}?token=${token}`;
}
