import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { es as account } from '#presentation/messages/es/account.ts';
import { es as factors } from '#presentation/messages/es/factors.ts';
import { es as login } from '#presentation/messages/es/login.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { textReference } from '#scripts/text-reference.ts';

it('the page of the text keys says what the catalogue says; `node scripts/lib/jiti.mjs scripts/text-reference.ts --write` brings it up to date', () => {
  expect(readFileSync(join(ROOT, 'docs/text-keys.md'), 'utf8')).toBe(textReference());
});

it('lists every key of a translation once, with the placeholders of its text', () => {
  const rows = [...textReference().matchAll(/^\| `([^`]+)` \| (.*) \| (.*) \|$/gmu)];
  const keys = rows.map(([, key]) => key);
  const known = Object.keys({ ...login, ...account, ...factors });
  expect([keys.length, new Set(keys)]).toEqual([known.length, new Set(known)]);
  const sent = rows.find(([, key]) => key === 'otp.sent');
  expect(sent?.slice(2)).toEqual(['A 6-digit passcode was sent to you at {destination}.', '`{destination}`']);
});
