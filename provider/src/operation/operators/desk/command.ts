import type { FieldKind, Infer, Shape } from '../../../../../src/domain/shape.ts';
import type { Services } from '../../../api/services.ts';
import type { Listing } from './listing.ts';
import type { AuditActor } from './audit-actor.ts';

/** One field of a command: its argument or an option of the command line, and a field of the request to `/admin`. */
export interface CommandField {
  readonly type: FieldKind;
  readonly help: string;
  /** The accepted values; absent if others are accepted, too. */
  readonly values?: readonly string[];
}

export type CommandFields = Readonly<Record<string, CommandField>>;

/** The types of the values, by the types of the fields. */
export type FieldValues<F extends CommandFields> = Infer<{ readonly [K in keyof F]: F[K]['type'] }>;

/** The syntax of a command. */
export interface CommandSyntax {
  /** By name. Options on the command line have hyphens instead of underscores. */
  readonly fields: CommandFields;
  /** The name of the field that is an argument, not an option. */
  readonly argument?: string;
  readonly help: string;
}

/** A command of the operator, on the command line and at `/admin`. It runs in the server that holds the data, or without a server. */
export interface OperatorCommand extends CommandSyntax {
  readonly kind: 'operator';
  /** The command line asks this question first, unless `--yes` is given. */
  readonly question?: string;
  /** The columns of its table, in order; absent if the response is one sentence. */
  readonly columns?: readonly string[];
  /** True for a command that prints only JSON. */
  readonly json?: true;
  /** True for a command that prints all pages, one line per row. */
  readonly everyPage?: true;
  /** The equivalent route of the operators' page, such as `POST /operators/users/:user/lock`; absent if there is none. */
  readonly page?: string;
  readonly run: (services: Services, fields: unknown, by: AuditActor) => Promise<Listing>;
}

/** A command whose fields have the types that it describes. */
export function command<const F extends CommandFields>(
  definition: Omit<OperatorCommand, 'kind' | 'fields' | 'run'> & { readonly fields: F },
  run: (services: Services, fields: FieldValues<F>, by: AuditActor) => Promise<Listing>,
): OperatorCommand {
  return {
    ...definition,
    kind: 'operator',
    run: (services, fields, by) => run(services, fields as FieldValues<F>, by),
  };
}

export function shapeOf(fields: CommandFields): Shape {
  return Object.fromEntries(Object.entries(fields).map(([name, { type }]) => [name, type]));
}

/** The fields of commands that list in pages. */
export const PAGE = {
  limit: { type: 'string?', help: 'the number of rows in a page, at most 1000' },
  after: { type: 'string?', help: 'the position that the previous page named' },
} as const satisfies CommandFields;

/** The user that a command is about. */
export const USER = { type: 'string', help: 'an id, an external id, an email address or a phone number' } as const;
export const OPTIONAL_USER = { ...USER, type: 'string?' } as const;
