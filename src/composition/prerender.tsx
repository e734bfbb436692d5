/**
 * `portico/prerender`: the first screen of the login as HTML, made by the screens that the browser shows. It runs in Node, at the
 * edge and in a build, with `react` and `react-dom` installed; a page of `portico/standalone` can take its markup over as well.
 */
import { renderToString } from 'react-dom/server';
import { acceptedLanguage } from '../domain/widget/accepted-language.ts';
import { TOKENS } from '../domain/widget/fingerprint.ts';
import { loadLocale } from '../presentation/messages/language.ts';
import chinese from '../presentation/theme/parts/chinese.css?inline';
import german from '../presentation/theme/parts/german.css?inline';
import japanese from '../presentation/theme/parts/japanese.css?inline';
import base from '../presentation/theme/portico.css?inline';
import prerendered from '../presentation/theme/prerendered.css?inline';
import { lookOf } from './prerender/look.ts';
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
  const { tokens, preset } = lookOf('loginStylesheet', options.styles);
  const declarations = [...tokens].map(([name, value]) => `${name}:${value}`).join(';');
  const own = declarations === '' ? [] : [`[${TOKENS}]{${declarations}}`];
  return [base, prerendered, german, japanese, chinese, ...(preset?.sheets() ?? []), ...own].join('\n');
}

/**
 * The first screen of the login as HTML, to be put into the element in which `mountLogin` mounts with the same options. With
 * `config.enableShadowDOM` it is a declarative shadow root. It contains no inline script and no inline style.
 *
 * Rejects with a `ConfigError` for a configuration that `mountLogin` would refuse, and with an `SDKUsageError` that names the field
 * for any other invalid option.
 */
export async function renderLogin(options: PrerenderOptions = {}): Promise<string> {
  checkOptions('renderLogin', options);
  const { locale } = options;
  const language = locale === undefined ? undefined : acceptedLanguage(locale);
  await loadLocale(language ?? 'en');
  return renderToString(markupOf({ method: 'renderLogin', options, language }));
}
