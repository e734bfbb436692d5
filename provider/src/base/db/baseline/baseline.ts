import { APPS } from './apps.ts';
import { AUDIT } from './audit.ts';
import { COMPRESSED_WAL } from './compressed-wal.ts';
import { CONTACTS } from './contacts.ts';
import { LOGINS } from './logins.ts';
import { MESSAGES } from './messages.ts';
import { NOTICES } from './notices.ts';
import { OPERATION } from './operation.ts';
import { PENDING_ENDS } from './pending.ts';
import { SESSIONS } from './sessions.ts';
import { TEXTS } from './texts.ts';
import { USERS } from './users.ts';
import { LOGOUTS, WEBHOOKS } from './webhooks.ts';

/** The schema of an empty database, before the migrations that follow it. */
export const BASELINE: readonly string[] = [
  ...TEXTS,
  ...AUDIT,
  ...USERS,
  ...APPS,
  ...SESSIONS,
  ...LOGINS,
  ...MESSAGES,
  ...OPERATION,
  ...CONTACTS,
  ...PENDING_ENDS,
  ...WEBHOOKS,
  ...LOGOUTS,
  ...NOTICES,
  ...COMPRESSED_WAL,
];
