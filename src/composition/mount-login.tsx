import { createRoot } from 'react-dom/client';
import { distinctUntilChanged, map, type Observable } from 'rxjs';
import { LoginWidget, type LoginWidgetParts, type WidgetCallbacks } from '../application/widget/login-widget.ts';
import type { Screen } from '../domain/screens/screen.ts';
import type { StyleConfig } from '../domain/theme.ts';
import { checkConfig, type LoginConfig } from '../domain/widget-config.ts';
import type { StringOverrides } from '../presentation/messages/catalogue.ts';
import { applyTheme } from '../presentation/theme/apply-theme.ts';
import { adoptStyles } from '../presentation/theme/stylesheet.ts';
import { Widget } from '../presentation/Widget.tsx';

export interface MountLoginOptions {
  /** A CSS selector, such as `#login`. */
  readonly elementId: string;
  readonly config: LoginConfig;
  readonly styles?: StyleConfig;
  readonly callbacks?: WidgetCallbacks;
  /** Texts in place of the catalogue's. */
  readonly strings?: StringOverrides;
}

/** A mounted widget. */
export interface WidgetHandle {
  /** The screen that shows now, then every other. */
  readonly screen$: Observable<Screen>;
  /** Takes the widget out of the page and stops it. May be called twice. */
  unmount(): void;
}

/** The widgets of one client. */
type Owner = Set<WidgetHandle>;

interface Mounted extends WidgetHandle {
  readonly owner: Owner;
  readonly shadow: boolean;
  render(options: MountLoginOptions): void;
}

/** Where an element remembers its widget, whichever copy of the package put it there. */
const MOUNTED = Symbol.for('portico.mounted');
type Host = Element & { [MOUNTED]?: Mounted };

function find(selector: string): Host {
  let element: Element | null = null;
  try {
    element = document.querySelector(selector);
  } catch {
    // Not a selector: nothing is found.
  }
  if (element === null) throw new Error(`Cannot mount the widget: no element matches the selector ${selector}`);
  return element;
}

function optionsFor({ config, callbacks = {} }: MountLoginOptions) {
  return { config, callbacks };
}

/** Mounts for `owner`, a client's widgets. The same owner's widget in that element is rendered anew; another's is replaced. */
export function mountLogin(owner: Owner, options: MountLoginOptions, parts: LoginWidgetParts): WidgetHandle {
  checkConfig(options.config);
  const host = find(options.elementId);
  const shadow = options.config.enableShadowDOM === true;
  const present = host[MOUNTED];
  if (present !== undefined && present.owner === owner && present.shadow === shadow) {
    present.render(options);
    return present;
  }
  present?.unmount();
  return mountNew(owner, host, shadow, options, parts);
}

function mountNew(
  owner: Owner,
  host: Host,
  shadow: boolean,
  first: MountLoginOptions,
  parts: LoginWidgetParts,
): Mounted {
  const outer = host.ownerDocument.createElement('div');
  const inside = shadow ? outer.attachShadow({ mode: 'open' }) : outer;
  const container = shadow ? host.ownerDocument.createElement('div') : outer;
  if (shadow) inside.append(container);
  const dropStyles = adoptStyles(shadow ? (inside as ShadowRoot) : host.ownerDocument);
  host.append(outer);

  const widget = new LoginWidget(parts, optionsFor(first));
  const root = createRoot(container);
  const render = (options: MountLoginOptions): void => {
    widget.configure(optionsFor(options));
    applyTheme(container, options.styles, (message) => parts.log.warn(message));
    const { config, styles, strings } = options;
    root.render(<Widget model={widget.store} config={config} styles={styles} strings={strings} />);
  };
  render(first);

  let gone = false;
  const unmount = (): void => {
    if (gone) return;
    gone = true;
    delete host[MOUNTED];
    owner.delete(mounted);
    widget.destroy();
    outer.remove();
    dropStyles();
    // A host that unmounts from an effect of its own is inside React's work; a root may not be taken down there.
    queueMicrotask(() => root.unmount());
  };
  const screen$ = widget.store.state$.pipe(
    map(({ screen }) => screen),
    distinctUntilChanged(),
  );
  const mounted: Mounted = { owner, shadow, render, screen$, unmount };
  host[MOUNTED] = mounted;
  owner.add(mounted);
  return mounted;
}
