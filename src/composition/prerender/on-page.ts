/** What the name `#prerendered-login` of package.json is in a browser, where nothing is prerendered. */
import type { ReactNode } from 'react';
import type { MountOptions } from '../mount.tsx';
import type { PasswordResetPrerenderSettings, PrerenderedWidget } from './options.ts';
import type { LoginConfig } from '../../domain/widget/widget-config.ts';

/** The first screen of a widget as a server renders it. Null for one whose first screen a server does not know. */
export type RenderOnServer = (
  widget: PrerenderedWidget,
  options: Omit<MountOptions, 'elementId'> & { readonly config?: LoginConfig | undefined },
  settings: PasswordResetPrerenderSettings,
  /** An id that React made for this widget alone. */
  id: string,
) => ReactNode;

export const renderOnServer: RenderOnServer | null = null;
