import { OAUTH_PROVIDERS, type OAuthProvider } from '#domain/social/oauth-providers.ts';
import type { Services } from '../../services.ts';

export function isOAuthProvider(text: string): text is OAuthProvider {
  return Object.hasOwn(OAUTH_PROVIDERS, text);
}

/** Whether people can log in with this provider: the project has a client there, or this is a developer's server. */
export function isOffered({ project, dev }: Pick<Services, 'project' | 'dev'>, name: string): boolean {
  const configured = Object.hasOwn(project.oauth_clients, name);
  return isOAuthProvider(name) ? project.oauth_providers.includes(name) && (configured || dev) : configured;
}
