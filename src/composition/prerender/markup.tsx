import { NEVER } from 'rxjs';
import { DEFAULT_BOOTSTRAP } from '#domain/project/bootstrap.ts';
import { INITIAL_STATE } from '#domain/screens/widget-state.ts';
import { fingerprint, HELPER, idOf, PROJECT, TOKENS, WIDGET } from '#domain/widget/fingerprint.ts';
import { directionOf, type Language } from '#domain/widget/language.ts';
import { PRERENDERED } from '#domain/widget/prerendered.ts';
import { checkConfig, type LoginConfig } from '#domain/widget/widget-config.ts';
import { NO_SCRIPT, NO_SCRIPT_PAGE } from '#presentation/messages/noscript.ts';
import { Widget } from '#presentation/Widget.tsx';
import { FIRST_SCREENS, type FirstScreenName } from '../first-screens.ts';
import { early, inlineSheetOf } from './inline.ts';
import { lookOf } from './look.ts';
import { DEFAULT_EARLY, refuse, urlOf, type PrerenderMethod, type PrerenderOptions } from './options.ts';
import { WithParts } from './server-parts.ts';

/** On a server time does not advance. */
const CLOCK = { now: () => 0, after: () => () => undefined };

interface Markup {
  readonly method: PrerenderMethod;
  readonly widget: FirstScreenName;
  readonly options: Omit<PrerenderOptions, 'locale' | 'id'>;
  /** Undefined if the host sets none. Its texts must be loaded. */
  readonly language: Language | undefined;
  /** Letters and digits that differ from those of all other widgets of the page, if it can contain several with the same options. */
  readonly suffix?: string | undefined;
  /** React 19 moves the link of the style sheet into the page's head, and waits for it before it shows a part that is streamed later. */
  readonly hasSheetInHead?: boolean;
}

const helper = { [HELPER]: '' };

/** The name of a widget's style sheet. */
const fileOf = (widget: FirstScreenName): string => `${widget === 'reset-link' ? 'reset' : widget}.css`;

/** The early script and the style sheet: links to files, or the texts themselves. */
function partsOf({ method, widget, options: { styles, inline, ...files }, hasSheetInHead = false }: Markup) {
  if (inline === true) {
    const textOf = (text: string) => ({ ...helper, dangerouslySetInnerHTML: { __html: text } });
    const style = <style {...textOf(inlineSheetOf(method, widget, styles))} />;
    return { script: <script {...textOf(early)} />, sheet: style, sheetOfPage: style };
  }
  const link = {
    rel: 'stylesheet',
    href: urlOf(method, 'stylesheet', files.stylesheet ?? `/portico/${fileOf(widget)}`),
    ...helper,
  };
  return {
    script: <script src={urlOf(method, 'early', files.early ?? DEFAULT_EARLY)} {...helper} />,
    sheet: <link {...link} />,
    sheetOfPage: <link {...link} precedence={hasSheetInHead ? 'portico' : undefined} />,
  };
}

/** Configurations that the mount call checks. */
const CHECKED: ReadonlySet<FirstScreenName> = new Set(['login', 'reset', 'reset-link']);

/**
 * The first screen of a widget, as a server renders it.
 *
 * @throws {ConfigError} for a configuration that the mount call would refuse
 * @throws {SDKUsageError} that names the field for any other invalid option
 */
export function markupOf(markup: Markup) {
  const { method, widget: name, options, language, suffix } = markup;
  const { styles, texts: strings, project = {} } = options;
  const config: LoginConfig = Object.fromEntries(
    Object.entries(options.config ?? {}).filter(([, value]) => value !== null),
  );
  if (CHECKED.has(name)) checkConfig(config);
  if (name === 'login' && config.stepUp !== undefined) {
    refuse(method, 'config.stepUp opens on the second factor, which depends on the session: leave it out');
  }
  const { scheme, tokens, preset } = lookOf(method, styles);
  const spoken = language ?? 'en';
  const isLogin = name === 'login';
  // Widgets of two kinds with the same options have different ids.
  const own = `${isLogin ? '' : name.replace('-', '')}${suffix ?? ''}`;
  const print = [fingerprint({ config, styles, strings, language }), own].filter(Boolean).join('.');
  const { screen } = FIRST_SCREENS[name];
  const state = { ...INITIAL_STATE, screen, bootstrap: { ...DEFAULT_BOOTSTRAP, ...project } };
  const rules = { value: () => null, load: async () => undefined };
  const model = { clock: CLOCK, rules, state$: NEVER, getState: () => state, send: () => undefined };

  const { script, sheet, sheetOfPage } = partsOf(markup);
  const look = {
    'data-portico-scheme': scheme ?? undefined,
    'data-portico-preset': preset?.name,
    [TOKENS]: tokens.size > 0 ? '' : undefined,
  };
  const outer = {
    [PRERENDERED]: print,
    [WIDGET]: isLogin ? undefined : name,
    [PROJECT]: Object.keys(project).length > 0 ? JSON.stringify(project) : undefined,
  };
  const widget = (
    <WithParts name={name}>
      <Widget id={idOf(print)} {...{ model, config, styles, strings, language }} />
    </WithParts>
  );
  return (
    <>
      {script}
      {/* In front of a shadow root, too: custom properties are registered by sheets of the document alone. */}
      {sheetOfPage}
      <noscript {...helper}>
        <p data-portico-sentence="" lang={spoken} dir={directionOf(spoken)}>
          {(isLogin ? NO_SCRIPT : NO_SCRIPT_PAGE)[spoken]}
        </p>
      </noscript>
      {config.enableShadowDOM === true ? (
        <div {...outer}>
          <template {...{ shadowrootmode: 'open' }}>
            {sheet}
            <div {...look}>{widget}</div>
          </template>
        </div>
      ) : (
        <div {...outer} {...look}>
          {widget}
        </div>
      )}
    </>
  );
}
