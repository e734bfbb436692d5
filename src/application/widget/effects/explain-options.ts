import { didYouMean } from '#domain/widget/meant-name.ts';
import type { LogPort } from '../../ports/index.ts';

/** An unknown name, its place or what it should be, and the valid names. */
export interface UnknownName {
  readonly at: string;
  readonly name: unknown;
  readonly validNames: readonly string[];
}

/** The sentence about an unknown option. */
export function unknownOption({ at, name, validNames }: UnknownName): string {
  const option = String(name);
  return `Of ${at}, ${option} is no option.${didYouMean(option, validNames) || ` There are ${validNames.join(', ')}.`}`;
}

/**
 * Logs the mistakes in the options of a login for the developer.
 *
 * @param noProvider the product `oauth` has no provider
 * @param empty the login shows no way to log in
 * @param isUnsafe the link for help is not shown
 */
export function explainOptions(
  log: LogPort,
  values: readonly UnknownName[],
  [noProvider, empty, isUnsafe]: readonly [noProvider: boolean | undefined, empty: boolean, isUnsafe: boolean],
): void {
  for (const { at, name, validNames } of values) {
    log.warn(`There is no ${at} ${JSON.stringify(name)}; there are ${validNames.join(', ')}.`);
  }
  if (noProvider === true) {
    log.warn('The product oauth shows nothing: oauthOptions.providers is missing, such as [{ type: "google" }].');
  }
  if (isUnsafe) log.warn('config.helpUrl shows nothing: it must be an https URL, a path such as /help, or mailto:.');
  if (empty) log.error('The login is empty: no product shows.');
}
