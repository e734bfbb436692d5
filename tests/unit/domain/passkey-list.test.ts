import { describe, expect, it } from 'vitest';
import {
  editedName,
  IDLE_ROWS,
  reduceRows,
  rowsAmong,
  withChanges,
  type RowState,
} from '#domain/passkeys/passkey-list.ts';
import { acceptedFrom, unknownFrom } from '#domain/passkeys/passkey-signals.ts';
import type { WebauthnRegistration } from '#domain/users/user.ts';

const passkey = (id: string, name = id): WebauthnRegistration => ({
  webauthn_registration_id: id,
  domain: 'localhost',
  user_agent: '',
  authenticator_type: 'platform',
  verified: true,
  name,
});
const LIST = [passkey('a'), passkey('b'), passkey('c')];
const shown = (list: readonly WebauthnRegistration[]): readonly string[] => list.map(({ name }) => name);

describe('a list of passkeys', () => {
  it('shows what was requested before the server has agreed, in the order of the asking', () => {
    const changes = [
      { kind: 'rename', id: 'a', name: 'first' },
      { kind: 'delete', id: 'b' },
      { kind: 'rename', id: 'a', name: 'second' },
      { kind: 'rename', id: 'b', name: 'gone' },
      { kind: 'delete', id: 'unknown' },
    ] as const;
    expect(shown(withChanges(LIST, changes))).toEqual(['second', 'c']);
    expect(withChanges(LIST, [])).toBe(LIST);
    expect(shown(LIST)).toEqual(['a', 'b', 'c']);
  });

  it('keeps the old name for an empty one, and takes any other as it is', () => {
    expect(['', '   ', '\n'].map((typed) => editedName('old', typed))).toEqual(['old', 'old', 'old']);
    expect(editedName('old', ' <b>new</b> ')).toBe('<b>new</b>');
    expect(editedName('old', 'x'.repeat(5_000))).toHaveLength(5_000);
  });
});

describe('the rows of the list', () => {
  const states: readonly RowState[] = [IDLE_ROWS, { name: 'editing', id: 'a' }, { name: 'deleting', id: 'a' }];

  it('open one at a time: to edit it or to delete it', () => {
    expect(reduceRows(IDLE_ROWS, { type: 'editOpened', id: 'a' })).toEqual({ name: 'editing', id: 'a' });
    expect(reduceRows(IDLE_ROWS, { type: 'deleteOpened', id: 'a' })).toEqual({ name: 'deleting', id: 'a' });
    for (const state of states.slice(1)) {
      for (const type of ['editOpened', 'deleteOpened'] as const) {
        expect(reduceRows(state, { type, id: 'b' })).toBe(state);
      }
    }
  });

  it('close from every state', () => {
    for (const state of states) expect(reduceRows(state, { type: 'closed' })).toBe(IDLE_ROWS);
  });

  it('are idle where the open one has gone', () => {
    for (const state of states) expect(rowsAmong(state, LIST)).toBe(state);
    for (const state of states) expect(rowsAmong(state, [passkey('b')])).toBe(IDLE_ROWS);
  });
});

describe('the signals to the passkey provider', () => {
  const options = {
    rp: { id: 'localhost', name: 'A project' },
    user: { id: 'a+/b==', name: 'ada' },
    excludeCredentials: [{ id: '-_8A' }, { id: '+/8A==' }],
  };
  const accepted = (change: object) => acceptedFrom(JSON.stringify({ ...options, ...change }));

  it('is every passkey that the server still excludes from being made again, in base64url', () => {
    expect(accepted({})).toEqual({ rpId: 'localhost', userId: 'a-_b', credentialIds: ['-_8A', '-_8A'] });
    expect(accepted({ excludeCredentials: [] })?.credentialIds).toEqual([]);
  });

  it('is nothing where a piece is missing: what is not known is not an empty list', () => {
    const wrong: readonly object[] = [
      { excludeCredentials: undefined },
      { excludeCredentials: null },
      { excludeCredentials: {} },
      { excludeCredentials: [{ id: '-_8A' }, {}] },
      { excludeCredentials: [null] },
      { rp: undefined },
      { rp: { id: '' } },
      { user: null },
      { user: { id: 7 } },
    ];
    for (const change of wrong) expect(accepted(change)).toBeNull();
    for (const text of ['', 'null', '[]', '{']) expect(acceptedFrom(text)).toBeNull();
  });

  it('is the passkey that a login presented', () => {
    expect(unknownFrom('{"rpId":"localhost"}', '{"id":"-_8A"}')).toEqual({ rpId: 'localhost', credentialId: '-_8A' });
    expect(unknownFrom('{"rpId":"localhost"}', '{"id":"+/8="}')).toEqual({ rpId: 'localhost', credentialId: '-_8' });
    expect(unknownFrom('{}', '{"id":"-_8A"}')).toBeNull();
    expect(unknownFrom('{"rpId":"localhost"}', '{"id":7}')).toBeNull();
  });
});
