import type { Generated } from 'kysely';

export interface OutboxTable {
  seq: Generated<number>;
  id: string;
  channel: 'email' | 'sms' | 'whatsapp';
  recipient: string;
  subject: string;
  text: string;
  code: string | null;
  link: string | null;
  at: Date;
  /** When the code or link expires. */
  expires_at: Date;
}

export interface OutboxTables {
  outbox: OutboxTable;
}
