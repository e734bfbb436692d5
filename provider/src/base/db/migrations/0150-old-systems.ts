/** Sessions of an old system move here until the user, or somebody for them, ends all access. */
export const OLD_SYSTEMS: readonly string[] = ['alter table users add column access_ended_at timestamptz'];
