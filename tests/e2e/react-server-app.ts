/** An app of React Router, whose parts come from the caller: the server and the browser load the built package in their own ways. */
import type * as React from 'react';
import type * as Router from 'react-router';
import type * as Portico from '#composition/react.tsx';
import type { PorticoUIClient } from '#composition/ui-client.ts';

/** The component of each widget. */
export const COMPONENTS = {
  login: 'Login',
  reset: 'PasswordReset',
  passkeys: 'PasskeyRegistration',
  consent: 'IdentityProvider',
  account: 'Account',
} as const;

export type ServedWidget = keyof typeof COMPONENTS;
export type LoginProps = React.ComponentProps<typeof Portico.Login>;

interface Parts {
  readonly createElement: typeof React.createElement;
  readonly portico: Pick<typeof Portico, (typeof COMPONENTS)[ServedWidget] | 'PorticoProvider'>;
  readonly outlet: typeof Router.Outlet;
  /** Null on the server. */
  readonly client: PorticoUIClient | null;
  readonly widget: ServedWidget;
  readonly options: LoginProps;
}

/** The routes, in the form for `createBrowserRouter` and for `createStaticHandler`. */
export function routesOf({ createElement: h, portico, outlet, client, widget, options }: Parts) {
  const frame = h(portico.PorticoProvider, { client }, h('main', { id: 'login' }, h(outlet)));
  const shown = h<LoginProps>(portico[COMPONENTS[widget]], options);
  return [{ path: '/', element: frame, children: [{ path: 'login', element: shown }] }];
}
