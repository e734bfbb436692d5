import type { Address } from '../parts/address.ts';
import type { DemoConfig } from '../parts/config.ts';
import { lookSection } from './look.ts';
import { passcodeSection, socialSection } from './methods.ts';
import { peopleSection } from './people.ts';
import { productsSection } from './products.ts';
import { languageSection, sessionSection, walletSection } from './surroundings.ts';

const BESIDE = '(min-width: 1180px)';

/** All options of a host next to the widget; on a narrow page, collapsed to one line. */
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
  // The page has the empty panel before any script runs. It is kept, so that it stays open and focused for a visitor who opened it
  // early.
  const panel = into.querySelector('details');
  if (panel === null) throw new Error('The page has no panel for the options.');
  panel.append(...sections.map(({ element }) => element), peopleSection(server));
  if (matchMedia(BESIDE).matches) panel.open = true;
  const show = () => {
    for (const section of sections) section.show(address.choices);
  };
  address.onChange(show);
  show();
}
