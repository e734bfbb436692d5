import { languageOf } from '#domain/widget/language.ts';
import { loadAccountTexts } from '#presentation/messages/account-texts.ts';
import { FACTOR_TEXTS } from '#presentation/messages/factor-texts.ts';
import { loadLocale } from '#presentation/messages/language.ts';
import { loadPart } from '#presentation/parts/load-part.ts';
import type { PartName } from '#presentation/parts/parts.ts';
import type { Fixture } from './fixture.ts';

/** Every part there is: one that is missing does not compile. */
const PARTS: Readonly<Record<PartName, true>> = {
  login: true,
  marks: true,
  mails: true,
  phones: true,
  passwords: true,
  wallets: true,
  passkeys: true,
  factors: true,
  consent: true,
  account: true,
};

/** Loads what a widget would load on demand, so that every fixture is whole from its first rendering. */
export async function loadAll(fixtures: readonly Fixture[], language = ''): Promise<void> {
  const languages = new Set([language, ...fixtures.map((one) => one.language ?? '')].map(languageOf));
  await Promise.all([
    import('#presentation/parts/passwords/passphrase-words.ts'),
    ...Object.keys(PARTS).map((part) => loadPart(part as PartName)),
    ...[...languages].flatMap(
      (language) => language && [loadLocale(language), loadAccountTexts(language), FACTOR_TEXTS.load(language)],
    ),
  ]);
}
