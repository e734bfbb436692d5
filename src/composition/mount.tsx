import { createRoot, hydrateRoot } from 'react-dom/client';
import { codeLoad } from '../domain/code-loads.ts';
import type { Observable } from 'rxjs';
import { changesOf } from '../application/changes.ts';
import type { StartServices } from '../application/services.ts';
import type { WidgetStore } from '../application/widget/widget-store.ts';
import type { MountedWidget } from '../application/widget/widgets.ts';
import type { WidgetCallbacks, WidgetOptions } from '../application/widget/widget-options.ts';
import type { Screen } from '../domain/screens/screen.ts';
import { isRecord } from '../domain/shape.ts';
import { PRERENDERED } from '../domain/widget/prerendered.ts';
import type { StyleConfig } from '../domain/widget/theme.ts';
import type { LoginConfig } from '../domain/widget/widget-config.ts';
import type { StringOverrides } from '../presentation/messages/catalogue.ts';
import { applyTheme } from '../presentation/theme/apply-theme.ts';
import { followRoot } from '../presentation/theme/stylesheet.ts';
import { Widget } from '../presentation/Widget.tsx';
import { keepFromForm, keepTypedKeys } from '../presentation/hooks/keys.ts';
import { isFocusLeft, leaveFocus } from '../presentation/hooks/left-focus.ts';
import { loadPart } from '../presentation/parts/load-part.ts';
import { languageChoice } from '../presentation/messages/language.ts';
import type { WidgetTree } from './lazy/adoption.ts';

/** Options of every widget. */
export interface MountOptions {
  /** A CSS selector, such as `#login`, or the element itself. A shadow root is an element here. */
  readonly elementId: string | Element | ShadowRoot;
  /** The look of the widget. */
  readonly styles?: StyleConfig;
  /** Functions that the widget calls for its events. */
  readonly callbacks?: WidgetCallbacks;
  /** Texts that replace those of the catalogue. */
  readonly strings?: StringOverrides;
  /**
   * The language of the texts (not in the reference client). The default is `en`; `auto` uses the language of the page, else
   * the browser's. English replaces unknown languages.
   */
  readonly language?: string;
}

/** A mounted widget. */
export interface WidgetHandle {
  /** The current screen, then every change of it. */
  readonly screen$: Observable<Screen>;
  /** Removes the widget from the page and stops it. It can be called twice. */
  unmount(): void;
}

/** One of the five widgets. */
export interface WidgetKind<Options extends WidgetOptions = WidgetOptions> {
  readonly name: string;
  readonly make: (services: StartServices, options: Options) => MountedWidget<Options>;
}

export interface ConfiguredOptions extends MountOptions {
  readonly config?: LoginConfig | undefined;
}

/** The options for the widget, also with unknown ones, of which the developer is warned. */
export type InnerOptions<Options> = Omit<Options, keyof WidgetOptions> & WidgetOptions;

/** Null values of the configuration count as not given. */
function innerOf<Options extends ConfiguredOptions>(options: Options): InnerOptions<Options> {
  const config = Object.fromEntries(Object.entries(options.config ?? {}).filter(([, value]) => value !== null));
  return { ...options, config, callbacks: options.callbacks ?? {} };
}

/** The widgets of one client. */
type Owner = Set<WidgetHandle>;

interface MountedInstance extends WidgetHandle {
  readonly owner: Owner;
  readonly kind: string;
  /** For the inspector. */
  readonly store: WidgetStore;
  readonly shadow: boolean;
  readonly outer: Element;
  render(options: MountOptions): void;
}

/** The property in which an element remembers its widget, shared by all copies of the package. */
const MOUNTED = Symbol.for('portico.mounted');
type Host = (Element | ShadowRoot) & { [MOUNTED]?: MountedInstance };

function find(selector: MountOptions['elementId']): Host {
  if (isElement(selector)) return selector;
  let element: Element | null = null;
  try {
    element = document.querySelector(selector);
  } catch {
    // An invalid selector finds no element.
  }
  if (element === null) {
    const hint = document.getElementById(selector) ? `. Did you mean '#${selector}'?` : '';
    throw new Error(`Cannot mount the widget: no element matches elementId: ${selector}${hint}`);
  }
  return element;
}

/** An element of another window is no instance of this window's classes. */
const isElement = (value: unknown): value is Element | ShadowRoot => isRecord(value) && 'innerHTML' in value;

/**
 * Mounts for `owner`, a client's widgets. If the element contains a widget of the same owner and kind, it is rendered
 * again; any other widget is replaced.
 */
export function mount<Options extends ConfiguredOptions>(
  owner: Owner,
  kind: WidgetKind<InnerOptions<Options>>,
  options: Options,
  services: StartServices,
): WidgetHandle {
  // A mount without arguments is refused as one without an element.
  const host = find((options as Partial<Options> | undefined)?.elementId as Options['elementId']);
  const shadow = options.config?.enableShadowDOM === true;
  const present = host[MOUNTED];
  if (
    present?.owner === owner &&
    present.kind === kind.name &&
    present.shadow === shadow &&
    // A host may have emptied the element.
    present.outer.parentNode === host
  ) {
    present.render(options);
    return present;
  }
  present?.unmount();
  return new PageWidget(owner, kind, host, options, services, shadow);
}

/** A widget in a page: its elements, the React tree in them, and the options of the last call. */
class PageWidget<Options extends ConfiguredOptions> implements MountedInstance {
  readonly kind: string;
  readonly store: WidgetStore;
  readonly screen$: Observable<Screen>;
  readonly outer: Element;
  private readonly container: HTMLElement;
  private readonly widget: MountedWidget<InnerOptions<Options>>;
  private readonly takesFocus = isFocusLeft();
  private readonly warnings: string[] = [];
  /** Logs a warning once: each render finds the same mistakes. */
  private readonly warn = (message: string): void => {
    if (this.warnings.includes(message)) return;
    this.warnings.push(message);
    this.services.log.warn(message);
  };
  private readonly chooseLanguage = languageChoice(this.warn);
  private tree: WidgetTree | undefined;
  /** Prerendered markup has its own style sheet until the widget takes it over. */
  private dropStyles: (() => void) | undefined;
  private isUsed = false;
  private isGone = false;
  private moves = 0;

  constructor(
    readonly owner: Owner,
    kind: WidgetKind<InnerOptions<Options>>,
    private readonly host: Host,
    private options: Options,
    private readonly services: StartServices,
    readonly shadow: boolean,
  ) {
    const div = (): HTMLElement => host.ownerDocument.createElement('div');
    // Markup of a server shows until the code that takes it over has loaded.
    const markup = host.querySelector<HTMLElement>(`[${PRERENDERED}]`);
    const outer = markup ?? div();
    const root = shadow ? (outer.shadowRoot ?? outer.attachShadow({ mode: 'open' })) : null;
    this.outer = outer;
    this.container = root ? (root.querySelector('div') ?? root.appendChild(div())) : outer;
    if (!markup) host.append(outer);
    keepTypedKeys(outer);
    keepFromForm(outer);

    this.kind = kind.name;
    this.widget = kind.make(services, innerOf(options));
    this.store = this.widget.store;
    this.screen$ = changesOf(this.store.state$, ({ screen }) => screen);
    if (markup) this.adopt(markup);
    else this.show(createRoot(this.container));
    host[MOUNTED] = this;
    owner.add(this);
  }

  /** A function of its own, which a host may take from the handle. */
  readonly render = (options: Options): void => {
    this.options = options;
    const inner = innerOf(options);
    this.widget.configure(inner);
    if (!this.tree) return;
    const { styles, strings } = options;
    applyTheme(this.container, styles, this.warn, () => this.isGone || this.render(this.options));
    this.judge();
    const language = this.chooseLanguage(options.language);
    const { config } = inner;
    const { takesFocus, moves, onUse } = this;
    const { id, model = this.store } = this.tree;
    this.tree.render(<Widget {...{ id, model, config, styles, strings, language, onUse, takesFocus, moves }} />);
  };

  /** As `render`, a function of its own. */
  readonly unmount = (): void => {
    if (this.isGone) return;
    this.isGone = true;
    delete this.host[MOUNTED];
    this.owner.delete(this);
    this.widget.destroy();
    leaveFocus(this.outer);
    this.outer.remove();
    this.dropStyles?.();
    // A host may unmount in an effect, while React renders; a root must not be unmounted then.
    queueMicrotask(() => this.tree?.unmount());
  };

  private readonly onUse = (): void => {
    this.isUsed = true;
    this.widget.prepare();
    this.judge();
  };

  /**
   * Warns of wrong options, of unknown keys, and of a preset that does not show. The code is the login's, after the form has been painted;
   * without it there is no warning.
   */
  private judge(): void {
    if (this.isUsed)
      codeLoad(import('./lazy/option-mistakes.ts'))
        .then(({ warnOfMistakes }) => warnOfMistakes(this.kind, this.options, this.widget, this.container, this.warn))
        .catch(() => undefined);
  }

  private show(tree: WidgetTree): void {
    this.tree = tree;
    this.dropStyles = followRoot(this.host, this.container, () => {
      this.moves += 1;
      this.render(this.options);
    });
    if (this.isGone) this.dropStyles();
    else this.render(this.options);
  }

  /** Takes over the markup of a server. */
  private adopt(markup: HTMLElement): void {
    const { host, container, store, chooseLanguage, warn } = this;
    this.widget.prepare();
    void codeLoad(import('./lazy/adoption.ts'))
      .then(async ({ adopt }) =>
        adopt({
          host,
          markup,
          container,
          store,
          options: () => this.options,
          chooseLanguage,
          warn,
          loadPart,
          createRoot,
          hydrateRoot,
        }),
      )
      .catch(() => {
        // The early script stops presses as long as the markup has this mark.
        markup.removeAttribute(PRERENDERED);
        return createRoot(container);
      })
      .then((tree) => this.show(tree));
  }
}
