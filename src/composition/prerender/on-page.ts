/** The module that the name `#prerendered-login` of package.json refers to in a browser, where nothing is prerendered. */
import type { ReactNode } from 'react';
import type { MountOptions } from '../mount.tsx';
import type { PasswordResetPrerenderSettings, PrerenderedWidget } from './options.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';

/** The first screen of a widget as a server renders it. Null if a server cannot know the widget's first screen. */
export type RenderOnServer = (
  widget: PrerenderedWidget,
  options: Omit<MountOptions, 'elementId'> & { readonly config?: LoginConfig | undefined },
  settings: PasswordResetPrerenderSettings,
  /** An id that React made only for this widget. */
  id: string,
) => ReactNode;

export const renderOnServer: RenderOnServer | null = null;
