import { NEVER } from 'rxjs';
import { DEFAULT_BOOTSTRAP } from '../../domain/project/bootstrap.ts';
import { INITIAL_STATE } from '../../domain/screens/widget-state.ts';
import { fingerprint, HELPER, idOf, PROJECT, TOKENS } from '../../domain/widget/fingerprint.ts';
import { directionOf, type Language } from '../../domain/widget/language.ts';
import { PRERENDERED } from '../../domain/widget/prerendered.ts';
import { checkConfig, type LoginConfig } from '../../domain/widget/widget-config.ts';
import { NO_SCRIPT } from '../../presentation/messages/noscript.ts';
import { Widget } from '../../presentation/Widget.tsx';
import { early, inlineSheetOf } from './inline.ts';
import { lookOf } from './look.ts';
import { refuse, urlOf, type PrerenderMethod, type PrerenderOptions } from './options.ts';

/** Nothing on a server takes time. */
const CLOCK = { now: () => 0, after: () => () => undefined };

interface Markup {
  readonly method: PrerenderMethod;
  readonly options: Omit<PrerenderOptions, 'locale' | 'id'>;
  /** Undefined where the host names none. Its texts must be loaded. */
  readonly language: Language | undefined;
  /** Letters and digits that no other login of the page has, where the page may contain several with the same options. */
  readonly suffix?: string | undefined;
  /** React 19 puts the link of the style sheet into the page's head, and waits for it before it shows a part that is streamed later. */
  readonly hasSheetInHead?: boolean;
}

const helper = { [HELPER]: '' };

/** The early script and the style sheet: links to files, or the texts themselves. */
function partsOf(method: PrerenderMethod, { styles, inline, ...files }: Markup['options'], hasSheetInHead: boolean) {
  if (inline === true) {
    const textOf = (text: string) => ({ ...helper, dangerouslySetInnerHTML: { __html: text } });
    const style = <style {...textOf(inlineSheetOf(method, styles))} />;
    return { script: <script {...textOf(early)} />, sheet: style, sheetOfPage: style };
  }
  const link = {
    rel: 'stylesheet',
    href: urlOf(method, 'stylesheet', files.stylesheet ?? '/portico/login.css'),
    ...helper,
  };
  return {
    script: <script src={urlOf(method, 'early', files.early ?? '/portico/early.js')} {...helper} />,
    sheet: <link {...link} />,
    sheetOfPage: <link {...link} precedence={hasSheetInHead ? 'portico' : undefined} />,
  };
}

/**
 * The first screen of the login, as a server renders it.
 *
 * @throws {ConfigError} for a configuration that `mountLogin` would refuse
 * @throws {SDKUsageError} that names the field for any other invalid option
 */
export function markupOf({ method, options, language, suffix, hasSheetInHead = false }: Markup) {
  const { styles, texts: strings, project = {} } = options;
  const config: LoginConfig = Object.fromEntries(
    Object.entries(options.config ?? {}).filter(([, value]) => value !== null),
  );
  checkConfig(config);
  if (config.stepUp !== undefined) {
    refuse(method, 'config.stepUp opens on the second factor, which depends on the session: leave it out');
  }
  const { scheme, tokens, preset } = lookOf(method, styles);
  const spoken = language ?? 'en';
  const print = [fingerprint({ config, styles, strings, language }), suffix].filter(Boolean).join('.');
  const state = { ...INITIAL_STATE, bootstrap: { ...DEFAULT_BOOTSTRAP, ...project } };
  const model = { clock: CLOCK, state$: NEVER, getState: () => state, send: () => undefined };

  const { script, sheet, sheetOfPage } = partsOf(method, options, hasSheetInHead);
  const look = {
    'data-portico-scheme': scheme ?? undefined,
    'data-portico-preset': preset?.name,
    [TOKENS]: tokens.size > 0 ? '' : undefined,
  };
  const outer = {
    [PRERENDERED]: print,
    [PROJECT]: Object.keys(project).length > 0 ? JSON.stringify(project) : undefined,
  };
  const widget = <Widget id={idOf(print)} {...{ model, config, styles, strings, language }} />;
  return (
    <>
      {script}
      {/* In front of a shadow root, too: custom properties are registered by sheets of the document alone. */}
      {sheetOfPage}
      <noscript {...helper}>
        <p data-portico-sentence="" lang={spoken} dir={directionOf(spoken)}>
          {NO_SCRIPT[spoken]}
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
