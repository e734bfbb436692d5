import type { Kysely, LogEvent } from 'kysely';
import type { AccessTables } from '../access/tables.ts';
import type { AuditTables } from '../audit/tables.ts';
import type { BackendTables } from '../backend/tables.ts';
import type { IdpTables } from '../idp/tables.ts';
import type { M2MTables } from '../m2m/tables.ts';
import type { MagicLinkTables } from '../magic-links/tables.ts';
import type { PasscodeTables } from '../otps/tables.ts';
import type { OperatorTables } from '../operators/tables.ts';
import type { OutboxTables } from '../outbox/tables.ts';
import type { PasskeyTables } from '../passkeys/tables.ts';
import type { PasswordTables } from '../passwords/tables.ts';
import type { SecurityTables } from '../security/tables.ts';
import type { SessionTables } from '../sessions/tables.ts';
import type { SocialTables } from '../social/tables.ts';
import type { TotpTables } from '../totps/tables.ts';
import type { UserTables } from '../users/tables.ts';
import type { WalletTables } from '../wallets/tables.ts';
import type { WebhookTables } from '../webhooks/tables.ts';

/** Every table; each feature declares its own. */
export interface Database
  extends
    AccessTables,
    AuditTables,
    BackendTables,
    IdpTables,
    M2MTables,
    MagicLinkTables,
    PasscodeTables,
    OperatorTables,
    OutboxTables,
    PasskeyTables,
    PasswordTables,
    SecurityTables,
    SessionTables,
    SocialTables,
    TotpTables,
    UserTables,
    WalletTables,
    WebhookTables {}

/** The database, or a transaction on it. */
export type Db = Kysely<Database>;

/** Is told of every statement when it has ended. */
export type QueryObserver = (event: LogEvent) => void;
