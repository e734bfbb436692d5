import type { Address } from '../parts/address.ts';
import type { DemoConfig } from '../parts/config.ts';
import { el } from '../parts/dom.ts';
import { lookSection } from './look.ts';
import { passcodeSection, socialSection } from './methods.ts';
import { peopleSection } from './people.ts';
import { productsSection } from './products.ts';
import { languageSection, sessionSection, walletSection } from './surroundings.ts';

const BESIDE = '(min-width: 1180px)';

/** Every choice that a host has, at the side of the widget; on a narrow page behind one line. */
export function showPanel(into: HTMLElement, address: Address, server: DemoConfig): void {
  const sections = [
    productsSection,
    lookSection,
    languageSection,
    socialSection,
    passcodeSection,
    walletSection,
    sessionSection,
  ].map((make) => make(address));
  const title = el('h2', { id: 'playground-title' }, 'Options');
  const panel = el(
    'details',
    { class: 'playground-panel' },
    el('summary', {}, title),
    ...sections.map(({ element }) => element),
    peopleSection(server),
  );
  panel.open = matchMedia(BESIDE).matches;
  into.replaceChildren(panel);
  const show = () => {
    for (const section of sections) section.show(address.choices);
  };
  address.onChange(show);
  show();
}
