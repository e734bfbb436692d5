/**
 * The parts of React that the widget uses, implemented with Preact. The build without React has this file instead of `react` and
 * `react-dom/client`. `preact/compat` does the same for any program, but is a twentieth of a page's start. Nothing imports it by its name.
 */
import {
  Component,
  createElement,
  hydrate,
  options,
  render,
  toChildArray,
  type ComponentChild,
  type ComponentChildren,
  type ComponentType,
  type VNode,
} from 'preact';
import { useLayoutEffect, useReducer, useState } from 'preact/hooks';
import { leaveFocus } from '#presentation/hooks/left-focus.ts';

export { Component, createContext, createElement, Fragment } from 'preact';
export * from 'preact/hooks';
export { useLayoutEffect as useInsertionEffect } from 'preact/hooks';

/** Attributes of SVG that React names in camel case. */
const OF_SVG = /^(?:clip|fill|font|stop|stroke|text)[A-Z]/;

/** React's names that differ from Preact's. In React, focus events bubble, and a change event fires for each letter. */
function nameOf(name: string, { type, props }: VNode<{ readonly type?: unknown }>): string {
  if (name === 'onFocus') return 'onFocusIn';
  if (name === 'onBlur') return 'onFocusOut';
  // A document has no property with this name, by which Preact would find the event.
  if (name === 'onCompositionEnd') return 'oncompositionend';
  if (name === 'onChange' && type === 'input' && !/^(?:checkbox|file|radio)$/.test(String(props.type)))
    return 'onInput';
  return OF_SVG.test(name) ? name.replace(/[A-Z]/g, '-$&').toLowerCase() : name;
}

interface ListProps {
  readonly defaultValue?: unknown;
  readonly children: ComponentChildren;
}

/** A list that begins with `defaultValue`. Preact gives this property to text fields only, so the option is marked. */
function withChoice({ defaultValue, ...props }: ListProps): Omit<ListProps, 'defaultValue'> {
  for (const child of toChildArray(props.children)) {
    const option = (child as VNode<{ readonly value?: unknown; selected?: boolean }>).props;
    if (option.value === defaultValue) option.selected = true;
  }
  return props;
}

const before = { ...options };
options.vnode = (node) => {
  if (typeof node.type === 'string') {
    const entries = Object.entries(node.props).map(([name, value]) => [
      nameOf(name, node),
      // Preact sets the property with this name, which is not a string.
      name === 'translate' ? value !== 'no' : value,
    ]);
    const props = Object.fromEntries(entries) as typeof node.props;
    node.props = node.type === 'select' && 'defaultValue' in props ? withChoice(props) : props;
  }
  before.vnode?.(node);
};
options.event = (event) => {
  Object.assign(event, { nativeEvent: event });
  return (before.event ? before.event(event) : event) as unknown;
};

let ids = 0;

/** Preact's own ids start again for each root, and for each rendering of one. */
export const useId = (): string => useState(() => `P${(ids += 1)}`)[0];

/** The last text of each element that has no other child. */
const texts = new WeakMap<Node, string>();

/**
 * React writes the only text of an element into the element, which works even after a browser that translates the page has replaced the
 * text's node. Preact would write into the old node, which is no longer visible, and an outdated translation would stay.
 */
options.diffed = (node) => {
  // The names of Preact's own build: the element, and what it renders.
  const { __e: element, __k: vnodes } = node as unknown as {
    readonly __e: Element;
    readonly __k?: readonly (VNode | null)[];
  };
  const { children = '' } = node.props as { readonly children?: ComponentChild };
  if (typeof node.type === 'string' && (children === null || typeof children !== 'object')) {
    const text = children === null || typeof children === 'boolean' ? '' : String(children);
    if ((texts.get(element) ?? text) !== text) {
      const own = vnodes?.[0] as { readonly __e: Node } | null | undefined;
      element.replaceChildren(...(own ? [own.__e] : []));
    }
    texts.set(element, text);
  }
  before.diffed?.(node);
};

/**
 * Call this before an element is removed. In React, the effects of a press run before a host can replace the widget, so the focus has
 * already moved to the new screen. Preact runs them after the paint, so the focus that disappears with the old screen is remembered for the
 * next widget.
 */
options.unmount = (node) => {
  const { activeElement: active } = document;
  if (active && (active.shadowRoot || active.closest('[data-portico]'))) leaveFocus(active);
  before.unmount?.(node);
};

/**
 * The state of a store, rendered again whenever it changes. It subscribes during the first rendering. Preact runs plain effects after the
 * paint, so a component inside could meanwhile render its own change together with an old state of the store.
 */
export function useSyncExternalStore<State>(subscribe: (notify: () => void) => () => void, read: () => State): State {
  const snapshot = read();
  const [, again] = useReducer((count: number, step: number) => count + step, 0);
  const compare = (): void => {
    if (!Object.is(snapshot, read())) again(1);
  };
  useLayoutEffect(() => {
    compare();
    return subscribe(compare);
  });
  return snapshot;
}

/** A component that is rendered again only if its properties change. */
export function memo<Props extends object>(inner: ComponentType<Props>): ComponentType<Props> {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      const names = Object.keys({ ...this.props, ...next }) as (keyof Props)[];
      return names.some((name) => !Object.is((this.props as Props)[name], next[name]));
    }

    override render() {
      return createElement(inner, this.props as Props);
    }
  };
}

const rootOf = (container: Element) => ({
  render: (node: ComponentChild): void => render(node, container),
  unmount: (): void => render(null, container),
});

export function createRoot(container: Element) {
  const root = rootOf(container);
  let isEmpty = false;
  return {
    ...root,
    render(node: ComponentChild): void {
      if (!isEmpty) container.replaceChildren();
      isEmpty = true;
      root.render(node);
    },
  };
}

export function hydrateRoot(container: Element, node: ComponentChild) {
  hydrate(node, container);
  return rootOf(container);
}
