/** A decoy passcode belongs to no user, as a decoy link: it counts the tries of one that was never sent. */
export const DECOY_PASSCODES: readonly string[] = ['alter table passcodes alter column user_id drop not null'];
