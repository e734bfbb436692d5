/** The parts of the widget on a server, which renders without waiting. */
import type { ReactNode } from 'react';
import { addTexts } from '#presentation/messages/catalogue.ts';
import { part as account } from '#presentation/parts/account/account.ts';
import { part as consent } from '#presentation/parts/consent/consent.ts';
import { part as login } from '#presentation/parts/login/login.ts';
import { SHEET } from '#presentation/parts/login/sheet.ts';
import { arrived, type Parts } from '#presentation/parts/parts.ts';
import { part as passkeys } from '#presentation/parts/passkeys/passkeys.ts';
import { part as passwords } from '#presentation/parts/passwords/passwords.ts';
import { FIRST_SCREENS, type FirstScreenName } from '../first-screens.ts';

const PARTS = { account, consent, passkeys, passwords };
for (const { texts } of [login, ...Object.values(PARTS)]) addTexts(texts);

/** The login without effects, because React 18 logs a warning about those on a server. */
const STILL: Parts['login'] = { ...login, CardEffects: () => null };

/** The additional style sheets of a widget's first screen. The login needs none before it is used. */
export function sheetsOf(name: FirstScreenName): readonly string[] {
  const { part } = FIRST_SCREENS[name];
  return part === null ? [] : [SHEET, ...PARTS[part].styles];
}

type SomeParts = Partial<Record<keyof Parts, unknown>>;

/** Makes these the loaded parts. Returns the previous ones. */
function exchange(parts: SomeParts): SomeParts {
  const before = { ...arrived };
  for (const name of Object.keys(before)) delete arrived[name as keyof Parts];
  Object.assign(arrived, parts);
  return before;
}

/**
 * Renders the children with the parts of a widget's first screen as the loaded ones. A server renders them right after this, before
 * anything else, so widgets of other kinds on the same server have their own parts.
 */
export function WithParts({ name, children }: { readonly name: FirstScreenName; readonly children: ReactNode }) {
  const { part } = FIRST_SCREENS[name];
  exchange(part === null ? {} : { login: STILL, [part]: PARTS[part] });
  return children;
}

/** Restores the parts from before the rendering, because a page may also render to a string. */
export function keepingParts<Result>(render: () => Result): Result {
  const before = exchange({});
  try {
    return render();
  } finally {
    exchange(before);
  }
}
