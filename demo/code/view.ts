import type { Address } from '../parts/address.ts';
import type { DemoConfig } from '../parts/config.ts';
import { copyAction } from '../parts/copy.ts';
import { el } from '../parts/dom.ts';
import { highlight } from './highlight.ts';
import { SAMPLES, type SampleKind } from './samples.ts';

const KINDS = Object.keys(SAMPLES) as SampleKind[];

/** The code for the choices, in a tab for each kind of host. It is updated on every change. */
export function showCode(into: HTMLElement, address: Address, server: DemoConfig): void {
  let kind: SampleKind = 'vanilla';
  const code = el('code', {});
  const set = { role: 'tabpanel', tabindex: '0', 'aria-labelledby': 'code-vanilla' };
  const panel = el('pre', { id: 'code-panel', set }, code);
  const file = el('span', { class: 'file' });
  const show = () => {
    const { language, write, file: name } = SAMPLES[kind];
    const pieces = highlight(write({ choices: address.choices, server }), language);
    code.replaceChildren(...pieces.map(({ text, kind: type }) => (type ? el('i', { class: type }, text) : text)));
    file.textContent = name;
    for (const tab of tabs) {
      const chosen = tab.id === `code-${kind}`;
      tab.setAttribute('aria-selected', String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
    }
    panel.setAttribute('aria-labelledby', `code-${kind}`);
  };
  const choose = (next: SampleKind) => {
    kind = next;
    panel.scrollTo(0, 0);
    show();
  };
  const tabs = KINDS.map((name) =>
    el(
      'button',
      {
        id: `code-${name}`,
        set: { type: 'button', role: 'tab', 'aria-controls': 'code-panel' },
        onClick: () => choose(name),
      },
      SAMPLES[name].label,
    ),
  );
  const list = el('div', { class: 'tabs', set: { role: 'tablist', 'aria-label': 'Kinds of code' } }, ...tabs);
  list.addEventListener('keydown', (event) => {
    const at = KINDS.indexOf(kind);
    const steps: Readonly<Record<string, number>> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
    const to = steps[event.key];
    const next = to === undefined ? undefined : KINDS.at(to % KINDS.length);
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
    tabs.find((tab) => tab.id === `code-${next}`)?.focus();
  });
  into.replaceChildren(
    el(
      'div',
      { class: 'code-head' },
      el('h2', { id: 'code-title' }, 'The code for what you see'),
      copyAction('Copy a link to this', () => location.href, 'quiet'),
    ),
    el(
      'div',
      { class: 'code-box' },
      el(
        'div',
        { class: 'code-bar' },
        list,
        file,
        copyAction('Copy', () => code.textContent ?? '', 'icon', ' the code'),
      ),
      panel,
    ),
  );
  address.onChange(show);
  show();
}
