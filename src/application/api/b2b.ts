import { endpoint } from './endpoint.ts';

/** The one B2B call that the specification lists (section 7). */
export const b2b = {
  searchMember: endpoint<{ readonly member: Readonly<Record<string, unknown>> | null }>()({
    name: 'b2b.searchMember',
    method: 'POST',
    path: '/b2b/organizations/members/search',
    body: { email_address: 'string', organization_id: 'string' },
  }),
};
