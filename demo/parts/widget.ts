import type { LoginConfig, MountLoginOptions, PorticoUIClient, WidgetHandle } from 'portico';
import { isStandalone } from './build.ts';
import type { Choices } from './choices.ts';
import { withOwnTheme } from './theme.ts';

/** The look of the page for a new password, if it has a word in the URL. */
const KEPT: ReadonlySet<string> = new Set(['build', 'theme', 'header', 'language']);

/** The page that reset emails open, in the same build, look and language. */
function resetPage(at: PageLocation): string {
  const said = Array.from(new URLSearchParams(at.search));
  const query = new URLSearchParams(said.filter(([name]) => KEPT.has(name)));
  if (isStandalone(at)) query.set('build', 'standalone');
  return `${at.origin}/reset${query.size > 0 ? `?${query.toString()}` : ''}`;
}

type PageLocation = Pick<Location, 'origin' | 'pathname' | 'search'>;

/** The configuration, with the demo's pages as the default targets of emails and social logins. */
export function withOwnPages(config: LoginConfig, at: PageLocation): LoginConfig {
  const here = `${at.origin}/authenticate`;
  const pages = { loginRedirectURL: here, signupRedirectURL: here };
  const reset = { loginRedirectURL: here, resetPasswordRedirectURL: resetPage(at) };
  const { oauthOptions } = config;
  return {
    ...config,
    emailMagicLinksOptions: { ...pages, ...config.emailMagicLinksOptions },
    passwordOptions: { ...reset, ...config.passwordOptions },
    ...(oauthOptions ? { oauthOptions: { ...pages, ...oauthOptions } } : {}),
  };
}

/** Mounts the login widget into `#widget`; mounting again replaces it. Throws the errors of the mount call. */
export function mountWidget(
  client: PorticoUIClient,
  { config, styles, strings, language }: Choices,
  callbacks: NonNullable<MountLoginOptions['callbacks']>,
): WidgetHandle {
  return client.mountLogin({
    elementId: '#widget',
    config: withOwnPages(config, location),
    styles: withOwnTheme(styles),
    strings,
    language,
    callbacks,
  });
}
