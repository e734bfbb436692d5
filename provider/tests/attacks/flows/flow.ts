import type { Database } from '../../../src/db/database.ts';
import type { Answered } from '../../kit/harness.ts';
import type { Ending } from './endings.ts';
import type { Call, Party, Stage } from './people.ts';

/** A credential, grant or flow: who may begin and finish it, and what ends it. Each claim is played. */
export interface Flow {
  readonly name: string;
  readonly tables: readonly (keyof Database)[];
  readonly begunBy: readonly Party[];
  /** The party that begins it where the finishing and the endings are played. Default: the first of `begunBy`. */
  readonly beginner?: Party;
  /** `the holder` of what the flow gave or mailed, whoever that is. */
  readonly finishedBy: readonly Party[] | 'the holder';
  readonly endedBy: readonly Ending[];
  /** Parties in whose session a holder cannot finish it. */
  readonly notFinishedBy?: readonly Party[];
  /** A user has at most one of what the flow makes. */
  readonly oncePerUser?: true;
  readonly lifetimeMs: number;
  readonly play: Play;
}

/** What a flow gave to whoever began it, and what finishing needs. */
export interface Begun {
  readonly reply: Answered;
  readonly finish: (call: Call) => Promise<Answered>;
}

export type Play = (stage: Stage, call: Call) => Promise<Begun>;

/** Whether a reply means that the step was taken. */
export const isDone = ({ status }: Answered): boolean => status >= 200 && status < 300;

/** A reply for a step that the flow's interface does not offer to a party at all. */
export const NOT_OFFERED: Answered = { status: 404, headers: new Headers(), body: {}, data: {} };

/** The flow was refused at its start. */
export const refused = (reply: Answered): Begun => ({ reply, finish: () => Promise.resolve(NOT_OFFERED) });
