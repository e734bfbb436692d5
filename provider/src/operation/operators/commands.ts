import { CLIENT_COMMANDS, KEY_COMMANDS } from './commands-for-clients.ts';
import { AUDIT_COMMANDS, OUTBOX_COMMANDS } from './commands-for-messages.ts';
import { PEOPLE_COMMANDS } from './commands-for-operators.ts';
import { SESSION_COMMANDS, USER_COMMANDS } from './commands-for-users.ts';
import type { OperatorCommand } from './command.ts';

/** Every command, by its two words. */
export const OPERATOR_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  ...USER_COMMANDS,
  ...SESSION_COMMANDS,
  ...KEY_COMMANDS,
  ...CLIENT_COMMANDS,
  ...OUTBOX_COMMANDS,
  ...AUDIT_COMMANDS,
  ...PEOPLE_COMMANDS,
};
