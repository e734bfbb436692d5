import { SDKUsageError } from '../../domain/errors.ts';
import { isRecord, wrongFields, type Infer, type Shape } from '../../domain/shape.ts';
import { PROJECT_SHAPE } from '../../domain/widget/fingerprint.ts';
import { unknownOption } from '../../domain/widget/option-names.ts';
import type { StyleConfig } from '../../domain/widget/theme.ts';
import type { LoginConfig } from '../../domain/widget/widget-config.ts';
import type { StringOverrides } from '../../presentation/messages/catalogue.ts';

/** What the first screen shows of the project's settings. */
export type PrerenderedProject = Infer<typeof PROJECT_SHAPE>;

/** What the markup refers to, beside the options of the mount. */
export interface PrerenderPlaces {
  /** The project's name, which is the description of the logo, and whether the project shows the 'Powered by' link. */
  readonly project?: PrerenderedProject | undefined;
  /** The URL at which the page finds `portico/login.css`, or the text of `loginStylesheet`. Default: `/portico/login.css`. */
  readonly stylesheet?: string | undefined;
  /** The URL at which the page finds `portico/early.js`. Default: `/portico/early.js`. */
  readonly early?: string | undefined;
  /**
   * The markup contains the style sheet and the early script, so that the form shows without a second request. The page's policy must
   * allow their hashes (`inlineHashes`), or inline elements. Default: false. It excludes `stylesheet` and `early`.
   */
  readonly inline?: boolean | undefined;
}

/** The options of `renderLogin`. `config`, `styles`, `texts` and `locale` must equal those of `mountLogin`. */
export interface PrerenderOptions extends PrerenderPlaces {
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
  /**
   * Letters and digits that become a part of the ids in the markup. A page with several logins of the same options gives each another
   * one. Default: none.
   */
  readonly id?: string | undefined;
}

/** The options of `loginStylesheet` and `inlineHashes`. */
export interface StylesheetOptions {
  /** The `styles` of `mountLogin`. */
  readonly styles?: StyleConfig | undefined;
}

const PLACES = {
  project: 'object?',
  stylesheet: 'string?',
  early: 'string?',
  inline: 'boolean?',
} as const satisfies Shape;
const LOOK = { styles: 'object?' } as const satisfies Shape;

/** The options of each function and component that renders on a server. */
const SHAPES = {
  renderLogin: { config: 'object?', texts: 'object?', locale: 'string?', id: 'string?', ...LOOK, ...PLACES },
  loginStylesheet: LOOK,
  inlineHashes: LOOK,
  'Login prerender': PLACES,
} as const satisfies Readonly<Record<string, Shape>>;
export type PrerenderMethod = keyof typeof SHAPES;

export const refuse = (method: PrerenderMethod, details: string): never => {
  throw new SDKUsageError(method, details);
};

const wrongIn = (value: unknown, shape: Shape): string | undefined =>
  unknownOption(value, Object.keys(shape)) ?? wrongFields(shape, isRecord(value) ? value : {})[0]?.message;

/** Throws for an unknown option and for one of the wrong type. */
export function checkOptions(method: PrerenderMethod, options: unknown): void {
  const wrong = wrongIn(options, SHAPES[method]);
  if (wrong !== undefined) refuse(method, wrong);
  const given = isRecord(options) ? options : {};
  for (const file of ['stylesheet', 'early']) {
    if (given['inline'] === true && given[file] !== undefined)
      refuse(method, `${file} has no effect with inline: leave one of them out`);
  }
  const { project, id } = given;
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
