import { mergeMetadata } from '#server-rules/metadata.ts';
import { parseJson } from '#domain/json.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { isRecord } from '#domain/shape.ts';
import { NO_ADDITIONS, type HookDecision } from './decision.ts';

/** A valid answer of a hook. */
export type HookAnswer =
  | { readonly action: 'allow' | 'require_factor'; readonly decision: HookDecision }
  | { readonly action: 'refuse'; readonly message: string | null };

/** Why there is no valid answer, in words for the log, which contain nothing of the answer. */
export interface HookFailure {
  readonly failure: string;
}

const FIELDS: ReadonlySet<string> = new Set(['id', 'action', 'message', 'roles', 'trusted_metadata']);
const MOST_CHARACTERS = 300;
/** Plain text on one line: nothing that a careless page could read as markup, and no invisible or turning characters. */
const PLAIN = /^[^\p{C}\p{Zl}\p{Zp}<>]+$/u;

const isMessage = (value: unknown): value is string =>
  typeof value === 'string' && Array.from(value).length <= MOST_CHARACTERS && PLAIN.test(value) && value.trim() !== '';

interface AnswerContext {
  /** The id of the request, which the answer repeats. */
  readonly id: string;
  /** The roles of the project. */
  readonly roles: ReadonlySet<string>;
  /** Why the reply is not valid whatever it contains, such as by its status; null if it may be valid. */
  readonly flaw: string | null;
}

/**
 * Reads an answer. A refusal of this request counts even if the rest is wrong, also the status, and so does a required factor: a mistake
 * beside them must not let anybody in. Everything else must be right.
 */
export function readAnswer(text: string, { id, roles, flaw }: AnswerContext): HookAnswer | HookFailure {
  const answer = parseJson(text);
  if (!isRecord(answer)) return { failure: flaw ?? 'answered no JSON object' };
  if (answer['id'] !== id) return { failure: flaw ?? 'answered another request' };
  const { action, message } = answer;
  if (action === 'refuse') return { action, message: isMessage(message) ? message : null };
  if (action !== 'allow' && action !== 'require_factor') {
    return { failure: flaw ?? 'answered with an unknown action' };
  }
  const additions = flaw === null ? additionsIn(answer, roles) : { failure: flaw };
  if (action === 'require_factor') {
    const valid = 'failure' in additions ? NO_ADDITIONS : additions;
    return { action, decision: { ...valid, require_factor: true } };
  }
  return 'failure' in additions ? additions : { action, decision: additions };
}

function additionsIn(
  answer: Readonly<Record<string, unknown>>,
  projectRoles: ReadonlySet<string>,
): HookDecision | HookFailure {
  if (Object.keys(answer).some((field) => !FIELDS.has(field))) return { failure: 'answered with an unknown field' };
  if (answer['message'] !== undefined) return { failure: 'answered with a message, but refused nothing' };
  const { roles = [], trusted_metadata = {} } = answer;
  if (!Array.isArray(roles) || !roles.every((role) => typeof role === 'string' && projectRoles.has(role))) {
    return { failure: 'answered with roles that rbac_policy lacks' };
  }
  if (!isRecord(trusted_metadata) || Object.values(trusted_metadata).includes(null)) {
    return { failure: 'answered with trusted_metadata that is no object of values' };
  }
  try {
    mergeMetadata({}, trusted_metadata, 'trusted_metadata');
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { failure: 'answered with trusted_metadata that users cannot have' };
  }
  return { ...NO_ADDITIONS, roles: [...new Set(roles as readonly string[])], trusted_metadata };
}
