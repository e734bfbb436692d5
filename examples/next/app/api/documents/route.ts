import { withAuth } from '../../../lib/auth.ts';

export const GET = withAuth({ roles: ['editor'] }, (_request, who) =>
  Response.json({ documents: ['Minutes', 'Budget'], read_by: who.user_id }),
);
