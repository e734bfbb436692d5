/** What the name `#prerendered-login` of package.json is in a browser, where nothing is prerendered. */
import type { ReactNode } from 'react';
import type { MountLoginOptions } from '../ui-client.ts';
import type { PrerenderSettings } from './options.ts';

/** The first screen of the login as a server renders it. Null for a login whose first screen a server does not know. */
export type RenderOnServer = (
  login: Omit<MountLoginOptions, 'elementId'>,
  settings: PrerenderSettings,
  /** An id that React made for this login alone. */
  id: string,
) => ReactNode;

export const renderOnServer: RenderOnServer | null = null;
