import type { Infer, Shape } from '../../../../src/domain/shape.ts';
import type { Services } from '../../api/services.ts';
import type { Listing } from './listing.ts';
import type { AuditActor } from './people.ts';

/** A command of the operator, through a running server or without one. */
export interface OperatorCommand {
  /** The field that the word after the command fills. */
  readonly argument?: string;
  /** The fields of the command, with underscores where their options have hyphens. */
  readonly options: Shape;
  /** Asked before the command is run, unless `--yes` is given. */
  readonly question?: string;
  readonly help: string;
  /** The columns of its table, in their order; none for an answer of one sentence. */
  readonly columns: readonly string[];
  /** True for a command that prints JSON only. */
  readonly json?: true;
  readonly run: (services: Services, fields: unknown, by: AuditActor) => Promise<Listing>;
}

/** A command whose fields have the shape, and the argument's. */
export function command<const S extends Shape>(
  described: Omit<OperatorCommand, 'options' | 'run'> & { readonly options: S },
  run: (services: Services, fields: Infer<S>, by: AuditActor) => Promise<Listing>,
): OperatorCommand {
  return { ...described, run: (services, fields, by) => run(services, fields as Infer<S>, by) };
}
