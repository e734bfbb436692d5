/** The tables of migration 0002. */
export interface PasswordsAndPhonesTables {}
