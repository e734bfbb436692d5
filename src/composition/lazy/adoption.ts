import type { ReactNode } from 'react';
import type { createRoot as CreateRoot, hydrateRoot as HydrateRoot, Root } from 'react-dom/client';
import { BehaviorSubject, map } from 'rxjs';
import type { WidgetModel } from '#application/widget/widget-model.ts';
import type { WidgetStore } from '#application/widget/widget-store.ts';
import { sameJson } from '#domain/json.ts';
import type { Screen } from '#domain/screens/screen.ts';
import { INITIAL_STATE, type WidgetState } from '#domain/screens/widget-state.ts';
import {
  differences,
  EARLY,
  fingerprint,
  idOf,
  HELPER,
  PROJECT,
  projectOf,
  SHEET_HASH,
  shortHash,
  TOKENS,
  WIDGET,
  type ScreenOptions,
} from '#domain/widget/fingerprint.ts';
import { PRERENDERED } from '#domain/widget/prerendered.ts';
import type { Language } from '#domain/widget/language.ts';
import type { StyleConfig } from '#domain/widget/theme.ts';
import { loadLocale, localeOf } from '#presentation/messages/language.ts';
import type { loadPart as LoadPart } from '#presentation/parts/load-part.ts';
import { partOf, type PartName } from '#presentation/parts/parts.ts';
import { loadPresets } from '#presentation/theme/apply-theme.ts';
import { adopt as adoptSheets, adoptions, texts, type Adoption } from '#presentation/theme/stylesheet.ts';
import type { EarlyScript } from '../early.ts';
import { FIRST_SCREENS, type FirstScreenName } from '../first-screens.ts';

/** The React root of a widget. While it adopts a server's markup, `model` provides a separate state. */
export interface WidgetTree extends Pick<Root, 'render' | 'unmount'> {
  readonly model?: WidgetModel;
  /** The prefix of the ids in the markup. */
  readonly id?: string;
}

/** A widget that is mounted on a server's markup, and what the page's start has loaded of the code. */
export interface PrerenderedMount {
  readonly host: Element | ShadowRoot;
  /** The element with the markup, which becomes the widget's outer element. */
  readonly markup: Element;
  /** The element in which React renders. */
  readonly container: HTMLElement;
  readonly store: WidgetStore;
  /** The latest options. */
  readonly options: () => ScreenOptions & { readonly styles?: StyleConfig };
  /** The language for an option. */
  readonly chooseLanguage: (tag: unknown) => Language | undefined;
  readonly warn: (message: string) => void;
  readonly loadPart: typeof LoadPart;
  readonly createRoot: typeof CreateRoot;
  readonly hydrateRoot: typeof HydrateRoot;
}

/** The state that the markup shows until it is adopted, then the state of the store. */
function holdState(
  store: WidgetStore,
  screen: Screen,
  project: object,
): { readonly model: WidgetModel; readonly release: () => void } {
  const { bootstrap } = store.getState();
  const rendered = { ...INITIAL_STATE.bootstrap, ...project };
  // Until the server sends the project's settings, those of the markup stay, so that nothing disappears in between.
  const isUnknown = sameJson(bootstrap, INITIAL_STATE.bootstrap);
  const withBootstrap = (state: WidgetState): WidgetState =>
    isUnknown && state.bootstrap === bootstrap ? { ...state, bootstrap: rendered } : state;
  const subject = new BehaviorSubject<WidgetState>({ ...INITIAL_STATE, screen, bootstrap: rendered });
  return {
    model: {
      clock: store.clock,
      rules: store.rules,
      state$: subject,
      getState: () => subject.value,
      send: (intent) => store.send(intent),
    },
    release: () => void store.state$.pipe(map(withBootstrap)).subscribe(subject),
  };
}

const none = (): void => undefined;

const tokenTypeOf = (screen: Screen): string | null => ('tokenType' in screen ? screen.tokenType : null);

/** The screen of the markup, if the widget is on it, and the part that contains it. */
function renderedScreen(markup: Element, { screen: now }: WidgetState) {
  const name = markup.getAttribute(WIDGET) ?? 'login';
  const first = Object.hasOwn(FIRST_SCREENS, name) ? FIRST_SCREENS[name as FirstScreenName] : null;
  // Another widget, and a login that continues after a reload, show another screen.
  const isShown = first?.screen.name === now.name && tokenTypeOf(first.screen) === tokenTypeOf(now);
  return isShown ? first : null;
}

/**
 * The elements with the style sheet, which the widget can use instead of a copy. None if the sheet is from another version, or React put it
 * into the page's head for several logins.
 */
function sheetsOf(host: ParentNode, markup: Element, container: Element): readonly Element[] {
  const widget = container.querySelector('[data-portico]');
  if (widget === null) return [];
  const page = markup.ownerDocument;
  if (getComputedStyle(widget).getPropertyValue(SHEET_HASH) !== shortHash(texts[0] ?? '')) return [];
  const isOnly = page.querySelectorAll(`[${PRERENDERED}]`).length === 1;
  return [host, markup.shadowRoot, isOnly ? page.head : null].flatMap((root) => [
    ...(root?.querySelectorAll(`:is(link, style)[${HELPER}]`) ?? []),
  ]);
}

/**
 * Keeps the elements as the widget's first sheet while it is the only widget of the root, because each change of the sheets makes the
 * browser compute every style again. They may leave the page with the widget, so another widget gets its own sheet.
 *
 * @returns the elements that stay
 */
function keep(root: Document | ShadowRoot, elements: readonly Element[]): readonly Element[] {
  if (elements.length === 0 || !('adoptedStyleSheets' in root) || adoptions.has(root)) return [];
  const adoption: Adoption = { root, sheets: [], users: 0 };
  adoption.replace = () => {
    adoption.replace = undefined;
    for (const element of elements) element.remove();
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((sheet) => !adoption.sheets.includes(sheet));
    adoption.sheets.length = 0;
    adoptSheets(adoption, texts);
  };
  adoptions.set(root, adoption);
  if (texts.length > 1) adoptSheets(adoption, texts.slice(1));
  return elements;
}

/** Removes the parts of the markup that a page needs only before the widget has loaded, except those that stay with the widget. */
function forget(host: ParentNode, markup: Element, container: Element, stays: readonly Element[]): void {
  container.removeAttribute(TOKENS);
  for (const attribute of [PRERENDERED, PROJECT, WIDGET]) markup.removeAttribute(attribute);
  // React puts the link of the style sheet into the page's head, for all logins of the page.
  const page = markup.ownerDocument;
  const roots = [host, markup.shadowRoot, page.querySelector(`[${PRERENDERED}]`) ? null : page.head];
  for (const root of roots) {
    for (const helper of root?.querySelectorAll(`[${HELPER}]`) ?? []) {
      if (stays.includes(helper)) helper.removeAttribute(HELPER);
      else helper.remove();
    }
  }
}

/** The elements of the markup outside the container, because the options have another shadow root than the markup, or none. */
function clear(markup: Element, container: Element): void {
  if (container.parentNode === markup.shadowRoot) markup.replaceChildren();
  else markup.shadowRoot?.replaceChildren(document.createElement('slot'));
}

/** Loads the part with a screen, and whatever else its first rendering needs. */
async function loadScreen(part: PartName | null | undefined, language: Language, loadPart: typeof LoadPart) {
  if (!part) return;
  await loadPart(part);
  if (part === 'account') await partOf(part)?.loadTexts(language);
}

/** Passes the text of a field to its form, which did not receive text from before the script. */
function tell(field: HTMLInputElement): void {
  const { value, selectionStart, selectionEnd } = field;
  if (value === '') return;
  // React compares with the text that was last set as the field's value.
  field.value = '';
  field.setRangeText(value);
  field.setSelectionRange(selectionStart, selectionEnd);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** React renders the changes of a click in a microtask, before the next frame. It does other work in a later task. */
function inOneTask(act: () => void): void {
  const target = document.createElement('div');
  target.addEventListener('click', act);
  target.dispatchEvent(new Event('click'));
}

/**
 * Takes over the widget that a server or a build rendered into the host's element. If the options are the same, it hydrates the widget;
 * otherwise it renders the widget in its place and logs a warning. It waits for the texts of the language, the preset and the part with the
 * screen, so that the first rendering equals the markup. The returned root makes the change in its first rendering, without a frame in
 * between.
 */
export async function adopt({
  host,
  markup,
  container,
  store,
  options,
  chooseLanguage,
  warn,
  loadPart,
  createRoot,
  hydrateRoot,
}: PrerenderedMount): Promise<WidgetTree> {
  const { styles, language } = options();
  const spoken = chooseLanguage(language) ?? 'en';
  await Promise.all([
    loadLocale(spoken).catch(() => undefined),
    typeof styles?.preset === 'string' ? new Promise<void>(loadPresets) : undefined,
    loadScreen(renderedScreen(markup, store.getState())?.part, spoken, loadPart).catch(() => undefined),
  ]);

  const now = options();
  const print = fingerprint({ ...now, language: chooseLanguage(now.language) });
  const rendered = markup.getAttribute(PRERENDERED) ?? '';
  const different = differences(rendered, print);
  if (different.length > 0) {
    warn(`The prerendered login differs from the mounted one in ${different.join(', ')}, so it was rendered again.`);
  }
  const entry = renderedScreen(markup, store.getState());
  // Code that has already loaded adds to the first screen of the login.
  const isLoaded = entry !== null && (entry.part === null ? partOf('login') === null : partOf(entry.part) !== null);
  const isSame = different.length === 0 && isLoaded && localeOf(spoken) !== null;

  const { model, release } = isSame
    ? holdState(store, entry.screen, projectOf(markup.getAttribute(PROJECT)))
    : { model: store, release: none };
  const sheets = keep(container.getRootNode() as Document | ShadowRoot, sheetsOf(host, markup, container));
  let root: Root | undefined;
  const first = (node: ReactNode): Root => {
    const early = (globalThis as unknown as Record<symbol, EarlyScript | undefined>)[Symbol.for(EARLY)];
    const finish = early?.(markup);
    if (!isSame) clear(markup, container);
    const done = (): void => {
      release();
      forget(host, markup, container, sheets);
      container.querySelectorAll<HTMLInputElement>('input:is([type=tel],[type=password])').forEach(tell);
      finish?.(container);
    };
    queueMicrotask(() => queueMicrotask(done));
    if (isSame) return hydrateRoot(container, node);
    const fresh = createRoot(container);
    fresh.render(node);
    return fresh;
  };
  return {
    id: idOf(rendered),
    model,
    render(node) {
      if (root) root.render(node);
      else inOneTask(() => (root = first(node)));
    },
    unmount: () => root?.unmount(),
  };
}
