import type { OPERATOR_COMMANDS } from '#provider/operation/operators/commands.ts';

type Commands = typeof OPERATOR_COMMANDS;
export type ReadName = {
  [Name in keyof Commands]: Commands[Name]['reads'] extends true ? Name : never;
}[keyof Commands];

/** The id of a message, which only the test knows. */
export const MESSAGE = 'MESSAGE';

/** Fields for each command that only reads; one that is missing does not compile. They fit a project where ada-1@example.com logged in. */
export const READ_FIELDS: Readonly<Record<ReadName, Readonly<Record<string, string>>>> = {
  'users list': { limit: '3' },
  'users search': { text: 'ada-1' },
  'users show': { user: 'ada-1@example.com' },
  'sessions list': { user: 'ada-1@example.com' },
  'keys list': {},
  'clients list': {},
  'agents list': {},
  'connections list': {},
  'outbox list': {},
  'outbox show': { id: MESSAGE },
  'audit list': { event: 'login' },
  'audit export': {},
  'passkeys funnel': {},
  'operators list': {},
  'admin project-secret list': {},
  'admin backend-calls': {},
};
