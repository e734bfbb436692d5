import type { Database } from '#provider/base/db/database.ts';
import type { ProviderResponse } from '../../kit/harness.ts';
import type { FlowEnding } from './endings.ts';
import type { Call, PartyName, Stage } from './people.ts';

/** A credential, grant or flow: who may begin and finish it, and what ends it. Each claim is played. */
export interface Flow {
  readonly name: string;
  readonly tables: readonly (keyof Database)[];
  readonly begunBy: readonly PartyName[];
  /** The party that begins it where the finishing and the endings are played. Default: the first of `begunBy`. */
  readonly beginner?: PartyName;
  /** `the holder` of what the flow gave or mailed, whoever that is. */
  readonly finishedBy: readonly PartyName[] | 'the holder';
  readonly endedBy: readonly FlowEnding[];
  /** Parties in whose session a holder cannot finish it. */
  readonly notFinishedBy?: readonly PartyName[];
  /** A user has at most one of what the flow makes. */
  readonly oncePerUser?: true;
  /** Finishing it adds a login method, which ends everything else that was begun. */
  readonly changesAccount?: true;
  readonly lifetimeMs: number;
  readonly play: FlowStarter;
}

/** What a flow gave to whoever began it, and what finishing needs. */
export interface StartedFlow {
  readonly reply: ProviderResponse;
  readonly finish: (call: Call) => Promise<ProviderResponse>;
}

export type FlowStarter = (stage: Stage, call: Call) => Promise<StartedFlow>;

/** Whether a reply means that the step was taken. */
export const isDone = ({ status }: ProviderResponse): boolean => status >= 200 && status < 300;

/** A reply for a step that the flow's interface does not offer to a party at all. */
export const NOT_OFFERED: ProviderResponse = { status: 404, headers: new Headers(), body: {}, data: {} };

/** The flow was refused at its start. */
export const refused = (reply: ProviderResponse): StartedFlow => ({
  reply,
  finish: () => Promise.resolve(NOT_OFFERED),
});
