import { directionOf, type Language } from '#domain/widget/language.ts';
import { accountTextsOf, loadAccountTexts } from '../../messages/account-texts.ts';
import { userButton as ENGLISH } from '../../messages/en/user-button.ts';
import { languageChoice } from '../../messages/language.ts';

/** The texts of a button that signs out. */
export interface SignOutTexts {
  readonly lang: Language;
  readonly dir: 'ltr' | 'rtl';
  readonly signOut: string;
  readonly failed: string;
}

/** Loads the texts of the language, which may be `auto`. Rejects if they cannot be loaded. */
export async function signOutTexts(requested: string, warn: (message: string) => void): Promise<SignOutTexts> {
  const language = languageChoice(warn)(requested) ?? 'en';
  await loadAccountTexts(language);
  const texts = { ...ENGLISH, ...accountTextsOf(language) };
  return { lang: language, dir: directionOf(language), signOut: texts['user.signOut'], failed: texts['user.failed'] };
}
