/**
 * `portico/prerender`: the first screen of the login as HTML, made by the screens that the browser shows. It runs in Node, at the
 * edge and in a build, with `react` and `react-dom` installed; a page of `portico/standalone` can take its markup over as well.
 */
import { renderToString } from 'react-dom/server';
import { NEVER } from 'rxjs';
import { SDKUsageError } from '../domain/errors.ts';
import { DEFAULT_BOOTSTRAP, type Bootstrap } from '../domain/project/bootstrap.ts';
import { safeImageUrl } from '../domain/safe-url.ts';
import { INITIAL_STATE } from '../domain/screens/widget-state.ts';
import { isRecord, wrongFields, type Shape } from '../domain/shape.ts';
import { fingerprint, HELPER, PROJECT, TOKENS } from '../domain/widget/fingerprint.ts';
import { directionOf, languageOf, type Language } from '../domain/widget/language.ts';
import { unknownOption } from '../domain/widget/option-names.ts';
import { PRERENDERED } from '../domain/widget/prerendered.ts';
import { rgbOf, themeOf, VARIABLE, type Preset, type StyleConfig, type Theme } from '../domain/widget/theme.ts';
import { checkConfig, type LoginConfig } from '../domain/widget/widget-config.ts';
import type { StringOverrides } from '../presentation/messages/catalogue.ts';
import { loadLocale } from '../presentation/messages/language.ts';
import { NO_SCRIPT } from '../presentation/messages/noscript.ts';
import chinese from '../presentation/theme/parts/chinese.css?inline';
import german from '../presentation/theme/parts/german.css?inline';
import japanese from '../presentation/theme/parts/japanese.css?inline';
import base from '../presentation/theme/portico.css?inline';
import prerendered from '../presentation/theme/prerendered.css?inline';
import { presetNamed } from '../presentation/theme/presets/presets.ts';
import { Widget } from '../presentation/Widget.tsx';

export { ConfigError } from '../domain/widget/widget-config.ts';
export { SDKUsageError };
export type { LoginConfig, StringOverrides, StyleConfig };

/** What the first screen shows of the project's settings. */
export type PrerenderedProject = Partial<Pick<Bootstrap, 'projectName' | 'displayWatermark'>>;

/** The options of `renderLogin`. `config`, `styles`, `texts` and `locale` must equal those of `mountLogin`. */
export interface PrerenderOptions {
  /** The `config` of `mountLogin`. */
  readonly config?: LoginConfig | undefined;
  /** The `styles` of `mountLogin`. With any but the default look, `stylesheet` must be a file with `loginStylesheet({ styles })`. */
  readonly styles?: StyleConfig | undefined;
  /** The `strings` of `mountLogin`. */
  readonly texts?: StringOverrides | undefined;
  /**
   * The `language` of `mountLogin`: a language tag (BCP 47), or the value of an `Accept-Language` header, of which the first supported
   * language is used. English for others and by default.
   */
  readonly locale?: string | undefined;
  /** The project's name, which is the description of the logo, and whether the project shows the 'Powered by' link. */
  readonly project?: PrerenderedProject | undefined;
  /** The URL at which the page finds `portico/login.css`, or the text of `loginStylesheet`. Default: `/portico/login.css`. */
  readonly stylesheet?: string | undefined;
  /** The URL at which the page finds `portico/early.js`. Default: `/portico/early.js`. */
  readonly early?: string | undefined;
}

/** The options of `loginStylesheet`. */
export interface StylesheetOptions {
  /** The `styles` of `mountLogin`. */
  readonly styles?: StyleConfig | undefined;
}

const NAMES = {
  renderLogin: ['config', 'styles', 'texts', 'locale', 'project', 'stylesheet', 'early'],
  loginStylesheet: ['styles'],
} as const;
type Method = keyof typeof NAMES;

const refuse = (method: Method, details: string): never => {
  throw new SDKUsageError(method, details);
};

const SHAPE = {
  config: 'object?',
  styles: 'object?',
  texts: 'object?',
  locale: 'string?',
  project: 'object?',
  stylesheet: 'string?',
  early: 'string?',
} as const satisfies Shape;
const PROJECT_SHAPE = { projectName: 'string?', displayWatermark: 'boolean?' } as const satisfies Shape;

/** Throws for an unknown option and for one of the wrong type. */
function check(method: Method, options: unknown): void {
  const unknown = unknownOption(options, NAMES[method]);
  if (unknown !== null) refuse(method, unknown);
  const wrong = isRecord(options) ? wrongFields(SHAPE, options)[0] : undefined;
  if (wrong !== undefined) refuse(method, wrong.message);
}

/** A URL for an attribute of the markup: http, https, or relative to the page. */
function urlOf(field: 'stylesheet' | 'early', url: string): string {
  const isValid = url.trim() === url && url !== '' && URL.canParse(url, 'https://page.example/');
  if (!isValid || !/^https?:$/u.test(new URL(url, 'https://page.example/').protocol)) {
    refuse('renderLogin', `${field} must be a URL of http or https, or a path`);
  }
  return url;
}

/** The path of a value in the styles: `styles.colors.primary`. */
const pathTo = (value: string, at: unknown, path: string): string | undefined =>
  isRecord(at)
    ? Object.entries(at)
        .map(([name, inner]) => pathTo(value, inner, `${path}.${name}`))
        .find(Boolean)
    : typeof at === 'string' && at.includes(value)
      ? path
      : undefined;

/** The colour as `themeOf` compares it. The markup is made where nothing can resolve a name or a function. */
function resolve(method: Method, styles: StyleConfig | undefined, color: string): string | null {
  if (VARIABLE.test(color)) return null;
  if (rgbOf(color) === null && !/^#(?:[\da-f]{4}|[\da-f]{8})$/iu.test(color)) {
    refuse(method, `${pathTo(color, styles, 'styles')} must be a hexadecimal colour or rgb(), not ${color}`);
  }
  return color;
}

function lookOf(method: Method, styles: StyleConfig | undefined): Theme & { readonly preset: Preset | undefined } {
  const warn = (message: string): void => {
    // A colour that cannot be read is ignored, as in the browser, which logs the warning.
    if (!message.includes('cannot be read')) refuse(method, message);
  };
  const asked = styles?.preset;
  const preset =
    typeof asked === 'string' ? presetNamed(asked, warn) : typeof asked?.sheets === 'function' ? asked : undefined;
  const isLogo = (url: string): boolean => safeImageUrl(url, 'https://page.example/') !== null;
  return { ...themeOf(styles, warn, { resolve: (color) => resolve(method, styles, color), isLogo, preset }), preset };
}

/** The first supported language of a tag or of an `Accept-Language` header (RFC 9110, section 12.5.4). */
function languageFrom(locale: string | undefined): Language | undefined {
  if (locale === undefined) return undefined;
  const wanted = locale
    .split(',')
    .map((entry) => {
      const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim());
      const weight = parameters.find((part) => part.startsWith('q='))?.slice(2);
      return { tag, weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight);
  return wanted.map(({ tag }) => languageOf(tag)).find((language) => language !== null) ?? 'en';
}

const escaped = (text: string): string => text.replace(/[&<>"]/gu, (char) => `&#${char.charCodeAt(0)};`);

const attributes = (values: Readonly<Record<string, string | null | undefined>>): string =>
  Object.entries(values)
    .map(([name, value]) => (value === null || value === undefined ? '' : ` ${name}="${escaped(value)}"`))
    .join('');

/**
 * The style sheet of a prerendered login with these styles, as the text of a file. Without styles it is the package's file
 * `portico/login.css`.
 *
 * Throws an `SDKUsageError` that names the field for styles that are not valid, and for colours other than hexadecimal and `rgb()`.
 */
export function loginStylesheet(options: StylesheetOptions = {}): string {
  check('loginStylesheet', options);
  const { tokens, preset } = lookOf('loginStylesheet', options.styles);
  const declarations = [...tokens].map(([name, value]) => `${name}:${value}`).join(';');
  const own = declarations === '' ? [] : [`[${TOKENS}]{${declarations}}`];
  return [base, prerendered, german, japanese, chinese, ...(preset?.sheets() ?? []), ...own].join('\n');
}

/** Nothing on a server takes time. */
const CLOCK = { now: () => 0, after: () => () => undefined };

/** The markup of the screen, and the links to images that React puts before it. */
function screenOf(
  { config = {}, styles, texts }: PrerenderOptions,
  language: Language | undefined,
  bootstrap: Bootstrap,
): readonly [links: string, screen: string] {
  const state = { ...INITIAL_STATE, bootstrap };
  const model = { clock: CLOCK, state$: NEVER, getState: () => state, send: () => undefined };
  const html = renderToString(
    <Widget model={model} config={config} styles={styles} strings={texts} language={language} />,
    { identifierPrefix: 'portico' },
  );
  const start = html.indexOf('<div data-portico=');
  // A form of this method sends nothing and leaves no page, whatever is pressed before the script is there.
  return [html.slice(0, start), html.slice(start).replaceAll('<form ', '<form method="dialog" ')];
}

/**
 * The first screen of the login as HTML, to be put into the element in which `mountLogin` mounts with the same options. With
 * `config.enableShadowDOM` it is a declarative shadow root. It contains no inline script and no inline style.
 *
 * Rejects with a `ConfigError` for a configuration that `mountLogin` would refuse, and with an `SDKUsageError` that names the field
 * for any other invalid option.
 */
export async function renderLogin(options: PrerenderOptions = {}): Promise<string> {
  check('renderLogin', options);
  const { styles, texts, locale, project = {} } = options;
  const config = Object.fromEntries(Object.entries(options.config ?? {}).filter(([, value]) => value !== null));
  checkConfig(config);
  if (options.config?.stepUp !== undefined) {
    refuse('renderLogin', 'config.stepUp opens on the second factor, which depends on the session: leave it out');
  }
  const wrong = unknownOption(project, Object.keys(PROJECT_SHAPE)) ?? wrongFields(PROJECT_SHAPE, project)[0]?.message;
  if (wrong !== undefined) refuse('renderLogin', `project: ${wrong}`);
  const stylesheet = urlOf('stylesheet', options.stylesheet ?? '/portico/login.css');
  const early = urlOf('early', options.early ?? '/portico/early.js');
  const { scheme, tokens, preset } = lookOf('renderLogin', styles);

  const language = languageFrom(locale);
  const spoken = language ?? 'en';
  await loadLocale(spoken);
  const [links, screen] = screenOf({ ...options, config }, language, { ...DEFAULT_BOOTSTRAP, ...project });

  const link = `<link${attributes({ rel: 'stylesheet', href: stylesheet, [HELPER]: '' })}>`;
  const look = {
    'data-portico-scheme': scheme,
    'data-portico-preset': preset?.name,
    [TOKENS]: tokens.size > 0 ? '' : null,
  };
  const outer = {
    [PRERENDERED]: fingerprint({ config, styles, strings: texts, language }),
    [PROJECT]: Object.keys(project).length > 0 ? JSON.stringify(project) : null,
  };
  const sentence = { 'data-portico-sentence': '', lang: spoken, dir: directionOf(spoken) };
  return [
    `<script${attributes({ src: early, [HELPER]: '' })}></script>`,
    // In front of a shadow root, too: custom properties are registered by sheets of the document alone.
    link,
    links,
    `<noscript${attributes({ [HELPER]: '' })}><p${attributes(sentence)}>${escaped(NO_SCRIPT[spoken])}</p></noscript>`,
    config['enableShadowDOM'] === true
      ? `<div${attributes(outer)}><template shadowrootmode="open">${link}<div${attributes(look)}>${screen}</div></template></div>`
      : `<div${attributes({ ...outer, ...look })}>${screen}</div>`,
  ].join('');
}
