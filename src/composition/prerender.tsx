/**
 * `portico/prerender`: the first screens of the widgets as HTML, made by the screens that the browser shows. It runs in Node, at the
 * edge and in a build, with `react` and `react-dom` installed; a page of `portico/standalone` can take its markup over as well.
 */
import { early, hashOf, inlineSheetOf, sheetOf } from './prerender/inline.ts';
import {
  checkOptions,
  type PasswordResetPrerenderOptions,
  type PrerenderOptions,
  type StylesheetOptions,
  type WidgetStylesheetOptions,
} from './prerender/options.ts';
import { renderWidget } from './prerender/render.ts';
import type {
  MountAccountOptions,
  MountIdentityProviderOptions,
  MountPasskeyRegistrationOptions,
} from './ui-client.ts';

export { SDKUsageError } from '../domain/errors.ts';
export type { StyleConfig } from '../domain/widget/theme.ts';
export { ConfigError, type LoginConfig } from '../domain/widget/widget-config.ts';
export type { StringOverrides } from '../presentation/messages/catalogue.ts';
export type {
  PasswordResetPrerenderOptions,
  PasswordResetPrerenderSettings,
  PrerenderedProject,
  PrerenderedWidget,
  PrerenderOptions,
  PrerenderSettings,
  StylesheetOptions,
  WidgetStylesheetOptions,
} from './prerender/options.ts';

/**
 * The style sheet of a prerendered login with these styles, as the text of a file. Without styles it is the package's file
 * `portico/login.css`.
 *
 * Throws an `SDKUsageError` that names the field for styles that are not valid, and for colours other than hexadecimal and `rgb()`.
 */
export function loginStylesheet(options: StylesheetOptions = {}): string {
  checkOptions('loginStylesheet', options);
  return sheetOf('loginStylesheet', 'login', options.styles);
}

/**
 * The style sheet of the markup of a widget, as the text of a file. `widget` is `login`, `reset`, `passkeys`, `consent` or `account`.
 *
 * Throws an `SDKUsageError` that names the field for another widget, and as `loginStylesheet` does.
 */
export function widgetStylesheet(options: WidgetStylesheetOptions = {}): string {
  checkOptions('widgetStylesheet', options);
  return sheetOf('widgetStylesheet', options.widget ?? 'login', options.styles);
}

/** What a Content Security Policy allows for markup with `inline`: each is one source expression, such as `'sha256-…'`. */
export interface InlineHashes {
  /** For `style-src`. It depends on the widget, the styles and on the version of the package. */
  readonly style: string;
  /** For `script-src`. It depends on the version of the package. */
  readonly script: string;
}

/**
 * The hashes of the style sheet and the early script in markup with `inline`, for the header of the page.
 *
 * Rejects with an `SDKUsageError` that names the field for the same options as `widgetStylesheet`.
 */
export async function inlineHashes(options: WidgetStylesheetOptions = {}): Promise<InlineHashes> {
  checkOptions('inlineHashes', options);
  const sheet = inlineSheetOf('inlineHashes', options.widget ?? 'login', options.styles);
  const [style, script] = await Promise.all([sheet, early].map(hashOf));
  return { style: style ?? '', script: script ?? '' };
}

/**
 * The first screen of the login as HTML, to be put into the element in which `mountLogin` mounts with the same options. With
 * `config.enableShadowDOM` it is a declarative shadow root. Without `inline`, it contains no inline script and no inline style.
 *
 * Rejects with a `ConfigError` for a configuration that `mountLogin` would refuse, and with an `SDKUsageError` that names the field
 * for any other invalid option.
 */
export async function renderLogin(options: PrerenderOptions = {}): Promise<string> {
  return renderWidget('login', options);
}

/**
 * The page for a new password as HTML, for `mountResetPassword`. With the `tokenType` `login` it is the page of a link that logs in.
 *
 * Rejects as `renderLogin` does.
 */
export async function renderPasswordReset(options: PasswordResetPrerenderOptions = {}): Promise<string> {
  return renderWidget('reset', options);
}

/**
 * The page on which people keep their passkeys as HTML, for `mountPasskeyRegistration`: the first one of a signed-in user.
 *
 * Rejects with an `SDKUsageError` that names the field for an invalid option.
 */
export async function renderPasskeyRegistration(
  options: PrerenderOptions<MountPasskeyRegistrationOptions['config']> = {},
): Promise<string> {
  return renderWidget('passkeys', options);
}

/**
 * The page that asks for consent as HTML, for `mountIdentityProvider`: the card and its mark of progress, until the app is known.
 *
 * Rejects with an `SDKUsageError` that names the field for an invalid option.
 */
export async function renderIdentityProvider(
  options: PrerenderOptions<MountIdentityProviderOptions['config']> = {},
): Promise<string> {
  return renderWidget('consent', options);
}

/**
 * The account page as HTML, for `mountAccount`: the card, its title and its mark of progress, until the user is known.
 *
 * Rejects with an `SDKUsageError` that names the field for an invalid option.
 */
export async function renderAccount(options: PrerenderOptions<MountAccountOptions['config']> = {}): Promise<string> {
  return renderWidget('account', options);
}
