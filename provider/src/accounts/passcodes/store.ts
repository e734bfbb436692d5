import { contactKindOf, CONTACT_KINDS, type PasscodeChannel } from '#server-rules/contacts.ts';
import { deadSend, judgePasscode, MAX_TRIES, type PasscodeFault } from '#server-rules/passcodes.ts';
import { sql, type Selectable } from 'kysely';
import type { WriteStatement } from '#provider/base/db/statements/with-writes.ts';
import type { Db } from '#provider/base/db/database.ts';
import type { PasscodesTable } from './tables.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { codeHash, newId, newPasscode, sameSecret } from '#provider/base/security/secrets.ts';
import { giveBack } from '#provider/base/security/limits.ts';
import type { RateLimitServices } from '#provider/project/services.ts';
import type { Services } from '../services.ts';
import { takeCodeTry } from '../sessions/reading/code-tries.ts';
import type { Caller } from '../sessions/reading/current.ts';
import type { RequestOriginHashes } from '../request-origin.ts';
import { networkKey } from '#provider/base/security/known-networks.ts';
import type { Addition } from '../sessions/login/additions.ts';

export interface PasscodeRequest {
  readonly method_id: string;
  /** Null for a decoy, whose tries are counted as those of any other, and whose code is never right. */
  readonly user_id: string | null;
  readonly channel: PasscodeChannel;
  readonly minutes: number;
  /** The origin of the request. */
  readonly from: string;
  /** The contact that the code adds to the user; absent for a login. */
  readonly adds?: Addition;
  readonly asker: RequestOriginHashes;
}

export interface IssuedPasscode {
  readonly passcode_id: string;
  readonly code: string;
  /** Stores the passcode, in one statement with the message that contains the code. */
  readonly write: WriteStatement;
}

/**
 * Issues a new passcode for a contact; earlier ones stay valid. Only the caller gets its id. Whoever requests a code for a stranger gets an
 * id with separate tries, and can neither use up nor replace the stranger's.
 *
 * The limit on guesses at one contact: an id allows five tries, and each is compared with at most three codes. All networks that the user
 * does not log in from share 100 wrong tries a day (`dailyTriesPerPasscode`), and after that get one an hour each. They share 60 ids a day
 * (`dailySendsPerAddress`). So there are 100 * 3 = 300 chances in a million a day, and never more than 60 * 5 * 3 = 900. Each network from
 * which the user logs in adds another 300.
 */
export function issuePasscode(
  services: Pick<Services, 'clock' | 'random' | 'keys'>,
  tx: Db,
  request: PasscodeRequest,
): IssuedPasscode {
  const { method_id, user_id, channel, minutes, from, adds, asker } = request;
  const now = services.clock.now();
  const code = newPasscode(services.random);
  const passcode_id = newId(services.random, CONTACT_KINDS[contactKindOf(channel)].idKind);
  const write = tx.insertInto('passcodes').values({
    passcode_id,
    user_id,
    method_id,
    network: networkKey(services, from),
    code_hash: codeHash(services.keys.codeKey, passcode_id, code),
    tries: 0,
    channel,
    adds_to: adds === undefined ? null : user_id,
    address: adds?.value ?? null,
    needs_session: adds?.needs_session ?? true,
    ...asker,
    created_at: new Date(now),
    expires_at: new Date(now + minutes * MINUTE_MS),
  });
  return { passcode_id, code, write };
}

export type Passcode = Selectable<PasscodesTable>;

/** More than can be sent to one address while a code is valid. */
const REMEMBERED_CODES = 30;

/**
 * The live passcode that matches the code, or the reason why none does. The candidates are the passcode of the id, and the last ones that
 * the same network requested for the same contact. Every call uses up one try of the id and one of the user (`takeCodeTry`); a right code
 * gives the user's back. Both are counted before the comparison and outside of any transaction, so that neither a crash nor parallel
 * guesses restore them.
 */
export async function tryPasscode(
  services: RateLimitServices,
  { passcode_id: id, code, caller }: Pick<Passcode, 'passcode_id'> & { readonly code: string; readonly caller: Caller },
): Promise<Passcode | PasscodeFault> {
  const now = new Date(services.clock.now());
  const rows = await services.db
    .with('tried', (query) =>
      query
        .updateTable('passcodes')
        .set({ tries: sql<number>`tries + 1` })
        .where('passcode_id', '=', id)
        .where('tries', '<', MAX_TRIES)
        .where('expires_at', '>', now)
        .returningAll(),
    )
    .selectFrom('tried')
    .selectAll()
    .unionAll((query) =>
      query.parens(
        query
          .selectFrom('passcodes')
          .innerJoin('tried', (join) =>
            join
              .onRef('passcodes.method_id', '=', 'tried.method_id')
              .onRef('passcodes.network', '=', 'tried.network')
              .on((on) => on('passcodes.adds_to', 'is not distinct from', on.ref('tried.adds_to')))
              .onRef('passcodes.passcode_id', '!=', 'tried.passcode_id'),
          )
          .selectAll('passcodes')
          .orderBy('passcodes.created_at', 'desc')
          .limit(REMEMBERED_CODES),
      ),
    )
    .execute();
  const tried = rows.find(({ passcode_id }) => passcode_id === id);
  if (tried === undefined) return faultOf(services, id, now);
  const { user_id, channel } = tried;
  caller.trail.about = user_id;
  // Strangers have as many tries at a contact without a user.
  const owner = user_id ?? tried.method_id;
  const counted = await takeCodeTry(services, { user_id: owner, method: contactKindOf(channel), caller });
  // A union keeps no order of its parts.
  const others = rows.filter((row) => row !== tried).sort((a, b) => b.created_at.getTime() - a.created_at.getTime());
  const is = ({ passcode_id, code_hash, user_id: of }: Passcode): boolean =>
    of !== null && sameSecret(code_hash, codeHash(services.keys.codeKey, passcode_id, code));
  const verdict = judgePasscode({ tried, others, isLive: ({ expires_at }) => expires_at > now, is });
  if (typeof verdict !== 'string') await giveBack(services, [...counted.owners, ...counted.strangers]);
  return verdict;
}

/**
 * The passcode id for the id that the app's server sent, which is a passcode's or a contact's. For a contact it is the newest passcode that
 * still accepts a code, preferably one requested by the same network.
 */
export async function passcodeIdOf(
  services: Pick<Services, 'db' | 'clock' | 'keys'>,
  id: string,
  address: string,
): Promise<string> {
  const live = sql<boolean>`tries < ${MAX_TRIES} and expires_at > ${new Date(services.clock.now())}`;
  const row = await services.db
    .selectFrom('passcodes')
    .select('passcode_id')
    .where('method_id', '=', id)
    .orderBy(live, 'desc')
    .orderBy(sql<boolean>`network = ${networkKey(services, address)}`, 'desc')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.passcode_id ?? id;
}

/** Why a send no longer accepts a code. */
async function faultOf({ db }: Pick<Services, 'db'>, passcodeId: string, now: Date): Promise<PasscodeFault> {
  const dead = await db
    .selectFrom('passcodes')
    .select('expires_at')
    .where('passcode_id', '=', passcodeId)
    .executeTakeFirst();
  return deadSend(dead && { isLive: dead.expires_at > now });
}

/** Spends the passcode. True for one caller only. */
export async function redeemPasscode(tx: Db, { passcode_id }: Pick<Passcode, 'passcode_id'>): Promise<boolean> {
  const row = await tx
    .deleteFrom('passcodes')
    .where('passcode_id', '=', passcode_id)
    .returning('passcode_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Removes the passcodes of a contact that was removed. */
export async function dropPasscodes(tx: Db, methodId: string): Promise<void> {
  await tx.deleteFrom('passcodes').where('method_id', '=', methodId).execute();
}
