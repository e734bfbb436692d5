import { cleanup, fireEvent, render } from '@testing-library/react';
import { Component, createElement, type ComponentProps, type ComponentType, type ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as react from '#composition/react.tsx';
import {
  PorticoUIClient,
  type MountIdentityProviderOptions,
  type MountResetPasswordOptions,
} from '#composition/ui-client.ts';
import { TestWorld, TOKEN } from '../application/world.ts';
import { eachMistakeHasAMessage, type Rows } from './option-rows.ts';

/** The components: hooks begin with a small letter. */
type Name = Exclude<
  { [Each in keyof typeof react]: Each extends Capitalize<Each> ? Each : never }[keyof typeof react],
  'PorticoProvider'
>;
type Widget = 'Login' | 'PasswordReset' | 'PasskeyRegistration' | 'Account' | 'IdentityProvider';
type Mounts = keyof MountIdentityProviderOptions | keyof MountResetPasswordOptions;
/** Without the options of a mount, which have rows of their own, and without the attributes of a `<button>`. */
type OwnProps<Each extends Name> = Omit<
  ComponentProps<(typeof react)[Each]>,
  Each extends Widget ? Mounts : Each extends 'SignOutButton' ? keyof ComponentProps<'button'> : never
>;

const client = { wrongType: [7, '', {}, []] };
const prerender = { wrongType: ['yes', 7, []] };
const children = { wrongType: [] };
const looks = { styles: { wrongType: ['dark', 7, []] }, language: { wrongType: [7, {}, []] } };
const strings = { wrongType: ['de', 7, []] };

const COMPONENTS: typeof react = { ...react };
const { PorticoProvider } = react;

/** A component without its rows, or a prop without its row, does not compile. */
const ROWS: { readonly [Each in Name]: Rows<OwnProps<Each>> } = {
  Login: { client, prerender },
  PasswordReset: { client, prerender },
  PasskeyRegistration: { client, prerender },
  Account: { client, prerender },
  IdentityProvider: { client, prerender },
  SignedIn: { children },
  SignedOut: { children },
  RequireRole: { role: { wrongType: [7, {}, [7], null], isRequired: true }, fallback: children, children },
  SignOutButton: {
    forceClear: { wrongType: ['true', 0] },
    onSignedOut: { wrongType: ['reload', {}] },
    strings,
    language: looks.language,
  },
  UserButton: { ...looks, strings, manageAccount: { wrongType: [7, {}, []] }, account: { wrongType: ['a', 7, []] } },
};

/** The messages are those of the console, and of the error that a component throws. */
class ErrorBoundary extends Component<{ readonly children: ReactNode; readonly onError: (message: string) => void }> {
  override state = { failed: false };

  static getDerivedStateFromError(): object {
    return { failed: true };
  }

  override componentDidCatch(error: Error): void {
    this.props.onError(error.message);
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children;
  }
}

const said: string[] = [];
const open = (): PorticoUIClient => {
  const log = { warn: (message: string) => void said.push(message), error: () => undefined };
  return new PorticoUIClient(TOKEN, { adapters: { ...new TestWorld().tab(), log }, telemetry: false });
};
let shared: PorticoUIClient;
beforeEach(() => {
  shared = open();
  said.length = 0;
  vi.spyOn(console, 'warn').mockImplementation((message: unknown) => void said.push(String(message)));
  // React's own message about a thrown error, and about an attribute that it does not know.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  shared.destroy();
  vi.restoreAllMocks();
});

function show(name: Name, props: object): HTMLElement {
  const component = createElement(COMPONENTS[name] as ComponentType<object>, props);
  const { container } = render(
    <PorticoProvider client={shared}>
      <ErrorBoundary onError={(message) => said.push(message)}>{component}</ErrorBoundary>
    </PorticoProvider>,
  );
  return container;
}

const isWidget = (name: string): boolean => 'prerender' in ROWS[name as Name];

for (const [name, rows] of Object.entries(ROWS)) {
  eachMistakeHasAMessage(`<${name}>`, rows, {
    good: name === 'RequireRole' ? { role: 'editor' } : {},
    takesAnything: ['children', 'fallback'],
    // The names are checked by the mount of a widget, and by React for a button.
    takesNames: isWidget(name) || name === 'SignOutButton',
    messagesOf: (props) => {
      cleanup();
      said.length = 0;
      show(name as Name, props);
      return [...said];
    },
  });
}

describe('a misspelled prop of a widget', () => {
  it.each(Object.keys(ROWS).filter(isWidget))('is named when <%s> is used', async (name) => {
    const container = show(name as Name, { prerenders: true, langage: 'de' });
    const [card] = container.querySelectorAll('[data-portico]');
    expect(card).toBeInstanceOf(HTMLElement);
    fireEvent.pointerDown(card as HTMLElement);
    await vi.waitFor(() => {
      for (const wrong of ['prerenders', 'langage']) {
        expect(said.filter((message) => message.includes(`${wrong} is no option`))).toHaveLength(1);
      }
    });
  });
});

it('a prop is named once, however often its component renders', () => {
  const { rerender } = render(
    <PorticoProvider client={shared}>{createElement(COMPONENTS.SignedIn, { roles: 'a' } as object)}</PorticoProvider>,
  );
  rerender(
    <PorticoProvider client={shared}>{createElement(COMPONENTS.SignedIn, { roles: 'b' } as object)}</PorticoProvider>,
  );
  expect(said).toEqual(['[Portico] <SignedIn>: roles is no option; there are children.']);
});
