/** An app of React Router, whose parts come from the caller: the server and the browser load the built package in their own ways. */
import type * as React from 'react';
import type * as Router from 'react-router';
import type * as Portico from '../../src/composition/react.tsx';
import type { PorticoUIClient } from '../../src/composition/ui-client.ts';

export type LoginProps = React.ComponentProps<typeof Portico.Login>;

interface Parts {
  readonly createElement: typeof React.createElement;
  readonly portico: Pick<typeof Portico, 'Login' | 'PorticoProvider'>;
  readonly outlet: typeof Router.Outlet;
  /** Null on the server. */
  readonly client: PorticoUIClient | null;
  readonly login: LoginProps;
}

/** The routes, in the form for `createBrowserRouter` and for `createStaticHandler`. */
export function routesOf({ createElement: h, portico, outlet, client, login }: Parts) {
  const frame = h(portico.PorticoProvider, { client }, h('main', { id: 'login' }, h(outlet)));
  return [{ path: '/', element: frame, children: [{ path: 'login', element: h(portico.Login, login) }] }];
}
