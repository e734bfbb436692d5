/**
 * `portico/prerender`: the first screen of the login as HTML, made by the screens that the browser shows. It runs in Node, at the
 * edge and in a build, with `react` and `react-dom` installed; a page of `portico/standalone` can take its markup over as well.
 */
import { renderToString } from 'react-dom/server';
import { acceptedLanguage } from '../domain/widget/accepted-language.ts';
import { loadLocale } from '../presentation/messages/language.ts';
import { early, hashOf, inlineSheetOf, sheetOf } from './prerender/inline.ts';
import { markupOf } from './prerender/markup.tsx';
import { checkOptions, type PrerenderOptions, type StylesheetOptions } from './prerender/options.ts';

export { SDKUsageError } from '../domain/errors.ts';
export type { StyleConfig } from '../domain/widget/theme.ts';
export { ConfigError, type LoginConfig } from '../domain/widget/widget-config.ts';
export type { StringOverrides } from '../presentation/messages/catalogue.ts';
export type {
  PrerenderedProject,
  PrerenderOptions,
  PrerenderSettings,
  StylesheetOptions,
} from './prerender/options.ts';

/**
 * The style sheet of a prerendered login with these styles, as the text of a file. Without styles it is the package's file
 * `portico/login.css`.
 *
 * Throws an `SDKUsageError` that names the field for styles that are not valid, and for colours other than hexadecimal and `rgb()`.
 */
export function loginStylesheet(options: StylesheetOptions = {}): string {
  checkOptions('loginStylesheet', options);
  return sheetOf('loginStylesheet', options.styles);
}

/** What a Content Security Policy allows for markup with `inline`: each is one source expression, such as `'sha256-…'`. */
export interface InlineHashes {
  /** For `style-src`. It depends on the styles and on the version of the package. */
  readonly style: string;
  /** For `script-src`. It depends on the version of the package. */
  readonly script: string;
}

/**
 * The hashes of the style sheet and the early script in markup with `inline`, for the header of the page.
 *
 * Rejects with an `SDKUsageError` that names the field for the same options as `loginStylesheet`.
 */
export async function inlineHashes(options: StylesheetOptions = {}): Promise<InlineHashes> {
  checkOptions('inlineHashes', options);
  const [style, script] = await Promise.all([inlineSheetOf('inlineHashes', options.styles), early].map(hashOf));
  return { style: style ?? '', script: script ?? '' };
}

/**
 * The first screen of the login as HTML, to be put into the element in which `mountLogin` mounts with the same options. With
 * `config.enableShadowDOM` it is a declarative shadow root. Without `inline`, it contains no inline script and no inline style.
 *
 * Rejects with a `ConfigError` for a configuration that `mountLogin` would refuse, and with an `SDKUsageError` that names the field
 * for any other invalid option.
 */
export async function renderLogin(options: PrerenderOptions = {}): Promise<string> {
  checkOptions('renderLogin', options);
  const { locale, id: suffix, ...rest } = options;
  const language = locale === undefined ? undefined : acceptedLanguage(locale);
  await loadLocale(language ?? 'en');
  return renderToString(markupOf({ method: 'renderLogin', options: rest, language, suffix }));
}
