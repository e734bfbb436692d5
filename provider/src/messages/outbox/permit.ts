import { sql, type RawBuilder } from 'kysely';
import { emailKeys } from '#server-rules/accounts.ts';
import type { ContactKind } from '#server-rules/contacts.ts';
import { takingAll, type LimitUse } from '#provider/base/security/limits.ts';
import type { Services } from '../services.ts';
import type { Sender } from './senders.ts';

/** The address or number of the recipient. */
interface MessageRecipient {
  readonly kind: ContactKind;
  readonly value: string;
}

interface Request<S extends Sender> {
  readonly sender: S;
  readonly recipient: MessageRecipient;
  /** The budgets of the message, in the order in which they are counted. */
  readonly budgets: readonly LimitUse[];
}

/** Additional data that the counting statement reads. */
interface StatementParts<Found> {
  /** The parts of the statement before those that count. */
  readonly parts: RawBuilder<unknown>;
  readonly found: RawBuilder<Found>;
  /** Refuses a message over one of the budgets with a specific error. */
  readonly refuse?: (budget: { readonly name: string; readonly waitMs: number }) => Promise<void>;
}

/** The keys of an address as entered, and as it is stored when it is added. */
const keysOf = ({ kind, value }: MessageRecipient): readonly string[] =>
  kind === 'email' ? [...emailKeys(value), ...emailKeys(value.normalize('NFC'))] : [value];

/**
 * Proof that a message has a sender and was counted against its budgets. The outbox requires it, and only this class makes one, so that no
 * route can forget either.
 */
export class Permit<S extends Sender = Sender> {
  private constructor(
    readonly sender: S,
    private readonly keys: readonly string[],
  ) {}

  /** Counts a message to the recipient against its budgets. Refuses it if one is used up. */
  static async take<S extends Sender, Found = null>(
    services: Pick<Services, 'db' | 'clock' | 'keys'>,
    { sender, recipient, budgets }: Request<S>,
    reading?: StatementParts<Found>,
  ): Promise<{ readonly permit: Permit<S>; readonly found: Found | null }> {
    if (budgets.length === 0) throw new Error('A message needs a budget.');
    const { parts, passed, refusedBy, check } = takingAll(services, budgets);
    const { rows } = await sql<{ readonly found: Found | null; readonly passed: readonly boolean[] }>`
      with ${reading === undefined ? parts : sql`${reading.parts}, ${parts}`}
      select ${reading?.found ?? sql`null`} as found, ${passed} as passed`.execute(services.db);
    const [row] = rows;
    const results = row?.passed ?? [];
    const budget = refusedBy(results);
    if (budget !== undefined) await reading?.refuse?.(budget);
    check(results, 'too_many_requests');
    return { permit: new Permit(sender, keysOf(recipient)), found: row?.found ?? null };
  }

  /** Throws if the message is for another recipient. */
  requireFor(recipient: MessageRecipient): void {
    if (keysOf(recipient).some((key) => this.keys.includes(key))) return;
    throw new Error('The budgets of this message were counted for another recipient.');
  }
}
