import { describe, expect, it } from 'vitest';
import type { Loss, VendorUser } from '#provider/operation/vendors/vendor.ts';
import { VENDORS } from '#provider/operation/vendors/vendors.ts';
import { changed, exportOf, fileOf, filesOf, optionsOf, reading, type Values } from './exports.ts';

interface DamagedExport {
  readonly before: readonly VendorUser[];
  readonly after: readonly VendorUser[];
  readonly wrong: readonly unknown[];
}

/** An export whole, and with one damaged value. */
type Damage = (name: string, label: string) => Promise<DamagedExport>;

const read = async (name: string, files: Parameters<typeof reading>[1]) => {
  const vendor = VENDORS[name];
  if (vendor === undefined) throw new Error(`There is no vendor ${name}.`);
  return reading(vendor, files, optionsOf(exportOf(name)));
};

const inTable =
  (table: string, values: Values): Damage =>
  async (name, label) => {
    const old = exportOf(name);
    const [plain, damaged] = [await read(name, filesOf(old.tables)), await read(name, filesOf(changed(old, table, label, values).tables))]; // prettier-ignore
    return { before: plain.users, after: damaged.users, wrong: damaged.wrong.slice(plain.wrong.length) };
  };

const inList =
  (field: string, values: Values): Damage =>
  async (name, label) => {
    const old = exportOf(name);
    const id = old.people.find((person) => person.label === label)?.id;
    const realm = old['realm'] as Values | undefined;
    const people = (realm?.[field] ?? old[field]) as readonly Values[];
    const filesWith = (list: readonly Values[]) => [fileOf('export.json', realm === undefined ? list : [{ ...realm, [field]: list }])]; // prettier-ignore
    const damagedPeople = people.map((person) => (person['id'] === id ? { ...person, ...values } : person));
    const [plain, damaged] = [await read(name, filesWith(people)), await read(name, filesWith(damagedPeople))];
    return { before: plain.users, after: damaged.users, wrong: damaged.wrong };
  };

const credential = (type: string, config: Values): Damage => inList('identities', { credentials: { [type]: { config } } }); // prettier-ignore
const ofKeycloak = (values: Values): Damage => inList('users', { credentials: [values] });

/** A lost social account may have proven one of them. */
const addressesOf = (user: VendorUser | undefined): unknown => (user?.line['emails'] as readonly Values[] | undefined)?.map(({ email }) => email); // prettier-ignore

describe('what one factor lacks', () => {
  it.each<readonly [vendor: string, label: string, what: Loss['what'], reason: RegExp, damage: Damage]>([
    ['supabase', 'app', 'app', /^its secret must be base32/u, inTable('mfa_factors', { secret: 'not base32!' })],
    ['supabase', 'passkey', 'passkey', /^its public_key must be bytes/u, inTable('webauthn_credentials', { public_key: '\\xzz' })],
    ['supabase', 'passkey', 'passkey', /^its sign_count must be a whole/u, inTable('webauthn_credentials', { sign_count: '-1' })],
    ['better-auth', 'app', 'app', /^its secret must be encrypted/u, inTable('twoFactor', { secret: 'ab'.repeat(60) })],
    ['better-auth', 'both', 'passkey', /^its counter must be a whole/u, inTable('passkey', { counter: 'x' })],
    ['better-auth', 'google', 'social account', /^its accountId must be there/u, inTable('account', { accountId: '' })],
    ['next-auth', 'google', 'social account', /^its providerAccountId must be there/u, inTable('Account', { providerAccountId: '' })],
    ['next-auth', 'passkey', 'passkey', /^its credentialPublicKey must be bytes/u, inTable('Authenticator', { credentialPublicKey: '???' })],
    ['kratos', 'bcrypt', 'app', /^its totp_url must be otpauth/u, credential('totp', { totp_url: 'x' })],
    ['kratos', 'bcrypt', 'recovery codes', /^its code must be there/u, credential('lookup_secret', { recovery_codes: [{}] })],
    ['kratos', 'bcrypt', 'passkey', /^its public_key must be bytes/u, credential('passkey', { credentials: [{ id: 'AAAA' }] })],
    ['keycloak', 'sha1', 'app', /^its credentialData must be JSON/u, ofKeycloak({ type: 'otp', secretData: '{"value":"x"}', credentialData: '{' })],
    ['keycloak', 'sha1', 'app', /^its value must be base32/u, ofKeycloak({ type: 'otp', secretData: '{"value":"0189"}', credentialData: '{"secretEncoding":"BASE32"}' })],
    ['keycloak', 'sha1', 'passkey', /^its credentialId must be bytes/u, ofKeycloak({ type: 'webauthn', secretData: '{}', credentialData: '{"credentialId":"?"}' })],
  ])('is lost alone: %s, %s, %s', async (vendor, label, what, reason, damage) => {
    const { before, after, wrong } = await damage(vendor, label);
    expect(wrong).toEqual([]);
    expect(after).toHaveLength(before.length);
    const id = exportOf(vendor).people.find((person) => person.label === label)?.id;
    const user = after.find(({ line }) => line['external_id'] === id);
    expect(user?.losses).toContainEqual({ what, reason: expect.stringMatching(reason), isDamaged: true });
    expect(addressesOf(user)).toEqual(addressesOf(before.find(({ line }) => line['external_id'] === id)));
  }); // prettier-ignore
});
