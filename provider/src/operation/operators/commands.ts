import { AGENT_COMMANDS } from './agents/commands.ts';
import { AUDIT_COMMANDS } from './audit/commands.ts';
import { CLIENT_COMMANDS } from './clients/commands.ts';
import { CONNECTION_COMMANDS } from './connections/commands.ts';
import { KEY_COMMANDS } from './keys/commands.ts';
import { OUTBOX_COMMANDS } from './messages/commands.ts';
import { PASSKEY_COMMANDS } from './passkeys/commands.ts';
import { PEOPLE_COMMANDS } from './people/commands.ts';
import { RETENTION_COMMANDS } from './audit/retention-commands.ts';
import { SECRET_COMMANDS } from './clients/secret-commands.ts';
import { SESSION_COMMANDS } from './users/session-commands.ts';
import { TOKEN_COMMANDS } from './users/token-commands.ts';
import { USER_COMMANDS } from './users/commands.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { isRecord } from '#domain/shape.ts';
import { checkBody } from '#server-rules/request-body.ts';
import type { Services } from '#provider/api/services.ts';
import { shapeOf, type OperatorCommand } from './desk/command.ts';
import type { Listing } from './desk/listing.ts';
import type { AuditActor } from './desk/audit-actor.ts';

/** Every command that runs on the data, by its name: on the command line, and at `/admin`. */
export const OPERATOR_COMMANDS = {
  ...USER_COMMANDS,
  ...SESSION_COMMANDS,
  ...KEY_COMMANDS,
  ...CLIENT_COMMANDS,
  ...AGENT_COMMANDS,
  ...CONNECTION_COMMANDS,
  ...OUTBOX_COMMANDS,
  ...AUDIT_COMMANDS,
  ...PASSKEY_COMMANDS,
  ...PEOPLE_COMMANDS,
  ...TOKEN_COMMANDS,
  ...SECRET_COMMANDS,
  ...RETENTION_COMMANDS,
} as const satisfies Readonly<Record<string, OperatorCommand>>;

/** The name of a command in the paths of `/admin`: `users.lock`, or `impersonate` for `admin impersonate`. */
export function pathName(words: string): string {
  return words.replace(/^admin /u, '').replaceAll(' ', '.');
}

/** Runs a command by its name in paths. The fields are unvalidated input; the field `operator` is the name for the audit log. */
export async function perform(services: Services, name: string, fields: unknown): Promise<Listing> {
  const found = Object.entries(OPERATOR_COMMANDS).find(([words]) => pathName(words) === name)?.[1];
  if (found === undefined) throw new Refusal('route_not_found');
  const checked = checkBody({ body: shapeOf(found.fields), list: false }, fields);
  return found.run(services, checked, actorFrom(fields));
}

/** The person at this machine who runs the command, if the request names them. */
function actorFrom(fields: unknown): AuditActor {
  const { operator } = isRecord(fields) ? fields : {};
  const name = typeof operator === 'string' && /^[^\p{C}]{1,120}$/u.test(operator) ? operator : 'operator';
  return { name, address: null, request_id: null };
}
