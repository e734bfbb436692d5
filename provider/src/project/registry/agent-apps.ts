import type { Selectable } from 'kysely';
import { parsedUrl } from '#domain/rules/redirects.ts';
import { isPrivateUseUri, isSecureUrl } from '#domain/safe-url.ts';
import type { ConnectedAppSettings } from '../settings/access.ts';
import { scopesOfAgents } from '../settings/agents.ts';
import type { Services } from '../services.ts';
import type { AgentsTable } from './tables.ts';

export type AgentRow = Selectable<AgentsTable>;

/** The host of an https URL, or of a program on this machine. Null for others, in which an app can write any host. */
function hostOf(uri: string): string | null {
  const url = parsedUrl(uri);
  return url !== null && isSecureUrl(url) ? url.host : null;
}

/** The host of a URL, or its private scheme with the colon, which no host contains. */
const receiverIn = (uri: string): string | null =>
  isPrivateUseUri(uri) ? (parsedUrl(uri)?.protocol ?? null) : hostOf(uri);

/** The receiver that all these URLs share. Null if there are several: an agent can list a site to which it never returns. */
function sharedReceiver(uris: readonly string[]): string | null {
  const [receiver = null, ...others] = new Set(uris.map(receiverIn));
  return others.length === 0 ? receiver : null;
}

/** Words with dots between them. */
const DOTTED = /[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*/gu;
/** A host in a name, such as `example.com` or `192.0.2.1`. */
const HOST = /\.\p{L}{2}|\d\.\d{1,3}\.\d{1,3}\.\d/u;
/** Characters that a reader, or a browser, treats as the dot of a host (UTS 46, section 2.3; the confusables of UTS 39). */
const DOTS =
  /[\u0660\u06d4\u06f0\u0701\u0702\u1803\u2024\u2e3c\u3002\ua4f8\ua60e\ufe52\uff0e\uff61\u{10a50}\u{1d16d}]/gu;
/** Raised dots between Latin letters. Catalan uses them in `l·l`, and Japanese to separate words. */
const MIDDLE_DOTS =
  /(?<=[a-z\d])(?!(?<=l).l)[\u00b7\u1427\u16eb\u2022\u2027\u2219\u22c5\u2e31\u2e33\u30fb\ua78f](?=[a-z\d])/giu;
/** Spaces that a reader overlooks next to a dot. Normalization converts them to ordinary ones. */
const THIN_SPACES = /[\u2006\u2008-\u200a\u202f]/gu;
/** Characters that are invisible between the letters of a host. */
const UNSEEN = /[\p{Mark}\p{Default_Ignorable_Code_Point}]/gu;

/** The name, unless it contains the host of another site than the one that vouches for it: people would mistake the agent for that site. */
function ownName(name: string | undefined, host: string | null): string | undefined {
  // Some of the dots are marks, and normalization changes others.
  const dotted = (name ?? '').replaceAll(THIN_SPACES, '').replaceAll(DOTS, '.').normalize('NFKC').replaceAll(DOTS, '.');
  const plain = dotted.replaceAll(UNSEEN, '').replaceAll(MIDDLE_DOTS, '.').toLowerCase();
  const own = host?.replace(/:\d+$/u, '');
  const words = plain.match(DOTTED) ?? [];
  return plain.includes('://') || words.some((word) => word !== own && HOST.test(word)) ? undefined : name;
}

/** The logo, if it is on the host that vouches for it: somebody else's image proves nothing. */
function logoOf({ origin, client_id, metadata }: AgentRow): string | null {
  const { logo_uri = null } = metadata;
  if (origin !== 'document' || logo_uri === null) return null;
  return new URL(logo_uri).origin === new URL(client_id).origin ? logo_uri : null;
}

/** An agent in the form of the rules for connected apps. */
export function appFromAgent(project: Services['project'], row: AgentRow): ConnectedAppSettings {
  const { client_id, metadata } = row;
  const host = row.origin === 'document' ? hostOf(client_id) : null;
  // Official clients register with the scopes of their first request, and request more when a tool needs them.
  const metadataScopes = row.origin === 'document' ? metadata.scope?.split(' ') : undefined;
  const scopes = scopesOfAgents(project).filter((scope) => metadataScopes?.includes(scope) ?? true);
  return {
    client_id,
    client_type: metadata.token_endpoint_auth_method === 'none' ? 'public' : 'confidential',
    client_secret_hash: row.secret_hash,
    jwks: metadata.jwks ?? null,
    jwks_uri: metadata.jwks_uri ?? null,
    pkce_required: true,
    name: ownName(metadata.client_name, host) ?? host ?? sharedReceiver(metadata.redirect_uris) ?? client_id,
    description: '',
    logo_url: logoOf(row),
    redirect_uris: metadata.redirect_uris,
    post_logout_redirect_uris: metadata.post_logout_redirect_uris ?? [],
    scopes,
    first_party: false,
    verified: false,
    agent: {
      origin: row.origin,
      host,
      approved: row.approval === 'approved',
      changed_at: row.changed_at,
      refreshes: metadata.grant_types.includes('refresh_token'),
    },
  };
}

/** Whether an agent may have access now: the project still allows agents of its kind and, if that is required, an operator approved it. */
export function isAdmitted({ agents }: Pick<Services['project'], 'agents'>, { origin, approval }: AgentRow): boolean {
  if (origin === 'document' && !agents.metadata_documents) return false;
  return approval === 'approved' || (approval === null && !agents.approval_required);
}
