import { createRoot, hydrateRoot } from 'react-dom/client';
import { codeLoad } from '#domain/code-loads.ts';
import type { Observable } from 'rxjs';
import { changesOf } from '#application/changes.ts';
import type { LogPort } from '#application/ports/index.ts';
import type { StartServices } from '#application/services.ts';
import type { WidgetStore } from '#application/widget/widget-store.ts';
import type { MountedWidget } from '#application/widget/widgets.ts';
import type { WidgetCallbacks, WidgetOptions } from '#application/widget/widget-options.ts';
import type { Screen } from '#domain/screens/screen.ts';
import { isRecord } from '#domain/shape.ts';
import { PRERENDERED } from '#domain/widget/prerendered.ts';
import type { StyleConfig } from '#domain/widget/theme.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import type { StringOverrides } from '#presentation/messages/catalogue.ts';
import { applyTheme } from '#presentation/theme/apply-theme.ts';
import { followRoot } from '#presentation/theme/stylesheet.ts';
import { Widget } from '#presentation/Widget.tsx';
import { keepFromForm, keepTypedKeys } from '#presentation/hooks/keys.ts';
import { isFocusLeft, leaveFocus } from '#presentation/hooks/left-focus.ts';
import { loadPart } from '#presentation/parts/load-part.ts';
import { languageChoice } from '#presentation/messages/language.ts';
import type { PrerenderedMount, WidgetTree } from './lazy/adoption.ts';
import type { KindName } from './lazy/option-mistakes.ts';

/** Options of every widget. */
export interface MountOptions {
  /** A CSS selector, such as `#login`, or the element itself. A shadow root is an element here. */
  readonly elementId: string | Element | ShadowRoot;
  /** The look of the widget. */
  readonly styles?: StyleConfig;
  /** Functions that the widget calls for its events. */
  readonly callbacks?: WidgetCallbacks;
  /** Texts that replace the built-in ones, by their keys, which `docs/text-keys.md` lists. */
  readonly strings?: StringOverrides;
  /**
   * The language of the texts (not in the reference client). The default is `en`; `auto` uses the language of the page, else
   * the browser's. English replaces unknown languages. Emails and text messages have the `locale` of `otpOptions`,
   * `emailMagicLinksOptions` and `passwordOptions` instead.
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
  readonly name: KindName;
  readonly make: (services: StartServices, options: Options) => MountedWidget<Options>;
}

export interface ConfiguredOptions extends MountOptions {
  readonly config?: LoginConfig | undefined;
}

/** The options for the widget, including unknown ones, about which the developer gets a warning. */
export type InnerOptions<Options> = Omit<Options, keyof WidgetOptions> & WidgetOptions;

/** Null values in the configuration count as omitted. */
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

/** The property in which an element stores its widget, shared by all copies of the package. */
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
  // A mount without arguments is refused like one without an element.
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
  return mountNew(owner, kind, host, options, services, shadow);
}

/** The elements of a widget. Markup of a server shows until the code that takes it over has loaded. */
function placeIn(host: Host, shadow: boolean) {
  const div = (): HTMLElement => host.ownerDocument.createElement('div');
  const markup = host.querySelector<HTMLElement>(`[${PRERENDERED}]`);
  const outer = markup ?? div();
  const root = shadow ? (outer.shadowRoot ?? outer.attachShadow({ mode: 'open' })) : null;
  const container = root ? (root.querySelector('div') ?? root.appendChild(div())) : outer;
  if (!markup) host.append(outer);
  keepTypedKeys(outer);
  keepFromForm(outer);
  return { markup, outer, container };
}

/** Logs each warning once: every render finds the same mistakes. */
function warnOnce(log: LogPort): (message: string) => void {
  const messages: string[] = [];
  return (message) => {
    if (messages.includes(message)) return;
    messages.push(message);
    log.warn(message);
  };
}

/** The tree that has taken over the markup; without its code, a new tree. */
const treeOver = async (
  place: Omit<PrerenderedMount, 'loadPart' | 'createRoot' | 'hydrateRoot'>,
): Promise<WidgetTree> =>
  codeLoad(import('./lazy/adoption.ts'))
    .then(async ({ adopt }) => adopt({ ...place, loadPart, createRoot, hydrateRoot }))
    .catch(() => {
      // The early script stops presses as long as the markup has this mark.
      place.markup.removeAttribute(PRERENDERED);
      return createRoot(place.container);
    });

function mountNew<Options extends ConfiguredOptions>(
  owner: Owner,
  kind: WidgetKind<InnerOptions<Options>>,
  host: Host,
  first: Options,
  services: StartServices,
  shadow: boolean,
): MountedInstance {
  const { markup, outer, container } = placeIn(host, shadow);
  const widget = kind.make(services, innerOf(first));
  const { store } = widget;
  const warn = warnOnce(services.log);
  const takesFocus = isFocusLeft();
  const chooseLanguage = languageChoice(warn);
  let tree: WidgetTree | undefined;
  /** Markup has its own style sheet until the widget takes it over. */
  let dropStyles: (() => void) | undefined;
  let isUsed = false;
  let isGone = false;
  let last = first;
  let moves = 0;

  /**
   * Warns of wrong options, of unknown keys, and of a preset that does not show. The code is the login's, after the form has been painted;
   * without it there is no warning.
   */
  const judge = (): void => {
    if (isUsed)
      codeLoad(import('./lazy/option-mistakes.ts'))
        .then(({ warnOfMistakes }) => warnOfMistakes(kind.name, last, widget, container, warn))
        .catch(() => undefined);
  };
  const onUse = (): void => {
    isUsed = true;
    widget.prepare();
    judge();
  };
  const render = (options: Options): void => {
    last = options;
    const inner = innerOf(options);
    widget.configure(inner);
    if (!tree) return;
    const { styles, strings } = options;
    applyTheme(container, styles, warn, () => isGone || render(last));
    judge();
    const language = chooseLanguage(options.language);
    const { config } = inner;
    const { id, model = store } = tree;
    tree.render(<Widget {...{ id, model, config, styles, strings, language, onUse, takesFocus, moves }} />);
  };
  const show = (newTree: WidgetTree): void => {
    tree = newTree;
    dropStyles = followRoot(host, container, () => {
      moves += 1;
      render(last);
    });
    if (isGone) dropStyles();
    else render(last);
  };
  const unmount = (): void => {
    if (isGone) return;
    isGone = true;
    delete host[MOUNTED];
    owner.delete(mounted);
    widget.destroy();
    leaveFocus(outer);
    outer.remove();
    dropStyles?.();
    // A host may unmount in an effect, while React renders; a root must not be unmounted then.
    queueMicrotask(() => tree?.unmount());
  };

  if (markup) {
    widget.prepare();
    void treeOver({ host, markup, container, store, options: () => last, chooseLanguage, warn }).then(show);
  } else show(createRoot(container));
  const screen$ = changesOf(store.state$, ({ screen }) => screen);
  const mounted: MountedInstance = { owner, kind: kind.name, store, shadow, outer, screen$, unmount, render };
  host[MOUNTED] = mounted;
  owner.add(mounted);
  return mounted;
}
