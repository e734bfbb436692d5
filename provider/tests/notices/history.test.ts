import { describe, expect, it } from 'vitest';
import { contactsBefore, mayUndo, UNDO_MS, type ContactRecord } from '#provider/accounts/notices/history.ts';
import { masked } from '#provider/accounts/notices/items.ts';

const NOW = Date.UTC(2030, 0, 1);

function contact(method_id: string, age: number, removed = false): ContactRecord {
  return { kind: 'email', method_id, value: `${method_id}@example.com`, created_at: NOW - age, removed };
}
const change = (event: 'factor.added' | 'factor.removed', { method_id, value, created_at }: ContactRecord) => ({
  event,
  factor_type: 'email' as const,
  factor_id: method_id,
  details: { value, created_at: new Date(created_at).toISOString() },
});
const ids = (contacts: readonly ContactRecord[]): readonly string[] => contacts.map(({ method_id }) => method_id);

describe('the contacts before a change', () => {
  const [old, young] = [contact('old', UNDO_MS * 2), contact('young', 1000)];

  it('are those of now without the added ones, and the removed ones', () => {
    expect(ids(contactsBefore([young], [change('factor.added', young), change('factor.removed', old)]))).toEqual([
      'old',
    ]);
  });
  it('do not have one that was added and removed again', () => {
    const changes = [change('factor.added', young), change('factor.removed', young)];
    expect(ids(contactsBefore([old], changes))).toEqual(['old']);
  });
  it('have one once that was removed and added again and again', () => {
    const changes = [change('factor.removed', old), change('factor.removed', old)];
    expect(ids(contactsBefore([old], changes))).toEqual(['old']);
  });
});

describe('the link that undoes a change', () => {
  const before = [contact('oldest', UNDO_MS * 3), contact('week', UNDO_MS), contact('young', UNDO_MS - 1)];

  it('goes to the oldest contact, and to those that the user has for a week', () => {
    expect(ids(before.filter((each) => mayUndo(each, before, NOW)))).toEqual(['oldest', 'week']);
  });
  it('goes to no contact that is removed but the oldest', () => {
    const removed = before.map((each) => ({ ...each, removed: true }));
    expect(ids(removed.filter((each) => mayUndo(each, removed, NOW)))).toEqual(['oldest']);
  });
});

describe('a masked contact', () => {
  it.each([
    ['email', 'maria@example.com', 'm•••@example.com'],
    ['email', 'm@example.com', 'm•••@example.com'],
    ['phone', '+14155550142', '+1 ••• 42'],
  ] as const)('%s %s is %s', (kind, value, shown) => {
    expect(masked(kind, value)).toBe(shown);
  });
});
