import { PASSKEY_CHALLENGE_MINUTES } from '#domain/rules/lifetimes.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Db } from '#provider/base/db/database.ts';
import type { WebauthnChallengesTable } from './tables.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { tokenHash } from '#provider/base/security/secrets.ts';
import type { Services } from '../services.ts';

export const CHALLENGE_MS = PASSKEY_CHALLENGE_MINUTES * MINUTE_MS;

/** A new challenge for one ceremony: 256 bits. */
export async function issueChallenge(
  { db, clock, random }: Pick<Services, 'db' | 'clock' | 'random'>,
  binding: Omit<WebauthnChallengesTable, 'challenge_hash' | 'expires_at'>,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = Uint8Array.from(random.bytes(32));
  await db
    .insertInto('webauthn_challenges')
    .values({
      ...binding,
      challenge_hash: tokenHash(Buffer.from(bytes).toString('base64url')),
      expires_at: new Date(clock.now() + CHALLENGE_MS),
    })
    .execute();
  return bytes;
}

/** The live challenge of that ceremony; refuses when there is none. Does not spend it. */
export async function findChallenge(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  ceremony: WebauthnChallengesTable['ceremony'],
  challenge: string,
): Promise<WebauthnChallengesTable> {
  const found = await db
    .selectFrom('webauthn_challenges')
    .selectAll()
    .where('challenge_hash', '=', tokenHash(challenge))
    .where('ceremony', '=', ceremony)
    .where('expires_at', '>', new Date(clock.now()))
    .executeTakeFirst();
  if (found === undefined) throw new Refusal('webauthn_challenge_not_found');
  return found;
}

/** Spends the challenge; refuses a second use. */
export async function redeemChallenge(tx: Db, { challenge_hash }: WebauthnChallengesTable): Promise<void> {
  const row = await tx
    .deleteFrom('webauthn_challenges')
    .where('challenge_hash', '=', challenge_hash)
    .returning('challenge_hash')
    .executeTakeFirst();
  if (row === undefined) throw new Refusal('webauthn_challenge_not_found');
}
