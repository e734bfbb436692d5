import type { BackendUser } from '#provider/base/backend-api/reply.ts';

/** The text that an operator types to delete the user: their title on the page. */
export function titleOf({ emails, phone_numbers, user_id }: BackendUser): string {
  return emails[0]?.email ?? phone_numbers[0]?.phone_number ?? user_id;
}
