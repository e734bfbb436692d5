/**
 * The module that the name `#prerendered-login` of package.json refers to on a server: the first screens of the widgets, for
 * `portico/react`. It contains the texts of all languages, because React renders without waiting.
 */
import { version } from 'react';
import { languageOf, type Language } from '#domain/widget/language.ts';
import { accountTextsOf, loadAccountTexts } from '#presentation/messages/account-texts.ts';
import { ar as arAccount } from '#presentation/messages/ar/account.ts';
import { de as deAccount } from '#presentation/messages/de/account.ts';
import { es as esAccount } from '#presentation/messages/es/account.ts';
import { fr as frAccount } from '#presentation/messages/fr/account.ts';
import { ja as jaAccount } from '#presentation/messages/ja/account.ts';
import { pt as ptAccount } from '#presentation/messages/pt/account.ts';
import { zh as zhAccount } from '#presentation/messages/zh/account.ts';
import { loadLocale, localeOf } from '#presentation/messages/language.ts';
import { ar } from '#presentation/messages/ar/login.ts';
import { de } from '#presentation/messages/de/login.ts';
import { es } from '#presentation/messages/es/login.ts';
import { fr } from '#presentation/messages/fr/login.ts';
import { ja } from '#presentation/messages/ja/login.ts';
import { pt } from '#presentation/messages/pt/login.ts';
import { zh } from '#presentation/messages/zh/login.ts';
import { markupOf } from './markup.tsx';
import type { RenderOnServer } from './on-page.ts';
import { checkOptions, screenOf } from './options.ts';

const METHODS = {
  login: 'Login prerender',
  reset: 'PasswordReset prerender',
  passkeys: 'PasskeyRegistration prerender',
  consent: 'IdentityProvider prerender',
  account: 'Account prerender',
} as const;
const isBrowser = typeof window !== 'undefined';

const TRANSLATIONS = {
  ar: [ar, arAccount],
  de: [de, deAccount],
  es: [es, esAccount],
  fr: [fr, frAccount],
  ja: [ja, jaAccount],
  pt: [pt, ptAccount],
  zh: [zh, zhAccount],
} satisfies Record<Exclude<Language, 'en'>, readonly object[]>;
// The import() of a loaded module resolves a microtask later.
for (const language of Object.keys(TRANSLATIONS)) {
  void loadLocale(language as Language);
  void loadAccountTexts(language as Language);
}

const render: RenderOnServer = (widget, { config, styles, strings, language: tag }, settings, id) => {
  const method = METHODS[widget];
  checkOptions(method, settings);
  const { tokenType, ...places } = settings;
  // Only the browser knows the language of the page, and what a session lacks.
  if (tag === 'auto' || (widget === 'login' && config?.stepUp)) return null;
  const language = tag === undefined || tag === null ? undefined : (languageOf(tag) ?? 'en');
  if (localeOf(language ?? 'en') === null || accountTextsOf(language ?? 'en') === null) return null;
  const hasSheetInHead = Number.parseInt(version, 10) >= 19;
  const options = { ...places, config, styles, texts: strings };
  const suffix = id.replaceAll(/[^a-z\d]/giu, '');
  return markupOf({ method, widget: screenOf(widget, tokenType), options, language, suffix, hasSheetInHead });
};

/** Null in a browser, and in tests with a DOM, for which a bundler may choose the server's file. */
export const renderOnServer: RenderOnServer | null = isBrowser ? null : render;
