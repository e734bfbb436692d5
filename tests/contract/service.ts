/** How a service that a script brings can let a page down. */
export const SERVICE_TROUBLES = [
  'is blocked',
  'does not answer',
  'is something else',
  'throws',
  'rejects',
  'loads and then says nothing',
  'answers with nonsense',
] as const;

export type ServiceTrouble = (typeof SERVICE_TROUBLES)[number];

/** What a suite asks of the service behind a port. */
export interface ServiceControls {
  /** Brings trouble from now on; null ends it. */
  readonly bring: (trouble: ServiceTrouble | null) => void | Promise<void>;
  /** Lets time pass for the port's clock; what can settle has settled when it resolves. */
  readonly pass: (ms: number) => void | Promise<void>;
  /** How often the service was fetched; absent where there is nothing to fetch. */
  readonly loads?: () => number;
}
