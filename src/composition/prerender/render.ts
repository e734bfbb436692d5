import { renderToString } from 'react-dom/server';
import { acceptedLanguage } from '#domain/widget/accepted-language.ts';
import { loadAccountTexts } from '#presentation/messages/account-texts.ts';
import { loadLocale } from '#presentation/messages/language.ts';
import { markupOf } from './markup.tsx';
import { checkOptions, screenOf, type PasswordResetPrerenderOptions, type PrerenderedWidget } from './options.ts';
import { keepingParts } from './server-parts.ts';

/** The function of `portico/prerender` for each widget. */
export const METHODS = {
  login: 'renderLogin',
  reset: 'renderPasswordReset',
  passkeys: 'renderPasskeyRegistration',
  consent: 'renderIdentityProvider',
  account: 'renderAccount',
} as const satisfies Readonly<Record<PrerenderedWidget, string>>;

/** The first screen of a widget as HTML. Rejects in the same cases as `renderLogin`. */
export async function renderWidget(
  widget: PrerenderedWidget,
  options: PasswordResetPrerenderOptions = {},
): Promise<string> {
  const method = METHODS[widget];
  checkOptions(method, options);
  const { locale, id: suffix, tokenType, ...rest } = options;
  const language = locale === undefined ? undefined : acceptedLanguage(locale);
  await Promise.all([
    loadLocale(language ?? 'en'),
    widget === 'account' ? loadAccountTexts(language ?? 'en') : undefined,
  ]);
  const markup = markupOf({ method, widget: screenOf(widget, tokenType), options: rest, language, suffix });
  return keepingParts(() => renderToString(markup));
}
