import type { SeededPerson } from '../../../../src/application/dev-control/dev-control.ts';
import { isTaken } from '../../../../src/domain/rules/accounts.ts';
import { FACTORS } from '../../../../src/domain/rules/factors.ts';
import { normalPassword } from '../../../../src/domain/rules/passwords.ts';
import { Refusal, type RefusalType } from '../../../../src/domain/rules/refusal.ts';
import { Trail } from '../../base/audit/trail.ts';
import type { Db } from '../../base/db/database.ts';
import { transaction } from '../../base/db/transaction.ts';
import { hashPassword } from '../../accounts/passwords/hash.ts';
import { setPassword } from '../../accounts/passwords/store.ts';
import { newId } from '../../base/security/secrets.ts';
import type { Services } from '../../api/services.ts';
import { PresentedSession } from '../../accounts/sessions/current.ts';
import { logIn } from '../../accounts/sessions/log-in.ts';
import { profileOf } from '../../accounts/social/account-people.ts';
import { insertRegistration, newRegistration } from '../../accounts/social/registrations.ts';
import { createTotp, findTotp, redeemStep } from '../../accounts/totps/store.ts';
import { describeUser } from '../../accounts/users/describe.ts';
import type { LockedUser } from '../../accounts/users/lock.ts';
import { addPhone, findPhone, freePhone } from '../../accounts/users/phone-numbers.ts';
import { addEmail, findEmail, freeEmail, newUser } from '../../accounts/users/store.ts';
import { readPeople, type ReadPerson } from './read-people.ts';

/** The request that seeds, as the sessions that it makes remember it. */
export interface SeedRequest {
  readonly requestId: string;
  readonly address: string;
  readonly userAgent: string;
  readonly origin: string;
}

type Ready = ReadPerson & { readonly hash: string | null; readonly path: string };

/** Makes all of the people, or none. Each is as after a sign-up of their own: active, with verified addresses. */
export async function seedPeople(
  services: Services,
  seeding: SeedRequest,
  given: readonly unknown[],
): Promise<readonly SeededPerson[]> {
  const people = readPeople(services.project, given);
  // Hashes take long: they are made before the transaction.
  const ready = await Promise.all(
    people.map(async (person, place): Promise<Ready> => {
      const hash = person.password === null ? null : await hashPassword(normalPassword(person.password));
      return { ...person, hash, path: `users[${place}]` };
    }),
  );
  return transaction(services.db, async (tx) => {
    const made: SeededPerson[] = [];
    for (const person of ready) made.push(await seed(services, tx, seeding, person));
    return made;
  });
}

async function seed(services: Services, tx: Db, seeding: SeedRequest, person: Ready): Promise<SeededPerson> {
  const user = await newUser(services, tx, 'active');
  const { user_id } = user;
  const { name, roles, trusted_metadata, untrusted_metadata } = person;
  const said = { name, roles, trusted_metadata, untrusted_metadata };
  const described = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null));
  await tx.updateTable('users').set({ managed: true, vouched: true }).where('user_id', '=', user_id).execute();
  await describeUser(services.project, tx, user, described);
  const email = person.email === null ? null : await giveEmail(services, tx, user, person);
  const phone = person.phone_number === null ? null : await givePhone(services, tx, user, person);
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
  const factor = email === null ? phone && FACTORS.phone('sms', phone) : FACTORS.email('otp', email);
  const minutes = person.session_duration_minutes;
  const caller = { ...seeding, session: new PresentedSession(services, null), page: null, trail: trailOf(seeding) };
  const entered =
    minutes === null || factor === null
      ? null
      : await logIn(services, tx, { user, factor, minutes, caller, presented: undefined });
  return {
    user_id,
    email: person.email,
    phone_number: person.phone_number,
    totp,
    session: entered && {
      session: entered.session,
      session_token: entered.session_token ?? '',
      session_jwt: entered.session_jwt ?? '',
    },
  };
}

const trailOf = ({ requestId }: SeedRequest): Trail => new Trail(requestId, null);

/** A refusal that names the field of the person. */
function taken(type: RefusalType, { path }: Ready, field: 'email' | 'phone_number'): Refusal {
  return new Refusal(type, undefined, undefined, { [`${path}.${field}`]: 'belongs to a user already' });
}

async function giveEmail(services: Services, tx: Db, { user_id }: LockedUser, person: Ready) {
  const email = person.email ?? '';
  const known = await findEmail(tx, email);
  if (known !== undefined && isTaken(known)) throw taken('duplicate_email', person, 'email');
  if (known !== undefined) await freeEmail(tx, known);
  const email_id = newId(services.random, 'email');
  const added = await addEmail(services, tx, { email_id, user_id, email, verified: true });
  if (added === undefined) throw taken('duplicate_email', person, 'email');
  return added;
}

async function givePhone(services: Services, tx: Db, { user_id }: LockedUser, person: Ready) {
  const phone_number = person.phone_number ?? '';
  const known = await findPhone(tx, phone_number);
  if (known !== undefined && isTaken(known)) throw taken('duplicate_phone_number', person, 'phone_number');
  if (known !== undefined) await freePhone(tx, known);
  const phone_id = newId(services.random, 'phone-number');
  const added = await addPhone(services, tx, { phone_id, user_id, phone_number, verified: true });
  if (added === undefined) throw taken('duplicate_phone_number', person, 'phone_number');
  return added;
}

/** An authenticator app that was verified: the person has entered a code. */
async function giveTotp(services: Services, tx: Db, { user_id }: LockedUser) {
  const made = await createTotp(services, tx, { user_id, minutes: 60 });
  const totp = await findTotp({ ...services, db: tx }, user_id);
  if (made === undefined || totp === undefined) throw new Refusal('active_totp_exists');
  await redeemStep(tx, totp, 0);
  return { secret: made.secret, recovery_codes: made.recovery_codes };
}
