/** The tables of migration 0003. */
export interface PasskeysWalletsSocialTables {}
