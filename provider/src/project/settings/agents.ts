import { LISTED_SCOPES, scopesOf, type AppRules } from '#server-rules/connected-apps.ts';
import { HASH } from './access.ts';
import { SCOPE } from './app-fields.ts';
import { flag, Mistakes, object, oneOf, texts, whole } from '../readers/readers.ts';

/** Which agents (apps that no operator registered) may request access from users. */
export interface AgentSettings {
  /** Whether the URL of a metadata document can be a client id (OAuth Client ID Metadata Document). */
  readonly metadata_documents: boolean;
  /** Who can register an app (RFC 7591): nobody, anybody with an initial access token, or everybody. */
  readonly registration: 'off' | 'token' | 'open';
  /** SHA-256 of the initial access tokens, base64url. */
  readonly registration_token_hashes: readonly string[];
  /** An agent without access from any user is removed after this many days. */
  readonly unused_days: number;
  /** The most stored agents of each kind without access from any user. */
  readonly most_unused: number;
  /** The scopes that an agent may request; null for every scope of the project except `full_access` and `offline_access`. */
  readonly scopes: readonly string[] | null;
  /** Whether an agent can get tokens for an API that is not in `resources`. Such tokens give no access to this project. */
  readonly unknown_resources: 'refuse' | 'allow';
  /** Whether an operator must approve an agent before it can request access from users. */
  readonly approval_required: boolean;
}

export const NO_AGENTS: AgentSettings = {
  metadata_documents: false,
  registration: 'off',
  registration_token_hashes: [],
  unused_days: 30,
  most_unused: 1000,
  scopes: null,
  unknown_resources: 'refuse',
  approval_required: false,
};

export const agentSettings = object<AgentSettings>(
  {
    metadata_documents: flag,
    registration: oneOf('off', 'token', 'open'),
    registration_token_hashes: texts(HASH),
    unused_days: whole(1, 365),
    most_unused: whole(1, 100_000),
    scopes: texts(SCOPE),
    unknown_resources: oneOf('refuse', 'allow'),
    approval_required: flag,
  },
  NO_AGENTS,
);

/** Refuses settings that no agent could use, and scopes that strangers must not have. */
export function checkAgents(
  { registration, registration_token_hashes, scopes }: AgentSettings,
  projectScopes: ReadonlySet<string>,
): void {
  const mistakes = new Mistakes();
  const isWrong = (registration === 'token') !== registration_token_hashes.length > 0;
  const must = 'given if registration is token, and else left out';
  mistakes.refuseIf(isWrong, 'agents.registration_token_hashes', must);
  scopes?.forEach((scope, index) => {
    mistakes.refuseIf(!projectScopes.has(scope), `agents.scopes[${index}]`, 'a scope of the project');
    mistakes.refuseIf(scope === 'full_access', `agents.scopes[${index}]`, 'other than full_access');
  });
  mistakes.check();
}

/** The scopes that agents may request. */
export function scopesOfAgents({
  agents,
  ...project
}: Pick<AppRules, 'rbac_policy'> & { readonly agents: AgentSettings }): readonly string[] {
  return agents.scopes ?? scopesOf(project).filter((scope) => !LISTED_SCOPES.has(scope));
}

/** Whether agents are possible at all. */
export const hasAgents = ({ metadata_documents, registration }: AgentSettings): boolean =>
  metadata_documents || registration !== 'off';
