import { describe, expect, it } from 'vitest';
import { vendorUser, type Person } from '#provider/operation/vendors/person/person.ts';
import { bytesOf } from '#provider/operation/vendors/rows/bytes.ts';
import { FieldFault, Row } from '#provider/operation/vendors/rows/row.ts';
import { timeOf } from '#provider/operation/vendors/rows/times.ts';
import { lossesOf } from './verdict.ts';

const NOON = Date.UTC(2026, 0, 31, 12);

describe('A time of an export', () => {
  it.each<readonly [text: string | number, time: number | null | undefined]>([
    ['2026-01-31T12:00:00Z', NOON],
    ['2026-01-31T12:00:00.123456789Z', NOON + 123],
    ['2026-01-31T17:30:00+05:30', NOON],
    ['2026-01-31 12:00:00+00', NOON],
    ['2026-01-31 12:00:00.1+00:00', NOON + 100],
    ['2026-01-31 07:00:00-0500', NOON],
    ['2026-01-31 12:00:00', NOON],
    ['2026-01-31 12:00:00 UTC', NOON],
    ['2026-01-31', NOON - 12 * 3_600_000],
    [String(NOON), NOON],
    [NOON, NOON],
    [NOON / 1000, NOON],
    ['infinity', Number.POSITIVE_INFINITY],
    ['0001-01-01T00:00:00Z', null],
    ['0000-00-00 00:00:00', null],
    ['2026-02-31T12:00:00Z', undefined],
    ['yesterday', undefined],
    ['31.01.2026', undefined],
  ])('is read: %s', (text, time) => {
    expect(timeOf(text)).toBe(time);
  });
});

describe('Bytes of an export', () => {
  const bytes = Buffer.from([0xfb, 0xef, 0xff, 0x01]);
  it.each<readonly [form: string, value: unknown]>([
    ['base64', '++//AQ=='],
    ['base64url', '--__AQ'],
    ['PostgreSQL', String.raw`\xfbefff01`],
    ['PostgreSQL in a file of COPY', String.raw`\\xfbefff01`],
    ['a Buffer', bytes.toJSON()],
    ['a list', [...bytes]],
    ['a typed array', { 0: 0xfb, 1: 0xef, 2: 0xff, 3: 1 }],
    ['MongoDB', { $binary: { base64: '++//AQ==', subType: '00' } }],
  ])('are read from %s', (_, value) => {
    expect(bytesOf(value)).toEqual(bytes);
  });

  it.each<readonly [value: unknown]>([['?'], ['A'], [[256]], [['x']], [{}], [{ type: 'Buffer', data: 'x' }], [1]])(
    'are not made of %j',
    (value) => {
      expect(bytesOf(value)).toBeUndefined();
    },
  );
});

describe('A row', () => {
  it('has texts that stand for none', () => {
    const row = new Row({ a: '', b: String.raw`\N`, c: 'NULL', d: null, userId: 7, _id: { $oid: 'abc' } });
    expect(['a', 'b', 'c', 'd', 'e'].map((name) => row.text(name))).toEqual([null, null, null, null, null]);
    expect([row.text('user_id'), row.text('id')]).toEqual(['7', 'abc']);
    expect(() => new Row({ id: 2 ** 60 }, ' of row 3').text('id')).toThrow('id of row 3 must be a text');
  });

  it('has lists in several spellings', () => {
    const lists = ['["usb","ble"]', '{usb,ble}', '{"usb","ble"}', 'usb, ble', ['usb', 'ble']];
    for (const list of lists) expect(new Row({ list }).texts('list')).toEqual(['usb', 'ble']);
    expect(new Row({ list: '' }).texts('list')).toEqual([]);
    expect(() => new Row({ list: [1] }).texts('list')).toThrow(FieldFault);
  });
});

describe('The line of a person', () => {
  const person: Person = {
    id: 'a',
    created_at: null,
    emails: [],
    phone_numbers: [],
    name: {},
    trusted_metadata: {},
    untrusted_metadata: {},
    locked: false,
    password: null,
    apps: [],
    recovery_codes: [],
    passkeys: [],
    rp_id: null,
    social_accounts: [],
    wallets: [],
    losses: [],
  };

  it('has an address once, in the spelling that is verified', () => {
    const { line } = vendorUser({
      ...person,
      emails: [
        { email: 'ada@example.com', verified: false },
        { email: 'Ada@Example.com', verified: true },
      ],
    });
    expect(line).toEqual({ external_id: 'a', emails: [{ email: 'Ada@Example.com', verified: true }] });
  });

  it('leaves out what cannot be stored here, and says so', () => {
    const user = vendorUser({
      ...person,
      emails: [{ email: 'no address', verified: true }],
      phone_numbers: [
        { phone_number: '0151 123', verified: true },
        { phone_number: '0049 151 12345678', verified: true },
      ],
      name: { first_name: 'A'.repeat(129), last_name: 'B' },
      untrusted_metadata: { long: 'x'.repeat(5000), short: 'y', none: null },
      created_at: -1,
      password: { hash: 'x' },
      wallets: [
        { type: 'ethereum', address: '0x0' },
        { type: 'bitcoin', address: 'b' },
      ],
      recovery_codes: ['code'],
    });
    expect(user.line).toEqual({
      external_id: 'a',
      phone_numbers: [{ phone_number: '+4915112345678', verified: true }],
      name: { last_name: 'B' },
      untrusted_metadata: { short: 'y' },
    });
    expect([...lossesOf(user)].sort()).toEqual(
      ['address', 'metadata', 'metadata', 'password', 'phone number', 'recovery codes', 'wallet', 'wallet'].sort(),
    );
  });

  it('keeps as many of a kind as a user can have', () => {
    const emails = Array.from({ length: 52 }, (_, at) => ({ email: `a${at}@example.com`, verified: true }));
    const user = vendorUser({ ...person, emails });
    expect(user.line['emails']).toHaveLength(50);
    expect(lossesOf(user)).toEqual(['address', 'address']);
  });
});
