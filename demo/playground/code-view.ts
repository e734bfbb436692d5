import type { Address } from '../parts/address.ts';
import type { DemoConfig } from '../parts/config.ts';
import { copyAction } from '../parts/copy.ts';
import { el } from '../parts/dom.ts';
import { codeFor, type CodeKind } from './code.ts';

const TABS: readonly (readonly [kind: CodeKind, label: string])[] = [
  ['npm', 'npm'],
  ['react', 'React'],
  ['script', 'Script tag'],
];

/** The code for what is chosen, in three forms; it follows every choice. */
export function showCode(into: HTMLElement, address: Address, server: DemoConfig): void {
  let kind: CodeKind = 'npm';
  const standalone = location.pathname === '/standalone';
  const code = el('code', {});
  const set = { role: 'tabpanel', tabindex: '0', 'aria-labelledby': 'code-npm' };
  const panel = el('pre', { id: 'code-panel', set }, code);
  const show = () => {
    code.textContent = codeFor(kind, { choices: address.choices, server, standalone });
    for (const tab of tabs) {
      const chosen = tab.id === `code-${kind}`;
      tab.setAttribute('aria-selected', String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
    }
    panel.setAttribute('aria-labelledby', `code-${kind}`);
  };
  const choose = (next: CodeKind) => {
    kind = next;
    show();
  };
  const tabs = TABS.map(([name, label]) =>
    el(
      'button',
      {
        id: `code-${name}`,
        set: { type: 'button', role: 'tab', 'aria-controls': 'code-panel' },
        onClick: () => choose(name),
      },
      label,
    ),
  );
  const list = el('div', { class: 'tabs', set: { role: 'tablist', 'aria-label': 'Kinds of code' } }, ...tabs);
  list.addEventListener('keydown', (event) => {
    const at = TABS.findIndex(([name]) => name === kind);
    const steps: Readonly<Record<string, number>> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
    const to = steps[event.key];
    const next = to === undefined ? undefined : TABS.at(to % TABS.length);
    if (next === undefined) return;
    event.preventDefault();
    choose(next[0]);
    tabs.find((tab) => tab.id === `code-${next[0]}`)?.focus();
  });
  const copy = copyAction('Copy the code', () => code.textContent ?? '');
  into.replaceChildren(
    el('div', { class: 'code-head' }, el('h2', { id: 'code-title' }, 'The code for this'), list, copy),
    panel,
  );
  address.onChange(show);
  show();
}
