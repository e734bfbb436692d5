import { isVouchedDomain } from '#server-rules/accounts.ts';
import { OAUTH_PROVIDERS, type OAuthProvider } from '#domain/social/oauth-providers.ts';
import { parseJson } from '#domain/json.ts';
import type { AppleSettings, IssuerSettings, OAuthClients } from '#provider/project/settings/oauth-clients.ts';
import type { Clock } from '#provider/base/platform.ts';
import { appleSecret } from './apple-secret.ts';
import type { OpenIdSettings } from './openid-provider.ts';
import { addressIn, at, type Claims } from './profiles.ts';

/** How a provider differs from the standard. */
type Quirks = Partial<Omit<OpenIdSettings, 'label' | 'client_id' | 'secret'>>;
type OpenIdRow = Quirks & { readonly issuer: string };
type IdTokenPayload = Readonly<Record<string, unknown>>;

/** The claims under their standard names. Apple's verified flag may be a string. */
function standard(claims: IdTokenPayload, email_verified = isTrue(claims['email_verified'])): Claims {
  const { sub, email, name, given_name, family_name, picture, locale } = claims;
  return { sub, email, email_verified, name, given_name, family_name, picture, locale };
}

function isTrue(flag: unknown): boolean {
  return flag === true || flag === 'true';
}

/**
 * Google vouches only for the addresses of Gmail and of its business customers. Others may belong to another person by now.
 * https://developers.google.com/identity/gsi/web/guides/verify-google-id-token
 */
function google(claims: IdTokenPayload): Claims {
  const { email, hd } = claims;
  const isOwn =
    typeof hd === 'string' ? hd !== '' : typeof email === 'string' && /@(?:gmail|googlemail)\.com$/iu.test(email);
  return standard(claims, isTrue(claims['email_verified']) && isOwn);
}

/**
 * A tenant's administrator sets the addresses of its users, and may set any address. Microsoft confirms an address only with the optional
 * claim `xms_edov`. https://learn.microsoft.com/entra/identity-platform/migrate-off-email-claim-authorization
 */
function microsoft(claims: IdTokenPayload): Claims {
  const confirmed = claims['xms_edov'];
  return standard(claims, isTrue(confirmed) || confirmed === 1 || confirmed === '1');
}

/**
 * Apple sends the name together with the code, only at the first login. It is unsigned, so nothing else is read from it.
 * https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple
 */
function apple(claims: IdTokenPayload, answer: URLSearchParams): Claims {
  const name = at(parseJson(answer.get('user') ?? ''), 'name');
  return { ...standard(claims), given_name: at(name, 'firstName'), family_name: at(name, 'lastName') };
}

/**
 * A person has one id for each workspace, which is unique within it.
 * https://docs.slack.dev/reference/methods/openid.connect.token
 */
function slack(claims: IdTokenPayload): Claims {
  const team = claims['https://slack.com/team_id'];
  const sub = typeof team === 'string' && typeof claims['sub'] === 'string' ? `${team}-${claims['sub']}` : undefined;
  return { ...standard(claims), sub };
}

const OPENID_SCOPES = ['openid', 'email', 'profile'] as const;

/** https://dev.twitch.tv/docs/authentication/getting-tokens-oidc */
const TWITCH_CLAIMS = JSON.stringify({
  id_token: { email: null, email_verified: null, picture: null, preferred_username: null },
});

/** The built-in OpenID providers. */
const BUILT_IN = {
  google: { issuer: 'https://accounts.google.com', claims: google },
  microsoft: { issuer: 'https://login.microsoftonline.com/common/v2.0', claims: microsoft },
  apple: {
    issuer: 'https://appleid.apple.com',
    claims: apple,
    scopes: ['name', 'email'],
    // Apple answers requests for a name or an address only in this way, and documents no PKCE.
    answersByPost: true,
    pkce: false,
  },
  gitlab: { issuer: 'https://gitlab.com', scopes: [...OPENID_SCOPES, 'read_user'] },
  salesforce: { issuer: 'https://login.salesforce.com' },
  slack: { issuer: 'https://slack.com', claims: slack, pkce: false },
  // LinkedIn does not repeat the nonce, and answers a client that uses both PKCE and a secret with invalid_client.
  linkedin: { issuer: 'https://www.linkedin.com/oauth', authentication: 'post', pkce: false, nonce: false },
  twitch: {
    issuer: 'https://id.twitch.tv/oauth2',
    claims: (claims) => ({ ...standard(claims), name: claims['preferred_username'] }),
    scopes: ['openid', 'user:read:email'],
    authentication: 'post',
    pkce: false,
    parameters: { claims: TWITCH_CLAIMS },
  },
  yahoo: { issuer: 'https://api.login.yahoo.com' },
} satisfies Partial<Record<OAuthProvider, OpenIdRow>>;

export type OpenIdName = keyof typeof BUILT_IN;

const OPENID: Readonly<Partial<Record<OAuthProvider, OpenIdRow>>> = BUILT_IN;

/** The default scopes of OpenID providers, with their own names. */
export const openIdScopes = (name: OAuthProvider): readonly string[] => OPENID[name]?.scopes ?? OPENID_SCOPES;

/** The claims of an ID token of the provider under their standard names, by its rule about addresses. */
export function openIdClaims(name: OAuthProvider, payload: IdTokenPayload): Claims {
  const read = OPENID[name]?.claims;
  return read === undefined ? standard(payload) : read(payload, new URLSearchParams());
}

/** Microsoft's servers. Its rule about addresses applies under any configured name. */
const MICROSOFT =
  /^(?:login\.microsoftonline\.(?:com|us)|login\.partner\.microsoftonline\.cn|sts\.windows\.net|.+\.(?:b2clogin|ciamlogin)\.com)$/u;

/** The settings of the OpenID provider with this name, or null if it is a plain OAuth 2 provider. */
export function openIdSettings(clients: OAuthClients, name: string, clock: Clock): OpenIdSettings | null {
  const client = clients[name];
  const builtIn = Object.hasOwn(OPENID, name) ? OPENID[name as OAuthProvider] : undefined;
  const own = client !== undefined && 'issuer' in client ? client : null;
  const issuer = own?.issuer ?? issuerOfTenant(clients, name) ?? builtIn?.issuer;
  if (client === undefined || issuer === undefined) return null;
  const isMicrosoft = MICROSOFT.test(new URL(issuer).hostname);
  // A provider's addresses and ids mean the same under every configured name.
  const preset = Object.values(OPENID).find((each) => hostOf(each.issuer) === hostOf(issuer));
  const settings = {
    claims: isMicrosoft ? microsoft : standardOf,
    pkce: true,
    nonce: true,
    answersByPost: false,
    parameters: {},
    ...preset,
    scopes: builtIn === undefined ? ['email', 'profile'] : openIdScopes(name as OAuthProvider),
    issuer,
    label: labelOf(name, own),
    client_id: client.client_id,
    secret: secretOf(client, clock),
  };
  const domains = own?.email_domains ?? [];
  // A built-in provider's rules decide which addresses it verifies.
  if (domains.length === 0 && (own === null || preset !== undefined)) return settings;
  return { ...settings, claims: (claims, answer) => onlyIn(domains, settings.claims(claims, answer)) };
}

/** The provider's administrator sets the addresses of its users, so it vouches only for its own domains. */
function onlyIn(domains: readonly string[], claims: Claims): Claims {
  const { email, email_verified } = claims;
  return { ...claims, email_verified: email_verified && isVouchedDomain(domains, addressIn(email)) };
}

const hostOf = (url: string): string => new URL(url).hostname;

const standardOf = (claims: IdTokenPayload): Claims => standard(claims);

function issuerOfTenant({ microsoft: client }: OAuthClients, name: string): string | undefined {
  if (name !== 'microsoft' || client === undefined) return undefined;
  return `https://login.microsoftonline.com/${client.tenant}/v2.0`;
}

function labelOf(name: string, own: IssuerSettings | null): string {
  return own?.name ?? (Object.hasOwn(OAUTH_PROVIDERS, name) ? OAUTH_PROVIDERS[name as OAuthProvider] : name);
}

function secretOf(client: AppleSettings | { readonly client_secret: string }, clock: Clock): OpenIdSettings['secret'] {
  return 'private_key' in client ? appleSecret(client, clock) : client.client_secret;
}
