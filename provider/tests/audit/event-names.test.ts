import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { AUDIT_EVENTS } from '#provider/base/audit/events.ts';
import { checkEvent } from '#provider/operation/operators/audit/audit-list.ts';

it('the page about people lists the names of all events of the audit log', () => {
  const [, list = ''] = readFileSync(join(ROOT, 'docs/people.md'), 'utf8').split('\n### Events\n');
  const named = Array.from(list.matchAll(/`([a-z_]+)`/gu), ([, name]) => name);
  expect(named).toEqual(AUDIT_EVENTS);
});

it('a filter by a name that no event has is refused, with the nearest name and the place of the list', () => {
  for (const name of [undefined, ...AUDIT_EVENTS]) expect(() => checkEvent(name)).not.toThrow();
  for (const [name, near] of [
    ['logins', 'login'],
    ['user_delete', 'user_deleted'],
    ['nonsense', ''],
    ['', ''],
  ] as const) {
    expect(() => checkEvent(name)).toThrow(`did you mean ${near}`);
    expect(() => checkEvent(name)).toThrow('docs/people.md of the package portico lists them under "Events".');
  }
});
