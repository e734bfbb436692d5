import type { Address } from '../parts/address.ts';
import type { Choices } from '../parts/choices.ts';

/** A section of the panel. It changes the URL, and shows the URL's values. */
export interface Section {
  readonly element: HTMLElement;
  show(choices: Choices): void;
}

export type MakeSection = (address: Address) => Section;
