/** The tables of migration 0004. */
export interface AccessTables {}
