import { didYouMean } from '../../../domain/widget/meant-name.ts';
import type { LogPort } from '../../ports/index.ts';

/** An option at its place that does not exist, or another value, and those that exist. */
export type UnknownName =
  | { readonly at: string; readonly name: string; readonly known: readonly string[] }
  | { readonly what: string; readonly name: unknown; readonly known: readonly string[] };

/** The mistakes in the options of a login. */
interface Mistakes {
  readonly unknown: readonly UnknownName[];
  /** The product `oauth` has no provider. */
  readonly noProvider: boolean;
  /** No way to log in shows. */
  readonly empty: boolean;
}

function sentenceOf(unknown: UnknownName): string {
  const { name, known } = unknown;
  const all = known.join(', ');
  if ('what' in unknown) return `There is no ${unknown.what} ${JSON.stringify(name)}; there are ${all}.`;
  return `Of ${unknown.at}, ${unknown.name} is no option.${didYouMean(unknown.name, known) || ` There are ${all}.`}`;
}

/** Tells the developer what the options of a login lack. */
export function explainOptions(log: LogPort, { unknown, noProvider, empty }: Mistakes): void {
  for (const one of unknown) log.warn(sentenceOf(one));
  if (noProvider)
    log.warn('The product oauth shows nothing: oauthOptions.providers is missing, such as [{ type: "google" }].');
  if (empty) log.error('The login is empty: no product shows.');
}
