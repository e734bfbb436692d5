import type { LoginConfig, MountLoginOptions, PorticoUIClient, WidgetHandle } from 'portico';
import type { Choices } from './choices.ts';

/** The configuration with the demo's own pages where it names none for its mails and social logins to lead to. */
export function withOwnPages(config: LoginConfig, at: Pick<Location, 'origin' | 'pathname'>): LoginConfig {
  const here = `${at.origin}/authenticate`;
  const build = at.pathname === '/standalone' ? '?build=standalone' : '';
  const pages = { loginRedirectURL: here, signupRedirectURL: here };
  const reset = { loginRedirectURL: here, resetPasswordRedirectURL: `${at.origin}/reset${build}` };
  const { oauthOptions } = config;
  return {
    ...config,
    emailMagicLinksOptions: { ...pages, ...config.emailMagicLinksOptions },
    passwordOptions: { ...reset, ...config.passwordOptions },
    ...(oauthOptions ? { oauthOptions: { ...pages, ...oauthOptions } } : {}),
  };
}

/** Mounts the login widget into `#widget`; mounting again shows it anew in the same place. Throws what the mount call does. */
export function mountWidget(
  client: PorticoUIClient,
  { config, styles, strings, language }: Choices,
  callbacks: NonNullable<MountLoginOptions['callbacks']>,
): WidgetHandle {
  return client.mountLogin({
    elementId: '#widget',
    config: withOwnPages(config, location),
    styles,
    strings,
    language,
    callbacks,
  });
}
