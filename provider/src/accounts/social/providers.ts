import { OAUTH_PROVIDERS, type OAuthProvider } from '../../../../src/domain/social/oauth-providers.ts';
import type { Services } from '../services.ts';

const OPENID = ['openid', 'email', 'profile'] as const;

/** The scopes that are requested from each provider by default, with the provider's own names. */
export const DEFAULT_SCOPES: Readonly<Record<OAuthProvider, readonly string[]>> = {
  google: OPENID,
  microsoft: OPENID,
  apple: ['name', 'email'],
  github: ['read:user', 'user:email'],
  gitlab: [...OPENID, 'read_user'],
  facebook: ['public_profile', 'email'],
  discord: ['identify', 'email'],
  salesforce: OPENID,
  slack: OPENID,
  amazon: ['profile'],
  bitbucket: ['account', 'email'],
  linkedin: OPENID,
  coinbase: ['wallet:user:read', 'wallet:user:email'],
  twitch: ['openid', 'user:read:email'],
  twitter: ['users.read', 'tweet.read'],
  tiktok: ['user.info.basic'],
  snapchat: ['user.display_name', 'user.external_id'],
  figma: ['current_user:read'],
  yahoo: OPENID,
};

export function isOAuthProvider(text: string): text is OAuthProvider {
  return Object.hasOwn(OAUTH_PROVIDERS, text);
}

/** Whether people can log in with the provider of that name: the project has a client there, or this is a developer's server. */
export function isOffered({ project, dev }: Pick<Services, 'project' | 'dev'>, name: string): boolean {
  const configured = Object.hasOwn(project.oauth_clients, name);
  return isOAuthProvider(name) ? project.oauth_providers.includes(name) && (configured || dev) : configured;
}
