import type { Address } from '../parts/address.ts';
import type { Choices } from '../parts/choices.ts';

/** A part of the panel: it changes the address, and shows what the address says. */
export interface Section {
  readonly element: HTMLElement;
  show(choices: Choices): void;
}

export type MakeSection = (address: Address) => Section;
