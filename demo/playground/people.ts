import type { DemoConfig } from '../parts/config.ts';
import { copyAction } from '../parts/copy.ts';
import { button, el } from '../parts/dom.ts';
import { typeInto } from '../parts/field.ts';
import { makeAccount, type Account, type AccountKind } from './accounts.ts';
import { group } from './controls.ts';

const KINDS: readonly (readonly [kind: AccountKind, label: string])[] = [
  ['new', 'Somebody new'],
  ['password', 'Somebody with a password'],
  ['passwordless', 'Somebody without a password'],
];

/** Users to try the widget with. One press creates them at the provider and fills in their address. */
export function peopleSection(server: DemoConfig): HTMLElement {
  const made = el('div', { class: 'made', set: { role: 'status' } });
  const trouble = el('p', { class: 'trouble', hidden: true, set: { role: 'alert' } });
  const prepare = async (kind: AccountKind) => {
    trouble.hidden = true;
    try {
      const account = await makeAccount(server, kind);
      made.replaceChildren(...tell(account, typeInto('input[type=email]', account.email)));
      made.scrollIntoView({ block: 'nearest' });
    } catch (error) {
      made.replaceChildren();
      trouble.textContent = `That did not work. ${error instanceof Error ? error.message : String(error)}`;
      trouble.hidden = false;
    }
  };
  const presses = KINDS.map(([kind, label]) => button(label, 'quiet', () => prepare(kind)));
  const hint = 'Made over the ordinary wire, so the message that it took shows in the inbox.';
  const { element } = group(
    'People to try',
    true,
    el('p', { class: 'hint' }, hint),
    el('div', { class: 'stack' }, ...presses),
    made,
    trouble,
  );
  return element;
}

function tell({ email, password }: Account, filled: boolean): readonly HTMLElement[] {
  const row = (name: string, value: string) =>
    el(
      'div',
      { class: 'made-row' },
      el('p', {}, `${name}: `, el('code', {}, value)),
      copyAction(`Copy ${name.toLowerCase()}`, () => value, 'quiet'),
    );
  const where = filled
    ? 'The address is filled in.'
    : 'The screen that is open asks for no address: copy it for later.';
  return [el('p', {}, where), row('Address', email), ...(password === null ? [] : [row('Password', password)])];
}
