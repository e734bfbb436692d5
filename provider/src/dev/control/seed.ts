import type { SeededPerson } from '#application/dev-control/dev-control.ts';
import { isTaken } from '#server-rules/accounts.ts';
import { CONTACT_KINDS, type Contact, type ContactKind } from '#server-rules/contacts.ts';
import { FACTORS } from '#domain/rules/factors.ts';
import { normalPassword } from '#server-rules/passwords.ts';
import { OPEN } from '#domain/rules/gates.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { Trail } from '#provider/base/audit/events.ts';
import type { Db } from '#provider/base/db/database.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { hashPassword } from '#provider/accounts/passwords/hash.ts';
import { setPassword } from '#provider/accounts/passwords/store.ts';
import type { SessionServices } from '#provider/accounts/services.ts';
import type { Services } from '#provider/api/services.ts';
import { PresentedSession } from '#provider/accounts/sessions/reading/current.ts';
import { SecondStep } from '#provider/accounts/sessions/factors/intermediate.ts';
import { logIn } from '#provider/accounts/sessions/login/log-in.ts';
import { profileOf } from '#provider/accounts/social/built-in/account-people.ts';
import { insertRegistration, newRegistration } from '#provider/accounts/social-accounts/registrations.ts';
import { createTotp, findTotp, redeemStep } from '#provider/accounts/totps/store.ts';
import { describedUser } from '#provider/accounts/users/describe.ts';
import type { LockedUser } from '#provider/accounts/users/lock.ts';
import { addContact, findContact } from '#provider/accounts/users/contacts.ts';
import { freeContact } from '#provider/accounts/users/release.ts';
import { newUser } from '#provider/accounts/users/store.ts';
import { completeProfile } from './complete-profile.ts';
import { readPeople, type ReadPerson } from './read-people.ts';

/** The seeding request, which the sessions that it makes refer to. */
export interface SeedRequest {
  readonly requestId: string;
  readonly address: string;
  readonly userAgent: string;
  readonly origin: string;
}

type Ready = ReadPerson & { readonly hash: string | null; readonly path: string };

/**
 * Creates all of the people, or none. Each is like a user who signed up: active, with verified addresses. Whoever gets a session has also
 * answered what the project asks.
 */
export async function seedPeople(
  services: SessionServices & Pick<Services, 'dev'>,
  seeding: SeedRequest,
  users: readonly unknown[],
): Promise<readonly SeededPerson[]> {
  const people = readPeople(services.project, users);
  // Hashes take long, so they are made before the transaction.
  const ready = await Promise.all(
    people.map(async (person, place): Promise<Ready> => {
      const hash = person.password === null ? null : await hashPassword(normalPassword(person.password));
      return { ...person, hash, path: `users[${place}]` };
    }),
  );
  return transaction(services.db, async (tx) => {
    const results: SeededPerson[] = [];
    for (const person of ready) results.push(await seed(services, tx, seeding, person));
    return results;
  });
}

async function seed(
  services: SessionServices & Pick<Services, 'dev'>,
  tx: Db,
  seeding: SeedRequest,
  person: Ready,
): Promise<SeededPerson> {
  const { name, roles, trusted_metadata, untrusted_metadata } = person;
  const fields = { name, roles, trusted_metadata, untrusted_metadata };
  const description = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  const user = await newUser(services, tx, 'made', {
    ...describedUser(services.project, description),
    status: 'active',
  });
  const { user_id } = user;
  const email = await giveVerified(services, tx, user, person, { kind: 'email', value: person.email });
  const phone = await giveVerified(services, tx, user, person, { kind: 'phone', value: person.phone_number });
  if (person.hash !== null) await setPassword(services, tx, user_id, person.hash);
  const totp = person.totp === true ? await giveTotp(services, tx, user) : null;
  for (const { provider } of person.social) {
    const profile = profileOf(seeding.origin, provider, person.email ?? '', true);
    if (profile !== null) await insertRegistration(tx, newRegistration(services, { user_id }, { provider, profile }));
  }
  if (person.locked === true) {
    const locked_at = new Date(services.clock.now());
    await tx.updateTable('users').set({ locked_at }).where('user_id', '=', user_id).execute();
  }
  const factor = email === null ? phone && FACTORS.passcode('sms', phone) : FACTORS.passcode('email', email);
  const minutes = person.session_duration_minutes;
  const caller = {
    ...seeding,
    session: new PresentedSession(services, null),
    gate: OPEN,
    step: SecondStep.of(services, {}, { isServer: true }),
    page: null,
    trail: trailOf(seeding),
  };
  if (minutes !== null) await completeProfile(services, tx, user);
  const entered =
    minutes === null || factor === null
      ? null
      : await logIn(services, tx, { user, factor, minutes, caller, presented: undefined });
  return {
    user_id,
    email: person.email,
    phone_number: person.phone_number,
    totp,
    session:
      entered === null || entered.session === null
        ? null
        : {
            session: entered.session,
            session_token: entered.session_token ?? '',
            session_jwt: entered.session_jwt ?? '',
          },
  };
}

const trailOf = ({ requestId }: SeedRequest): Trail => new Trail(requestId, null);

/** Gives the user a verified contact. Null if the person has none of the kind. */
async function giveVerified(
  services: Pick<Services, 'clock' | 'random'>,
  tx: Db,
  { user_id }: LockedUser,
  { path }: Ready,
  { kind, value }: { readonly kind: ContactKind; readonly value: string | null },
): Promise<Contact | null> {
  if (value === null) return null;
  const contact = await findContact(tx, kind, value);
  const isFree = contact === undefined || !isTaken(contact);
  if (isFree && contact !== undefined) await freeContact(tx, contact);
  const added = isFree ? await addContact(services, tx, { kind, user_id, value, verified: true }) : undefined;
  if (added !== undefined) return added;
  const { taken: refusalType, field } = CONTACT_KINDS[kind];
  throw new Refusal(refusalType, undefined, undefined, { [`${path}.${field}`]: 'belongs to a user already' });
}

/** A verified authenticator app, as if the person had entered a code. */
async function giveTotp(
  services: Pick<Services, 'clock' | 'random' | 'keys' | 'project'>,
  tx: Db,
  { user_id }: LockedUser,
) {
  const enrolment = await createTotp(services, tx, { user_id, minutes: 60 });
  const totp = await findTotp({ ...services, db: tx }, user_id);
  if (enrolment === undefined || totp === undefined) throw new Refusal('active_totp_exists');
  await redeemStep(tx, totp, 0);
  return { secret: enrolment.secret, recovery_codes: enrolment.recovery_codes };
}
