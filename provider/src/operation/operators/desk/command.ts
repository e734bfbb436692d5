import type { FieldKind, Infer, Shape } from '#domain/shape.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Html } from '#provider/base/http/page-frame.ts';
import type { Services } from '#provider/api/services.ts';
import type { NoticeKey, Fault } from './layout.ts';
import type { Listing, Row } from './listing.ts';
import type { Operator } from './operator-store.ts';
import { NO_PAGE, PAGE_ROLES, type PageName, type PagePath, type Role } from './roles.ts';
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

/** What an operator types before a form does anything, and the mistake if it is something else. */
interface Confirmation extends Fault {
  readonly text: string;
}

/**
 * A form of the operators' page that runs a command. The parameters of the page's path are fields of the command.
 *
 * @typeParam Values those of the command's fields
 * @typeParam Input the fields of the form, some of which the command line may lack
 */
export interface CommandForm<Values = unknown, Input extends object = object> {
  /** The page with the form, which shows it again after a mistake. */
  readonly page: PagePath;
  /** The end of the form's path; absent if it is the path of the page. */
  readonly act?: string;
  readonly fields?: (form: URLSearchParams) => Input;
  readonly confirm?: (fields: Values, services: Services) => Confirmation | Promise<Confirmation>;
  /** The mistake that the page shows for an error; other errors have a page of their own. */
  readonly faultOf?: (error: unknown) => Fault | undefined;
  /** The name of the file that is the response. */
  readonly file?: string;
  /** The page of a new secret, if there is one. */
  readonly secret?: (row: Row, operator: Operator) => Html | undefined;
  /** The next page, if it is another one, with parameters that are fields of the command or of its row. */
  readonly next?: string;
  /** The notice on the next page. */
  readonly done?: NoticeKey | ((row: Row) => NoticeKey);
}

/** A file of JSON lines that the operators' page has instead of a list: all pages of a command that only reads. */
export interface Download {
  /** The page with the link. */
  readonly page: PagePath;
  /** The end of the path. */
  readonly act: string;
  /** The name of the file. */
  readonly file: string;
}

/** A command of the operator, on the command line and at `/admin`. It runs in the server that holds the data, or without a server. */
export interface OperatorCommand extends CommandSyntax {
  readonly kind: 'operator';
  /** Whether it only reads, so that it may run on a read replica. */
  readonly reads: boolean;
  /** The command line asks this question first, unless `--yes` is given. */
  readonly question?: string;
  /** The columns of its table, in order; absent if the response is one sentence. */
  readonly columns?: readonly string[];
  /** True for a command that prints only JSON. */
  readonly json?: true;
  /** True for a command that prints all pages, one line per row. */
  readonly everyPage?: true;
  /** The equivalent page for operators, or the page with a form that is not made from the table; absent if there is none. */
  readonly page?: PageName;
  /** The roles of operators who may run it on their page. On the command line, whoever has the data runs every command. */
  readonly roles: readonly Role[];
  /** The forms of the operators' page that run it. */
  readonly forms?: readonly CommandForm[];
  /** The file with its rows on the operators' page; absent if there is none. */
  readonly download?: Download;
  readonly run: (services: Services, fields: unknown, by: AuditActor) => Promise<Listing>;
}

/** Each command has the roles of its page, or names its own. */
type Access =
  | { readonly page: PageName; readonly roles?: never }
  | { readonly page?: never; readonly roles: readonly Role[] };

type Definition<F extends CommandFields> = Omit<
  OperatorCommand,
  'kind' | 'reads' | 'fields' | 'page' | 'roles' | 'forms' | 'download' | 'run'
> &
  Access & { readonly fields: F };

const rolesOf = ({ page, roles }: { readonly page?: PageName; readonly roles?: readonly Role[] }): readonly Role[] =>
  page === undefined ? (roles ?? NO_PAGE) : PAGE_ROLES[page];

/** A command that only reads. It has the types of the fields that it describes. */
export function readCommand<const F extends CommandFields>(
  definition: Definition<F> & { readonly download?: Download },
  run: (services: Services, fields: FieldValues<F>) => Promise<Listing>,
): OperatorCommand & { readonly reads: true } {
  return {
    ...definition,
    roles: rolesOf(definition),
    kind: 'operator',
    reads: true,
    run: (services, fields) => run(services, fields as FieldValues<F>),
  };
}

/** A command that writes, be it only to the audit log. */
export function writeCommand<const F extends CommandFields, Input extends object = object>(
  { forms = [], ...definition }: Definition<F> & { readonly forms?: readonly CommandForm<FieldValues<F>, Input>[] },
  run: (services: Services, fields: FieldValues<F> & Partial<Omit<Input, keyof F>>, by: AuditActor) => Promise<Listing>,
): OperatorCommand & { readonly reads: false } {
  return {
    ...definition,
    roles: rolesOf(definition),
    ...(forms.length === 0 ? {} : { forms: forms as readonly CommandForm[] }),
    kind: 'operator',
    reads: false,
    run: (services, fields, by) => run(services, fields as FieldValues<F> & Partial<Omit<Input, keyof F>>, by),
  };
}

/** Shows every refusal as the mistake of one field. */
export const refusalAt =
  (name: string) =>
  (error: unknown): Fault | undefined =>
    error instanceof Refusal ? { field: name, message: error.message } : undefined;

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
