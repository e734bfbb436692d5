import type { Choices } from '../../demo/parts/choices.ts';
import type { ExampleSelection } from '../../demo/embed/address.ts';

/** A live example of an option: the playground's settings, and the visible effect. */
export interface Example extends Partial<ExampleSelection> {
  readonly choices?: Partial<Choices>;
  readonly see: string;
}

/** An example for each option. A missing one does not compile. */
export type ExamplesOf<Options> = { readonly [Name in keyof Options]-?: Example };
