import { SDKUsageError } from '#domain/errors.ts';
import { isRecord, wrongFields, type Infer, type Shape } from '#domain/shape.ts';
import { PROJECT_SHAPE } from '#domain/widget/fingerprint.ts';
import { unknownOption } from '#domain/widget/option-names.ts';
import type { StyleConfig } from '#domain/widget/theme.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import type { StringOverrides } from '#presentation/messages/catalogue.ts';
import type { FirstScreenName } from '../first-screens.ts';

/** The project settings that the first screen shows. */
export type PrerenderedProject = Infer<typeof PROJECT_SHAPE>;

/** What the markup depends on, in addition to the options of the mount. */
export interface PrerenderSettings {
  /** The project's name, which is the logo's description, and whether the project shows the 'Powered by' link. */
  readonly project?: PrerenderedProject | undefined;
  /**
   * The URL of the text of `widgetStylesheet`, or for the login also of `portico/login.css`. Default: `/portico/` and the widget's name,
   * such as `/portico/login.css`.
   */
  readonly stylesheet?: string | undefined;
  /** The URL of `portico/early.js`. Default: `/portico/early.js`. */
  readonly early?: string | undefined;
  /**
   * The markup contains the style sheet and the early script, so that the form shows without a second request. The page's policy must allow
   * their hashes (`inlineHashes`), or inline elements. Default: false. It excludes `stylesheet` and `early`.
   */
  readonly inline?: boolean | undefined;
}

/** The `tokenType` in the URL of a reset mail's link. */
export interface PasswordResetPrerenderSettings extends PrerenderSettings {
  /** `login` if `stytch_token_type` in the page's URL is `login`: that link logs in. Default: `reset`. */
  readonly tokenType?: 'reset' | 'login' | undefined;
}

/** The options of `renderLogin` and the like. `config`, `styles`, `texts` and `locale` must equal those of the mount call. */
export interface PrerenderOptions<Config = LoginConfig> extends PrerenderSettings {
  /** The `config` of the mount call. */
  readonly config?: Config | undefined;
  /**
   * The `styles` of the mount call. Unless they are the default, `stylesheet` must be a file with `widgetStylesheet({ widget, styles })`.
   */
  readonly styles?: StyleConfig | undefined;
  /** The `strings` of the mount call. */
  readonly texts?: StringOverrides | undefined;
  /**
   * The `language` of the mount call: a language tag (BCP 47), or the value of an `Accept-Language` header, of which the first supported
   * language is used. English for others and by default.
   */
  readonly locale?: string | undefined;
  /**
   * Letters and digits that become a part of the ids in the markup. If a page has several widgets with the same options, each needs
   * different ones. Default: none.
   */
  readonly id?: string | undefined;
}

/** The options of `renderPasswordReset`. */
export interface PasswordResetPrerenderOptions extends PrerenderOptions, PasswordResetPrerenderSettings {}

/** The widgets that a server renders. */
export const PRERENDERED_WIDGETS = ['login', 'reset', 'passkeys', 'consent', 'account'] as const;
/** A widget that a server renders, by the name of its first screen. */
export type PrerenderedWidget = (typeof PRERENDERED_WIDGETS)[number];

/** The screen on which a widget starts. */
export const screenOf = (widget: PrerenderedWidget, tokenType: string | undefined): FirstScreenName =>
  widget === 'reset' && tokenType === 'login' ? 'reset-link' : widget;

/** The options of `loginStylesheet`. */
export interface StylesheetOptions {
  /** The `styles` of the mount call. */
  readonly styles?: StyleConfig | undefined;
}

/** The options of `widgetStylesheet` and `inlineHashes`. */
export interface WidgetStylesheetOptions extends StylesheetOptions {
  /** The widget of the markup. Default: `login`. */
  readonly widget?: PrerenderedWidget | undefined;
}

const PLACES = {
  project: 'object?',
  stylesheet: 'string?',
  early: 'string?',
  inline: 'boolean?',
} as const satisfies Shape;
const LOOK = { styles: 'object?' } as const satisfies Shape;
const MARKUP = { config: 'object?', texts: 'object?', locale: 'string?', id: 'string?', ...LOOK, ...PLACES } as const;

/** The default URL of the early script. */
export const DEFAULT_EARLY = '/portico/early.js';

/** The options of each function and component that renders on a server. */
const SHAPES = {
  renderLogin: MARKUP,
  renderPasswordReset: { ...MARKUP, tokenType: 'string?' },
  renderPasskeyRegistration: MARKUP,
  renderIdentityProvider: MARKUP,
  renderAccount: MARKUP,
  loginStylesheet: LOOK,
  widgetStylesheet: { ...LOOK, widget: 'string?' },
  inlineHashes: { ...LOOK, widget: 'string?' },
  'Login prerender': PLACES,
  'PasswordReset prerender': { ...PLACES, tokenType: 'string?' },
  'PasskeyRegistration prerender': PLACES,
  'IdentityProvider prerender': PLACES,
  'Account prerender': PLACES,
} as const satisfies Readonly<Record<string, Shape>>;
export type PrerenderMethod = keyof typeof SHAPES;

export const refuse = (method: PrerenderMethod, details: string): never => {
  throw new SDKUsageError(method, details);
};

const wrongIn = (value: unknown, shape: Shape): string | undefined =>
  unknownOption(value, Object.keys(shape)) ?? wrongFields(shape, isRecord(value) ? value : {})[0]?.message;

function oneOf(method: PrerenderMethod, field: string, value: unknown, choices: readonly string[]): void {
  if (typeof value === 'string' && !choices.includes(value))
    refuse(method, `${field} must be one of ${choices.join(', ')}`);
}

/** Throws for an unknown option and for one of the wrong type. */
export function checkOptions(method: PrerenderMethod, options: unknown): void {
  const wrong = wrongIn(options, SHAPES[method]);
  if (wrong !== undefined) refuse(method, wrong);
  const fields = isRecord(options) ? options : {};
  for (const file of ['stylesheet', 'early']) {
    if (fields['inline'] === true && fields[file] !== undefined)
      refuse(method, `${file} has no effect with inline: leave one of them out`);
  }
  const { project, id, tokenType, widget } = fields;
  oneOf(method, 'tokenType', tokenType, ['reset', 'login']);
  oneOf(method, 'widget', widget, PRERENDERED_WIDGETS);
  if (typeof id === 'string' && !/^[a-z\d]+$/iu.test(id)) refuse(method, 'id must consist of letters and digits');
  const wrongProject = project === undefined ? undefined : wrongIn(project, PROJECT_SHAPE);
  if (wrongProject !== undefined) refuse(method, `project: ${wrongProject}`);
}

/** A URL for an attribute of the markup: http, https, or relative to the page. */
export function urlOf(method: PrerenderMethod, field: 'stylesheet' | 'early', url: string): string {
  const isValid = url.trim() === url && url !== '' && URL.canParse(url, 'https://page.example/');
  if (!isValid || !/^https?:$/u.test(new URL(url, 'https://page.example/').protocol)) {
    refuse(method, `${field} must be a URL of http or https, or a path`);
  }
  return url;
}
