/**
 * What the name `#prerendered-login` of package.json is on a server: the first screen of the login, for `portico/react`. The texts of all
 * languages are a part of it, because React renders without waiting.
 */
import { version } from 'react';
import { languageOf, type Language } from '../../domain/widget/language.ts';
import { loadLocale, localeOf } from '../../presentation/messages/language.ts';
import { ar } from '../../presentation/messages/locales/ar.ts';
import { de } from '../../presentation/messages/locales/de.ts';
import { es } from '../../presentation/messages/locales/es.ts';
import { fr } from '../../presentation/messages/locales/fr.ts';
import { ja } from '../../presentation/messages/locales/ja.ts';
import { pt } from '../../presentation/messages/locales/pt.ts';
import { zh } from '../../presentation/messages/locales/zh.ts';
import { markupOf } from './markup.tsx';
import type { RenderOnServer } from './on-page.ts';
import { checkOptions } from './options.ts';

const METHOD = 'Login prerender';
const isBrowser = typeof window !== 'undefined';

const TRANSLATIONS = { ar, de, es, fr, ja, pt, zh } satisfies Record<Exclude<Language, 'en'>, object>;
// The import() of a module that is there already ends a microtask later.
for (const language of Object.keys(TRANSLATIONS)) void loadLocale(language as Language);

const render: RenderOnServer = ({ config, styles, strings, language: tag }, places, id) => {
  checkOptions(METHOD, places);
  // The language of the page, and what a session lacks, are known in the browser alone.
  if (tag === 'auto' || config?.stepUp) return null;
  const language = tag === undefined || tag === null ? undefined : (languageOf(tag) ?? 'en');
  if (localeOf(language ?? 'en') === null) return null;
  const hasSheetInHead = Number.parseInt(version, 10) >= 19;
  const options = { ...places, config, styles, texts: strings };
  return markupOf({ method: METHOD, options, language, suffix: id.replaceAll(/[^a-z\d]/giu, ''), hasSheetInHead });
};

/** Null in a browser, and in tests with a DOM, to which a bundler may give the server's file. */
export const renderOnServer: RenderOnServer | null = isBrowser ? null : render;
