import { withAuth } from '../../../lib/auth';

const documents = ['Minutes', 'Budget'];

export const GET = withAuth({ roles: ['editor'] }, (_request, who) =>
  Response.json({ documents, read_by: who.user_id }),
);

/** Another site cannot call it with the visitor's cookies: `withAuth` compares where a change comes from. */
export const POST = withAuth({ roles: ['editor'], fresh: true }, async (request) => {
  const { title } = (await request.json()) as { readonly title?: unknown };
  if (typeof title !== 'string' || title === '') return Response.json({ error: 'no title' }, { status: 400 });
  documents.push(title.slice(0, 100));
  return Response.json({ documents }, { status: 201 });
});
