/**
 * `portico/prerender`: the first screens of the widgets as HTML, made from the same screens as in the browser. It runs in Node, at the edge
 * and in a build, with `react` and `react-dom` installed. A page with `portico/standalone` can take over its markup as well.
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

export { SDKUsageError } from '#domain/errors.ts';
export type { StyleConfig } from '#domain/widget/theme.ts';
export { ConfigError, type LoginConfig } from '#domain/widget/widget-config.ts';
export type { StringOverrides } from '#presentation/messages/catalogue.ts';
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
 * The style sheet of a widget's markup, as the text of a file. `widget` is `login`, `reset`, `passkeys`, `consent` or `account`.
 *
 * Throws an `SDKUsageError` that names the field for another widget, and in the same cases as `loginStylesheet`.
 */
export function widgetStylesheet(options: WidgetStylesheetOptions = {}): string {
  checkOptions('widgetStylesheet', options);
  return sheetOf('widgetStylesheet', options.widget ?? 'login', options.styles);
}

/** What a Content Security Policy must allow for markup with `inline`. Each is one source expression, such as `'sha256-…'`. */
export interface InlineHashes {
  /** For `style-src`. It depends on the widget, the styles and the version of the package. */
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
 * The first screen of the login as HTML, for the element in which `mountLogin` mounts with the same options. With `config.enableShadowDOM`
 * it is a declarative shadow root. Without `inline`, it contains no inline script and no inline style.
 *
 * Rejects with a `ConfigError` for a configuration that `mountLogin` would refuse, and with an `SDKUsageError` that names the field for any
 * other invalid option.
 */
export async function renderLogin(options: PrerenderOptions = {}): Promise<string> {
  return renderWidget('login', options);
}

/**
 * The page for a new password as HTML, for `mountResetPassword`. With the `tokenType` `login` it is the page of a link that logs in.
 *
 * Rejects in the same cases as `renderLogin`.
 */
export async function renderPasswordReset(options: PasswordResetPrerenderOptions = {}): Promise<string> {
  return renderWidget('reset', options);
}

/**
 * The page on which people manage their passkeys as HTML, for `mountPasskeyRegistration`: its first screen for a signed-in user.
 *
 * Rejects with an `SDKUsageError` that names the field for an invalid option.
 */
export async function renderPasskeyRegistration(
  options: PrerenderOptions<MountPasskeyRegistrationOptions['config']> = {},
): Promise<string> {
  return renderWidget('passkeys', options);
}

/**
 * The page that asks for consent as HTML, for `mountIdentityProvider`: the card with its progress indicator, until the app is known.
 *
 * Rejects with an `SDKUsageError` that names the field for an invalid option.
 */
export async function renderIdentityProvider(
  options: PrerenderOptions<MountIdentityProviderOptions['config']> = {},
): Promise<string> {
  return renderWidget('consent', options);
}

/**
 * The account page as HTML, for `mountAccount`: the card with its title and progress indicator, until the user is known.
 *
 * Rejects with an `SDKUsageError` that names the field for an invalid option.
 */
export async function renderAccount(options: PrerenderOptions<MountAccountOptions['config']> = {}): Promise<string> {
  return renderWidget('account', options);
}
