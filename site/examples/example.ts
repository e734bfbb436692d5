import type { Choices } from '../../demo/parts/choices.ts';
import type { ExampleSelection } from '../../demo/embed/address.ts';

/** A live example of an option: what the playground is set to, and what there is to see. */
export interface Example extends Partial<ExampleSelection> {
  readonly choices?: Partial<Choices>;
  readonly see: string;
}

/** An example for each option: the compiler asks for one when an option is added. */
export type ExamplesOf<Options> = { readonly [Name in keyof Options]-?: Example };
