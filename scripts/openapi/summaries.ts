/** A summary for each call. A call without one is a compile error. */
export type SummariesOf<Table> = {
  readonly [Area in keyof Table]: { readonly [Name in keyof Table[Area]]: string };
};
