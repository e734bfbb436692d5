import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import {
  inlineHashes,
  renderAccount,
  renderIdentityProvider,
  renderLogin,
  renderPasskeyRegistration,
  renderPasswordReset,
  widgetStylesheet,
  type PasswordResetPrerenderOptions,
  type PrerenderedWidget,
  type StyleConfig,
} from '../prerender.tsx';

type Renderer = (options: PasswordResetPrerenderOptions) => Promise<string>;

/** The functions that render the widgets. */
export const RENDERERS: Readonly<Record<PrerenderedWidget, Renderer>> = {
  login: renderLogin,
  reset: renderPasswordReset,
  passkeys: renderPasskeyRegistration,
  consent: renderIdentityProvider,
  account: renderAccount,
};

/** The names of the widgets. */
export const WIDGETS = Object.keys(RENDERERS) as readonly PrerenderedWidget[];

/** The files that a page needs in addition to a widget's markup, by their names. */
export async function widgetFiles(
  widget: PrerenderedWidget,
  styles: StyleConfig | undefined,
): Promise<Readonly<Record<string, string>>> {
  const early = await readFile(fileURLToPath(import.meta.resolve('portico/early.js')), 'utf8');
  return { [`${widget}.css`]: widgetStylesheet({ widget, styles }), 'early.js': early };
}

/** A line for the developer: what the policy of a page must allow if the files are in the page. */
export async function policyLine(widget: PrerenderedWidget, styles: StyleConfig | undefined): Promise<string> {
  const { script, style } = await inlineHashes({ widget, styles });
  return `portico: with a Content-Security-Policy, allow in script-src ${script} and in style-src ${style}`;
}
